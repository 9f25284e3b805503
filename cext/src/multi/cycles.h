/* The cycle bound: a Lagrangean relaxation of cycle consistency.
 *
 * In tracks, x^hg_ci + x^hk_ct - x^gk_it <= 1 for every node c of h and nodes i, t of two other
 * graphs: if c is matched to i and to t, then i and t are matched. Multipliers lambda >= 0 on such
 * inequalities change the costs of three candidates only, so every pair stays a pair problem with a
 * bound of its own:
 *
 *     bound = sum over pairs of bound(c + A' lambda) - sum of lambda
 *
 * is valid for any lambda >= 0 (a relaxation of this kind: Swoboda et al., A convex relaxation for
 * multi-graph matching, CVPR 2019). A round solves every pair whose costs changed with the
 * exact method, up to a number of iterations; then the inequalities that the present matchings
 * violate are added, and a subgradient step of Polyak's length changes the multipliers.
 */
#ifndef GM_MULTI_CYCLES_H
#define GM_MULTI_CYCLES_H

#include "multi/graphs.h"

/* An inequality; its key are the three nodes. */
typedef struct multi_cut {
    uint64_t key;
    int32_t pair[3], candidate[3]; /* x^hg, x^hk, x^gk above; -1: that pair is not a candidate */
    int32_t idle;                  /* rounds since it had a multiplier or was violated */
    double lambda;
    double slope; /* its violation, averaged over the last rounds */
} multi_cut;

typedef struct multi_cycles {
    const multi_graphs *graphs;
    gm_model *model;           /* per pair: the model with its changed costs, */
    double **cost;             /* which are these, */
    double **error;            /* each off by at most this */
    multi_matchings matchings; /* of the present costs */
    double *bound;             /* per pair, on its changed costs */
    uint8_t *open;   /* per pair: its costs changed, or its last solution was not proven */
    gm_run *run;     /* of the pair under way, or NULL */
    multi_cut *cuts; /* grown on demand */
    int64_t n_cuts, room;
    int64_t *slot; /* hash table of the cuts, -1 = free */
    int64_t n_slots;
    int32_t next;    /* pair that comes next in this round */
    double step;     /* times Polyak's length */
    double best;     /* best bound, */
    double risen_to; /* and its value when it had last risen enough */
    int32_t n_vain;  /* rounds since then */
    int64_t n_rounds;
    uint64_t seed;
} multi_cycles;

/* Takes memory; look at pool->failed afterwards. */
void multi_cycles_take(multi_cycles *cycles, gm_pool *pool, const multi_graphs *graphs,
                       uint64_t seed);
void multi_cycles_free(multi_cycles *cycles);

/* Sets the known facts about a pair before the first round: a bound, a matching, and whether that
 * is proven to be optimal. */
void multi_cycles_set_pair(multi_cycles *cycles, int32_t pair, double bound, const int32_t *labels,
                           int proven);

/* Solves the next pair of the round, or continues it, for at most this many seconds. value: cost
 * of the best tracks. Returns 1 at the end of a round, 0 before, or a negative status. */
int multi_cycles_advance(multi_cycles *cycles, double value, double seconds);

/* Whether many rounds have gained next to nothing. */
int multi_cycles_stalled(const multi_cycles *cycles);

#endif
