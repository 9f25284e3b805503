/* The dual of the graphical model coupled with a linear assignment, and its block-coordinate
 * ascent.
 *
 * minimise  sum_u c_u(x_u) + sum_uv C_uv(x_u, x_v)  over matchings x. The states of a left node u
 * are its candidates, and a dummy (last, cost 0) unless every node must be matched; each link uv
 * has a table C_uv with background 0 and a prohibitive cost on equal labels. With messages
 * phi_uv(a) from the link to u and prices v_l <= 0 of the labels the dual is
 *
 *   D = min over matchings of sum_u theta_u + sum_uv min_ab (C_uv(a, b) - phi_uv(a) - phi_vu(b)),
 *   theta_u = c_u + sum_v phi_uv.
 *
 * The first term is a linear assignment, solved exactly; its dual prices v turn theta into reduced
 * costs, which the next sweep passes on. After a sweep (TRW-S / SRMP: Kolmogorov 2006, 2015) the
 * minimum of every link is 0, so D is the value of the assignment alone.
 */
#ifndef GM_MP_DUAL_H
#define GM_MP_DUAL_H

#include "model/background.h"
#include "model/slots.h"

typedef struct mp_link {
    int32_t node[2]; /* u < v */
    double *phi[2];  /* from the link to u and to v, one number per state */
    double *into[2]; /* min-marginals: into[0](a) = min_b C(a,b) - phi[1](b), and the other way */
    double *table;   /* dense C, states of u by states of v; NULL: the entries of the index */
    int32_t entries; /* the index's link that has the entries, -1 = none */
    /* sparse C: the states of the other side with which each state has no background cell (see
     * model/background.h) */
    int64_t *hidden_start[2];
    int32_t *hidden[2];
} mp_link;

typedef struct mp_dual {
    const gm_index *index;
    int32_t n_nodes, n_states;
    int32_t n_links, link_capacity; /* links of the index first, then added ones */
    int32_t most_states;            /* of a node, at least 1 */
    int32_t *state_start;           /* n_nodes + 1 */
    double *cost;                   /* per state: c, dummy 0 */
    double *price;                  /* per state: v of its label, dummy 0 */
    double *theta;                  /* per state: the assignment part */
    double *marginal; /* per state: min-marginal of the node when it was last visited */
    mp_link *link;
    int32_t *node_link_start, *node_link; /* links of each node */
    double *lap_cost;                     /* per slot */
    double *node_price, *label_price;     /* centred duals of the assignment */
    gm_lap *lap;
    double prohibitive;  /* more than any two matchings can differ by */
    double kept;         /* weight of the node itself in a sweep; a link has 1 */
    double margin;       /* the rounding error of a bound, at most */
    double *give, *into; /* scratch: most_states */
    int32_t *pending;
    uint8_t *mark;
    gm_pool pool;
} mp_dual;

/* GM_OK or GM_ENOMEM; mp_dual_clear follows in either case. The index is borrowed. */
int mp_dual_init(mp_dual *dual, const gm_index *index, double kept);
void mp_dual_clear(mp_dual *dual);

/* One sweep, forward (nodes ascending) or backward. */
void mp_dual_sweep(mp_dual *dual, int forward);

/* slot_cost = the costs of the states less that of their node's dummy, as gm_lap takes them
 * (staying unmatched costs 0). Returns the sum of the dummies' costs. */
double mp_dual_relative(const mp_dual *dual, const double *state_cost, double *slot_cost);

/* Solves the assignment part and takes its prices; gives the dual bound (valid after a sweep) and
 * the matching in gm_lap_match(dual->lap). GM_OK or GM_EINFEASIBLE. */
int mp_dual_assign(mp_dual *dual, double *bound);

/* By how much all matchings but the given one cost more than the bound of the last assignment, at
 * least: each takes a pair, or leaves a node free, whose reduced cost is that much. */
double mp_dual_least_other(const mp_dual *dual, const int32_t *labels);

/* The bound of any messages phi, also if links have minima other than 0. Does not change the
 * links; takes prices as mp_dual_assign does. */
int mp_dual_evaluate(mp_dual *dual, double *bound);
/* Computes all min-marginals of links again, for sweeps after phi was set by something else. */
void mp_dual_refresh(mp_dual *dual);

/* out = the reparametrised table C - phi_uv - phi_vu of a link, dense. */
void mp_link_table(const mp_dual *dual, const mp_link *link, double *out);
/* A further link with an empty table (equal labels forbidden); its number, or -1 without memory.
 * mp_dual_relink must follow before the next sweep. */
int32_t mp_dual_add_link(mp_dual *dual, int32_t u, int32_t v);
/* The links of each node, after links were added. GM_OK or GM_ENOMEM. */
int mp_dual_relink(mp_dual *dual);
/* Gives a sparse link a dense table, which triplets may change. Takes memory: look at pool.failed.
 */
void mp_link_make_dense(mp_dual *dual, mp_link *link);

/* out = min-marginals of a link towards a side (into), from phi of the other side. */
void mp_link_collect(const mp_dual *dual, const mp_link *link, int side, double *out);

/* The cells that it reads. */
int64_t mp_link_work(const mp_dual *dual, const mp_link *link);

static inline int32_t mp_states(const mp_dual *dual, int32_t node)
{
    return dual->state_start[node + 1] - dual->state_start[node];
}

#endif
