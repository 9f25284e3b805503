/* Products of dense matrices by BLAS, which does not look at the clock: each call takes some
 * milliseconds at most, and the watch is asked between two of them. */
#ifndef GM_AJ_SDP_PRODUCTS_H
#define GM_AJ_SDP_PRODUCTS_H

#include "base/watch.h"
#include "gm.h"

/* The matrices of a product, column by column, in single or double precision. */
typedef struct aj_operand {
    const void *numbers;
    char transposed; /* 'N' or 'T' */
    int stride;      /* between two columns */
} aj_operand;

/* Columns of a product, of which each takes `work` multiply-adds, that one call computes. */
int aj_columns_of_call(double work, int columns);
/* c (rows x columns) = factor a b + keep c. Returns 0 if the watch ended the run. */
int aj_multiply(const gm_lapack *lapack, gm_watch *watch, int is_single, int rows, int columns,
                int inner, double factor, aj_operand a, aj_operand b, double keep, void *c,
                int stride);

#endif
