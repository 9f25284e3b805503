/* The pair clusters of hbp: which labels s < t interact, and theta_st(i, j) over their states.
 *
 * A table is 0 but for the edges between the two labels and a penalty on equal states i = j, so the
 * largest theta(i, j) + give(j) of a row is the largest give, except in the row of that very state
 * and in the *touched* rows, which hold an edge. A message therefore is one number, one exception
 * and one number per touched state. Tables of which much is given are dense, with all states
 * touched.
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
    double **table;                     /* dense tables of n x n, NULL where sparse */
    int64_t *touched_start;             /* 2 n_pairs + 1: side 0, 1 of the first pair, and so on */
    int32_t *touched;                   /* states */
    int64_t *entry_start;               /* of each touched state of a sparse table */
    int32_t *entry_state;               /* the other side's state */
    double *entry;                      /* theta */
    gm_pool pool;
} hbp_pairs;

typedef struct hbp_word {
    double usual, other; /* for all states; for the state where */
    int32_t where;
} hbp_word;

/* One message to each side of each pair. */
typedef struct hbp_messages {
    hbp_word *word; /* 2 n_pairs */
    double *value;  /* per touched state, which overrules the word */
} hbp_messages;

/* GM_OK or GM_ENOMEM. Edges turn into -cost: hbp maximises. */
int hbp_pairs_init(hbp_pairs *pairs, const gm_model *model, double equal_states);
void hbp_pairs_clear(hbp_pairs *pairs);

/* theta_p(i, j), i a state of side 0 and j of side 1. */
double hbp_theta(const hbp_pairs *pairs, int32_t p, int32_t i, int32_t j);

/* The message to a side: max over the other side's states of theta + give. The two largest of give
 * are known. */
void hbp_collect(const hbp_pairs *pairs, int32_t p, int side, const double *give,
                 gm_two_largest two, const hbp_messages *into);

/* The states at which a message is not as usual (all of them where the table is dense), each once,
 * and what it is there. */
int32_t hbp_exceptions(const hbp_pairs *pairs, int32_t p, int side, const hbp_messages *from,
                       int32_t *state, double *value);
/* Its value at one state. */
double hbp_message_at(const hbp_pairs *pairs, int32_t p, int side, const hbp_messages *from,
                      int32_t state);

#endif
