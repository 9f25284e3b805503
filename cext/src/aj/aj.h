/* Declarations for all files of the exact method `aj`: problems, the ascent, the star bound,
 * deletions. docs/exact.md has the mathematics; scheduler.h lists the files that make a search of
 * these.
 *
 * Inside aj a problem is: every node takes exactly one of its candidates, every label is taken at
 * most once. A node that may stay unmatched has a dummy candidate with a private label. Costs are
 * scaled by a power of two, which is exact, so that the largest pair cost is about 1.
 */
#ifndef GM_AJ_AJ_H
#define GM_AJ_AJ_H

#include "aj/policy.h"
#include "base/rounding.h"
#include "base/watch.h"
#include "model/index.h"
#include "moves/greedy.h"

#include <math.h>

/* Each use covers at most four roundings of the given magnitude: see base/rounding.h. */
#define AJ_EPS (4.0 * GM_ROUNDING)

/* ---- a (sub)problem: candidates p, entries {a, b} (pairs of candidates) with cost theta, and the
 * rows of the LP. The star of p has one row mu for every node j and one row nu for every label l
 * that p has entries with; a half is an entry seen from one of its ends. Halves are stored star by
 * star and, inside a star, mu row by mu row: a star is a small assignment problem in CSR form, with
 * mu rows as rows and nu rows as columns. */
typedef struct aj_problem {
    int32_t n_nodes, n_labels, n; /* n candidates */
    int64_t m;                    /* entries */
    double constant;              /* cost of the candidates that are already chosen */
    double error;                 /* bound on the rounding errors in constant and cost */
    int32_t n_chosen;
    int32_t *chosen; /* their slots */

    int32_t *node, *label; /* n, sorted by (node, label) */
    int32_t *origin;       /* n: slot of the index, -1 = the dummy */
    double *cost;          /* n */
    int32_t *node_start;   /* n_nodes + 1 */
    int32_t *n_tables;     /* n_nodes: how many other nodes it has a full table with */

    int32_t *a, *b; /* m, a < b, sorted by (a, b) */
    double *theta;  /* m */
    uint8_t *equal; /* m: the entry belongs to a full table, its mu rows are equalities */

    int32_t n_mu, n_nu;
    int32_t *mu_start, *nu_start;       /* n + 1: rows of each star */
    int64_t *half_start;                /* n_mu + 1 */
    uint8_t *mu_equal;                  /* n_mu */
    int32_t *half_nu;                   /* 2m */
    int64_t *half_a, *half_b;           /* m: the two halves of an entry */
    int32_t *mu_a, *mu_b, *nu_a, *nu_b; /* m: its four rows */
    int32_t n_groups;                   /* consecutive entries with the same mu_a are a group: */
    int64_t *group_start;               /* n_groups + 1 */

    int64_t *lap_start;              /* n_nodes + 1: node_start in 64 bits, for the master LAP */
    gm_lap *lap;                     /* the master LAP: nodes against labels */
    int32_t *label_start, *by_label; /* candidates of each label */
    gm_watch *watch;                 /* of the run, or of the part of it that uses the problem */
    gm_pool pool;
} aj_problem;

/* The number of [0, 1] that is nearest. */
static inline double aj_clip(double x)
{
    const double positive = x < 0.0 ? 0.0 : x;
    return positive > 1.0 ? 1.0 : positive;
}

/* d of entry e from the duals w: the star of a pays (theta + d)/2, that of b (theta - d)/2. Any
 * number makes a valid bound; one that a diverging ascent has made NaN or enormous is replaced by
 * 0, as it would only make the stars look infeasible. */
static inline double aj_split(const aj_problem *P, const double *w, int64_t e)
{
    const double *nu = w + P->n_mu;
    const double at_b = w[P->mu_b[e]] + nu[P->nu_b[e]], at_a = w[P->mu_a[e]] + nu[P->nu_a[e]];
    const double d = at_b - at_a, largest = 0x1p200; /* of costs about 1 */
    return fabs(d) < largest ? d : 0.0;
}

/* The node of the model that candidate p belongs to: the dummy of node i has the label n2 + i. */
static inline int32_t aj_model_node(const gm_index *index, const aj_problem *P, int32_t p)
{
    return P->origin[p] >= 0 ? index->slot_node[P->origin[p]] : P->label[p] - index->n2;
}

/* The model as a problem; links with a positive pair cost become full tables. NULL = no memory, or
 * no time: so do all functions here that make a problem. */
aj_problem *aj_problem_new(const gm_index *index, double scale);
void aj_problem_free(aj_problem *problem);
/* Another part of the run uses the problem from now on. */
void aj_problem_heed(aj_problem *problem, gm_watch *watch);

/* How many labels have a candidate. */
int32_t aj_problem_n_used_labels(const aj_problem *problem);

/* Which pairs of nodes become full tables: those with a positive cost, those with any cost, all. */
enum aj_tables { AJ_POSITIVE, AJ_LINKED, AJ_EVERY_PAIR };

/* At most this many entries after aj_problem_lift; -1 = no memory. */
int64_t aj_problem_lifted_entries(const aj_problem *problem, enum aj_tables tables);
/* The same problem with full tables and their equality rows (mode E). Candidates stay the same;
 * entry_map (freed by the caller) is the old entry of each new one, or -1. NULL = no memory. */
aj_problem *aj_problem_lift(const aj_problem *problem, enum aj_tables tables, int64_t **entry_map);

