/* The pair clusters of hbp: which variables s < t interact, and theta_st(i, j) over their states.
 *
 * A table has background 0, an entry for each edge between the two labels, and a penalty on equal
 * states i = j. A state is *touched* if its row has an entry. In every other row the largest
 * theta(i, j) + give(j) is the largest give, except in the row of the very state that gives it. So
 * a message is one number, one exception, and one number for each touched state. Tables with many
 * entries are dense; there all states count as touched.
 */
#ifndef GM_HBP_PAIRS_H
#define GM_HBP_PAIRS_H

#include "base/pool.h"
#include "base/two_largest.h"
#include "gm.h"

typedef struct hbp_pairs {
    int32_t n, n_pairs;                 /* states of each variable; pairs in lexicographic order */
    int32_t *variable[2];               /* of each pair, variable[0] < variable[1] */
    int32_t *incident_start, *incident; /* pairs of each variable */
    double equal_states;                /* theta(i, i) */
    double **table;                     /* dense tables of n x n, NULL if sparse */
    int64_t *touched_start;             /* 2 n_pairs + 1: side 0, 1 of the first pair, and so on */
    int32_t *touched;                   /* states, ascending */
    int64_t *entry_start;               /* of each touched state of a sparse table */
    int32_t *entry_state;               /* the other side's state, ascending */
    double *entry;                      /* theta */
    gm_pool pool;
} hbp_pairs;

/* A message at the states that are not touched. */
typedef struct hbp_untouched {
    double usual; /* at all of them */
    double other; /* but at the state `where` */
    int32_t where;
} hbp_untouched;

/* One message to each side of each pair. */
typedef struct hbp_messages {
    hbp_untouched *untouched; /* 2 n_pairs */
    double *value;            /* per touched state */
} hbp_messages;

/* GM_OK or GM_ENOMEM. Edges turn into -cost: hbp maximises. */
int hbp_pairs_init(hbp_pairs *pairs, const gm_model *model, double equal_states);
void hbp_pairs_clear(hbp_pairs *pairs);

/* theta_p(i, j), i a state of side 0 and j of side 1. */
double hbp_theta(const hbp_pairs *pairs, int32_t p, int32_t i, int32_t j);

/* Writes the message to a side, the max-marginals of the pair: the largest theta + give over the
 * other side's states. `two` are the two largest of give. */
void hbp_collect(const hbp_pairs *pairs, int32_t p, int side, const double *give,
                 gm_two_largest two, const hbp_messages *into);

/* Lists the states at which a message differs from its usual number (all of them if the table is
 * dense), each once, with the message; returns how many. */
int32_t hbp_exceptions(const hbp_pairs *pairs, int32_t p, int side, const hbp_messages *from,
                       int32_t *state, double *value);
/* A message at one state. */
double hbp_message_at(const hbp_pairs *pairs, int32_t p, int side, const hbp_messages *from,
                      int32_t state);

#endif
