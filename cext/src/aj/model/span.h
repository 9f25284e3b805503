/* The span of all matchings of a problem, with an integer basis.
 *
 * Variables: 0 is the constant 1; 1 + p is candidate p; the rest are slacks f_l = 1 - (sum of x
 * with label l), one for every label that has several candidates and may stay free. Every node, and
 * every label that has a slack or must be taken, is an equation 'the sum of my variables is 1'.
 * Each equation gives one dependent variable; the others are free and form r = (1, free variables).
 * Every matching is y = W r with W of small integers: exact in floating point. */
#ifndef GM_AJ_MODEL_SPAN_H
#define GM_AJ_MODEL_SPAN_H

#include "aj/aj.h"

typedef struct aj_span {
    int32_t n_variables, dimension, n_slacks;
    int32_t *slack_label; /* n_slacks */
    int32_t *slack_of;    /* n_labels: variable, or 0 if the label has none */
    int32_t *number;      /* n_variables: of a free one in r, -1 = dependent */
    double *rows;         /* n_variables x dimension, row by row: W */
    gm_pool pool;
} aj_span;

/* NULL when out of memory. */
aj_span *aj_span_new(const aj_problem *problem);
void aj_span_free(aj_span *span);

#endif