/* The rest of a problem: no matching, or something to search. */
enum aj_rest { AJ_EMPTY = 0, AJ_OPEN = 1 };

/* Propagates deletions through the masks (1 = may stay): a node with a single candidate takes it,
 * and no other node may take that label. An enum aj_rest, GM_ENOMEM or GM_ECUT. */
int aj_propagate(const aj_problem *problem, uint8_t *candidates, uint8_t *entries);
/* The problem that the masks describe, after aj_propagate: decided nodes disappear into the
 * constant. The maps (freed by the caller) give the old index of each new one. NULL = no memory. */
aj_problem *aj_problem_shrink(const aj_problem *problem, const uint8_t *candidates,
                              const uint8_t *entries, int32_t **candidate_map, int64_t **entry_map);

/* For the functions above: a problem with memory for its lists; and, once the lists are filled in,
 * the rows of the LP and everything else that follows from them. */
aj_problem *aj_problem_alloc(int32_t n_nodes, int32_t n_labels, int32_t n, int64_t m,
                             int32_t n_chosen, gm_watch *watch);
/* GM_OK, GM_ENOMEM or GM_ECUT. */
int aj_problem_index(aj_problem *problem);

/* ---- the ascent: restarted, reflected Halpern PDHG on the LP of a problem */
typedef struct aj_pdhg {
    const aj_problem *problem;
    int32_t n_rows;      /* mu, nu, alpha (nodes), beta (labels), in this order */
    double *x, *x0, *xt; /* n: iterate, anchor, T(iterate) of the last kept step */
    double *y, *y0, *yt; /* m: the same of the entries, */
    double *w, *w0, *wt; /* n_rows: and of the duals */
    double *x_bar, *row_sum, *sigma, *tau;
    double *floor; /* n_rows: least dual, 0 or -inf for equalities */
    double omega;  /* primal weight */
    double first_residual, last_residual;
    int64_t k, total; /* steps since the restart, and in all */
    gm_pool pool;
} aj_pdhg;

aj_pdhg *aj_pdhg_new(const aj_problem *problem);
void aj_pdhg_free(aj_pdhg *pdhg);
/* Starts from another problem's last kept point; a NULL candidate_map means that candidates are the
 * same. */
void aj_pdhg_transfer(aj_pdhg *to, const aj_pdhg *from, const int32_t *candidate_map,
                      const int64_t *entry_map);
/* Starts from the messages of a one-sided reparametrisation: mu = -message. */
void aj_pdhg_set_messages(aj_pdhg *pdhg, const gm_index *index, const gm_reparametrisation *costs,
                          double scale);
/* One step; keep = 1 also writes T(v) into xt, yt, wt and restarts when it is time to. */
void aj_pdhg_step(aj_pdhg *pdhg, int keep);

/* ---- the star bound: valid for any dual vector. If the run ends in the middle of an evaluation,
 * its numbers are meaningless; the caller asks gm_watch_is_over. */
typedef struct aj_bound {
    double value;    /* lower bound on every matching of the problem, +inf if there is none */
    double *master;  /* n: cost in the master LAP: the unary cost and the value of the star LAP */
    double *reduced; /* n: master reduced cost, rounded down */
    double *forced;  /* n: increase of the bound when the candidate is forced, rounded down */
    double *half;    /* 2m: reduced costs of the star LAPs, rounded down */
    int32_t *match;  /* n_nodes: candidate of each node in the master LAP */
    double *star_v;  /* n_nu: column duals of the stars */
    double *v;       /* n_labels: column duals of the master LAP */
    /* scratch */
    double *row_dual, *distance, *exit;
    int32_t *row_mate, *column_mate, *parent, *touched, *owner;
    gm_watch *watch;
    gm_pool pool;
} aj_bound;

/* Memory for problems up to these sizes. */
aj_bound *aj_bound_new(int32_t n_nodes, int32_t n_labels, int32_t n, int64_t m, int32_t n_mu,
                       int32_t n_nu);
void aj_bound_free(aj_bound *bound);
/* The bound at the duals w: fills everything but forced. */
void aj_bound_evaluate(aj_bound *bound, const aj_problem *problem, const double *w);
/* The same on costs that are already in bound->half; the two halves of an entry add up to theta. */
void aj_bound_solve(aj_bound *bound, const aj_problem *problem);
/* Fills forced; increases beyond `limit` are only known to be at least that. */
void aj_bound_force(aj_bound *bound, const aj_problem *problem, double limit);
/* Clears candidates by looking ahead: with p chosen every other node pays a master reduced cost and
 * two star reduced costs for its candidate, at least an assignment of these. Returns how many were
 * cleared. (Not to be used in aj_bound_pair: this increase contains the pairs' own reduced costs.)
 * scratch: 2m; star_v is overwritten. */
int64_t aj_bound_look_ahead(aj_bound *bound, const aj_problem *problem, double gap,
                            uint8_t *candidates, const uint8_t *entries, double *scratch);
/* Increase of the bound when both ends of entry e are chosen, rounded down; after aj_bound_force.
 */
double aj_bound_pair(const aj_bound *bound, const aj_problem *problem, int64_t e);

/* ---- deletion by reduced costs ("fixing"): clears the mask of a candidate (a pair) if the bound
 * with it forced reaches the cutoff. Returns how many candidates and entries were cleared. */
int64_t aj_fix(const aj_bound *bound, const aj_problem *problem, double cutoff, uint8_t *candidates,
               uint8_t *entries);

#endif
