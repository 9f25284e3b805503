/* The C functions that the Python package calls. cffi reads this file, too: build_cext.py drops the
 * preprocessor lines and hands over the rest, so everything below must be plain declarations.
 *
 * Conventions: inputs are const and borrowed; indices are int32, positions in long arrays int64;
 * costs are double and minimised. Functions that can fail return 0 or a negative gm_status, which
 * gm_status_text explains. Nothing here prints, exits, or keeps global state.
 */
#ifndef GM_H
#define GM_H

#include <stdint.h>

enum gm_status {
    GM_OK = 0,
    GM_ENOMEM = -1,      /* out of memory */
    GM_EARGUMENT = -2,   /* an argument breaks the documented contract */
    GM_EINFEASIBLE = -3, /* no complete matching exists */
    GM_ELIMIT = -4       /* a documented size limit is exceeded */
};

const char *gm_status_text(int status);

/* Seconds on the monotonic clock; the same clock as Python's time.perf_counter(). */
double gm_clock(void);

/* ---- the model ------------------------------------------------------------------------------
 * A graph matching problem of n1 left nodes and n2 right nodes, the labels. Candidates are the
 * pairs that may be matched, sorted by (right, left), so that those of one label stand together.
 * Edges join candidates that cost something together; a < b, sorted by (a, b). complete = 1: every
 * left node must be matched (the caller makes sure that n1 <= n2).
 */
typedef struct gm_model {
    int32_t n1, n2;
    int32_t n_candidates;
    int64_t n_edges;
    const int32_t *left, *right; /* n_candidates */
    const double *cost;          /* n_candidates */
    const int32_t *a, *b;        /* n_edges: the two candidates of an edge */
    const double *edge_cost;     /* n_edges */
    int32_t complete;
} gm_model;

/* Cost of a matching, given by the label of each left node, -1 = unmatched: the costs of candidates
 * in the order of the nodes, then those of edges. GM_EARGUMENT where labels use a pair that is no
 * candidate, or a label twice. */
int gm_matching_cost(const gm_model *model, const int32_t *labels, double *cost);

/* ---- when a gap counts as closed -------------------------------------------------------------
 * The one rule, for the driver, which decides, and for kernels that stop early. scale is the
 * largest absolute cost entry. The gap is (value - bound) / max(|value|, 1e-6 scale): it stays the
 * same when all costs are scaled, and a value of 0 can be proven optimal. Value and bound come
 * without the problem's constant, so adding one does not change the gap either. A gap of at most
 * 1e-6 is closed; without a value or a bound it is infinite.
 */
double gm_relative_gap(double value, double bound, double scale);
int gm_gap_closed(double value, double bound, double scale);

/* A cost and a lower bound as the user is told them: with the problem's constant added, and negated
 * where the problem is maximised. A bound that the addition would round up is rounded down. */
double gm_told_value(double cost, double offset, int maximised);
double gm_told_bound(double bound, double offset, int maximised);

/* All that the user is told of a matching of this cost beside a lower bound, which is capped by the
 * cost; cost and bound come without the constant. */
typedef struct gm_verdict {
    double value, bound; /* gm_told_value and gm_told_bound of them */
    double gap;          /* gm_relative_gap */
    int32_t closed;      /* gm_gap_closed */
} gm_verdict;
gm_verdict gm_settle(double cost, double bound, double offset, int maximised, double scale);

/* What rounding may have added to a bound, at most; to be subtracted from it. n_roundings is the
 * largest number of operations that one of its terms has seen, magnitude the sum over the terms of
 * the largest number on the way to each (derived in base/rounding.h). 0 where all numbers are 0. */
double gm_rounding_error(double n_roundings, double magnitude);

/* ---- an anytime run -------------------------------------------------------------------------
 * Every iterative kernel's state begins with a gm_run, so that Python drives all of them with
 * one loop: gm_x_new(model, options) -> gm_x_step(run, max_iterations, seconds) -> gm_x_free(run).
 * step returns GM_OK when it has done so many iterations or so many seconds have passed, or earlier
 * when it sets finished. What a finished run has proven the caller decides, by gm_gap_closed.
 * Improvements are noted as events with their time; Python takes them away (sets n_events to 0)
 * after each step.
 */

typedef struct gm_event {
    double time;  /* gm_clock() at the improvement */
    double value; /* cost of the best labels so far, +inf if none */
    double bound; /* best lower bound so far, -inf if none */
    int64_t iteration;
} gm_event;

typedef struct gm_run {
    double value;
    double bound;
    double scale; /* largest absolute cost entry, for gm_gap_closed */
    int64_t iteration;
    int32_t finished; /* 1: more steps would change nothing */
    int32_t n1;
    int32_t *labels; /* n1 entries: label of each left node, -1 = unmatched */
    int32_t n_events;
    gm_event events[256];
    int32_t *event_labels; /* NULL, or room for the labels of each event, 256 * n1, the caller's */
} gm_run;

/* How a run ended. */
enum gm_ending {
    GM_UNDER_WAY = 0,
    GM_ENDED = 1, /* by itself */
    GM_OUT_OF_ITERATIONS = 2,
    GM_OUT_OF_TIME = 3,
    GM_STOPPED = 4,    /* somebody asked for it */
    GM_BROKEN_DOWN = 5 /* numerical failure */
};

/* ---- linear assignment on candidate lists ---------------------------------------------------
 * Minimise the cost of a matching between rows and columns. Row i may be matched to the columns
 * col[start[i]] .. col[start[i + 1] - 1]; both arrays are borrowed, and costs come in their order.
 * complete = 0: any row may stay unmatched at cost 0. complete = 1: every row is matched.
 * Duals u (rows) and v (columns): cost - u - v >= 0 on every entry, = 0 on matched entries,
 * v <= 0 with v = 0 on unmatched columns, and for complete = 0 u <= 0 with u = 0 on unmatched
 * rows; sum(u) + sum(v) is the optimal value.
 */
typedef struct gm_lap gm_lap;

gm_lap *gm_lap_new(int32_t n_rows, int32_t n_cols, const int64_t *start, const int32_t *col);
void gm_lap_free(gm_lap *lap);
/* +inf marks a forbidden entry. warm = 1 starts from the column duals of the previous solve, which
 * is faster where few costs have changed; the optimal value is the same. Returns GM_OK, or
 * GM_EINFEASIBLE where complete is asked for and impossible. */
int gm_lap_solve(gm_lap *lap, const double *cost, int complete, int warm);
const int32_t *gm_lap_match(const gm_lap *lap); /* n_rows: matched column or -1 */
const int64_t *gm_lap_entry(const gm_lap *lap); /* n_rows: matched entry or -1 */
const double *gm_lap_u(const gm_lap *lap);
const double *gm_lap_v(const gm_lap *lap);
double gm_lap_value(const gm_lap *lap);

/* Munkres' algorithm on a dense matrix with the scan order of the MATLAB originals: how ties are
 * broken decides some published values. cost is n_rows x n_cols, column-major, +inf = forbidden,
 * and is overwritten; match gets the column of each row, or -1. */
int gm_munkres(int32_t n_rows, int32_t n_cols, double *cost, int32_t *match);

/* ---- canonical form --------------------------------------------------------------------------
 * Sorts n candidates by (right, left), in place; rank[k] gets the new position of candidate k.
 * Where a pair occurs twice, repeated gets the old positions of the first such, else -1 twice. */
int gm_sort_candidates(int32_t n1, int32_t n2, int32_t n, int32_t *left, int32_t *right,
                       double *cost, int32_t *rank, int32_t *repeated);
/* Renumbers the ends of edges by rank (NULL: not at all), makes a < b, sorts, and adds up the costs
 * of equal pairs, in place; n_distinct edges remain. n: number of candidates. */
int gm_sort_edges(int32_t n, int64_t n_edges, const int32_t *rank, int32_t *a, int32_t *b,
                  double *cost, int64_t *n_distinct);

/* ---- factored problems ------------------------------------------------------------------------
 * Y += (K + K') X / 2 for n1 x n2 matrices X and Y, stored row by row. K has an entry for every
 * entry (e, f) of the m1 x m2 matrix KQ of pairs of edges: from pair (start1[e], start2[f]) to pair
 * (end1[e], end2[f]). Row e of KQ has the columns column[row_start[e]] and so on.
 */
void gm_factored_product(int32_t m1, const int64_t *row_start, const int32_t *column,
                         const double *KQ, const int32_t *start1, const int32_t *end1,
                         const int32_t *start2, const int32_t *end2, int32_t n2, const double *X,
                         double *Y);

/* ---- the dd text format ----------------------------------------------------------------------
 * The caller sets text and length (text[length] must be 0), calls open for the sizes, provides the
 * arrays, and calls read. Where that has counted coordinates or neighbours, the caller provides
 * their arrays, too, and calls read_optional. Each returns error; then line and field (1 = the
 * first behind the type) tell where it is.
 */
enum gm_dd_error {
    GM_DD_FINE = 0,
    GM_DD_NO_P,      /* the first line of content is no prologue */
    GM_DD_SECOND_P,  /* a second prologue */
    GM_DD_TOO_LARGE, /* the prologue announces more than the text can hold */
    GM_DD_TYPE,      /* unknown line type */
    GM_DD_FEW_FIELDS,
    GM_DD_MANY_FIELDS,
    GM_DD_NUMBER,   /* the field is no number of its kind */
    GM_DD_RANGE,    /* an index out of range */
    GM_DD_FINITE,   /* NaN, or infinite where it may not be */
    GM_DD_REPEATED, /* an id that was there already */
    GM_DD_LOOP,     /* an edge from an assignment to itself */
    GM_DD_TOO_MANY, /* more lines of a type than announced */
    GM_DD_TOO_FEW   /* fewer; field names the count in the prologue */
};

typedef struct gm_dd {
    const char *text;
    int64_t length;
    int32_t n1, n2, n_candidates; /* from the prologue */
    int64_t n_edges;
    int32_t *left, *right;                /* n_candidates each */
    double *cost;                         /* n_candidates; +inf = forbidden */
    int32_t *a, *b;                       /* n_edges each */
    double *edge_cost;                    /* n_edges */
    int64_t n_points[2], n_neighbours[2]; /* lines i0, i1, n0, n1 */
    double *points[2];                    /* 2 n1, 2 n2, or NULL */
    int32_t *neighbours[2];               /* 2 n_neighbours, or NULL */
    int32_t seen_candidates;
    int64_t seen_edges;
    int64_t body; /* where in the text the lines behind the prologue begin */
    int64_t prologue_line, prologue_start; /* line and start of the prologue */
    int64_t line, start;                   /* number of the present line, and where it begins */
    int32_t error, field;
} gm_dd;

int gm_dd_open(gm_dd *dd);
int gm_dd_read(gm_dd *dd);
int gm_dd_read_optional(gm_dd *dd);

/* Reads the numbers of a text, separated by blanks, commas and line ends; text[length] must be 0.
 * Returns how many, or -1 at a word that is no number, and position where that begins. With
 * numbers = NULL words are only counted. */
int64_t gm_read_numbers(const char *text, int64_t length, double *numbers, int64_t *position);

/* ---- fw: Frank-Wolfe with restarts ----------------------------------------------------------- */
typedef struct gm_fw_options {
    const int32_t *init; /* n1 labels to start from, or NULL: nothing assigned */
    double tol;          /* a descent ends at a relative duality gap of tol */
    int64_t restarts;    /* finished after so many further descents in a row without a gain */
    int64_t seed;
} gm_fw_options;

gm_run *gm_fw_new(const gm_model *model, const gm_fw_options *options);
int gm_fw_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_fw_free(gm_run *run);

/* ---- fusion moves ---------------------------------------------------------------------------
 * fm: randomised greedy matchings, fused one after the other into the best so far.
 */
typedef struct gm_fm_options {
    uint64_t seed;
    int32_t improve; /* QPBO-I gives up after so many rounds without a gain; 0 = persistency only */
    int64_t patience; /* finished after so many proposals in a row without a better value */
} gm_fm_options;

gm_run *gm_fm_new(const gm_model *model, const gm_fm_options *options);
int gm_fm_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_fm_free(gm_run *run);

/* fm-bca: the same on costs reparametrised by dual block-coordinate ascent; one iteration is one
 * sweep of the dual. */
typedef struct gm_fm_bca_options {
    uint64_t seed;
    int32_t improve;     /* as in gm_fm_options */
    double primal_share; /* work of proposals per unit of work on the dual in the first sweeps; less
                            later */
    int64_t patience;    /* finished after so many iterations in a row without progress */
} gm_fm_bca_options;

gm_run *gm_fm_bca_new(const gm_model *model, const gm_fm_bca_options *options);
int gm_fm_bca_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_fm_bca_free(gm_run *run);

/* Tabu search by itself, for tests: so many steps from labels, a matching (complete if the model
 * is), which is overwritten by the best one visited. cost gets its cost as the search has added it
 * up. */
int gm_tabu_search(const gm_model *model, uint64_t seed, int64_t steps, int32_t *labels,
                   double *cost);

/* min sum c_i z_i + sum q_t z_u[t] z_v[t] over binary z, every pair u < v at most once: labels gets
 * the weakly persistent values (-1 = undecided). With improve > 0, QPBO-I decides the others until
 * so many rounds in a row find nothing better, and value gets the value of labels, else NaN. */
int gm_qpbo(int32_t n, const double *c, int64_t n_terms, const int32_t *u, const int32_t *v,
            const double *q, uint64_t seed, int32_t improve, int32_t *labels, double *value);

/* ---- dense linear algebra ----------------------------------------------------------------------
 * BLAS and LAPACK functions in Fortran's calling convention, provided by the caller (Python takes
 * them from SciPy). A kernel that finds dgemm NULL sets `wanted` and returns from its step; if it
 * is still NULL in the next step, the kernel does without.
 */
typedef struct gm_lapack {
    int32_t wanted;
    void (*dgemm)(char *, char *, int *, int *, int *, double *, double *, int *, double *, int *,
                  double *, double *, int *);
    void (*dsyrk)(char *, char *, int *, int *, double *, double *, int *, double *, double *,
                  int *);
    void (*dsyevd)(char *, char *, int *, double *, int *, double *, double *, int *, int *, int *,
                   int *);
    void (*dpotrf)(char *, int *, double *, int *, int *);
    void (*dgeqrf)(int *, int *, double *, int *, double *, double *, int *, int *);
    void (*dorgqr)(int *, int *, int *, double *, int *, double *, double *, int *, int *);
} gm_lapack;

/* ---- aj: the exact method -------------------------------------------------------------------
 * Ascent on the sparse Adams-Johnson linear programme, star bound, fixing by reduced costs, branch
 * and bound. An iteration is one step of the ascent, one evaluation of the bound, or one opened
 * subproblem.
 */
typedef struct gm_aj_options {
    int64_t seed;
    int32_t branch;     /* 0: stop when the root bound stalls */
    int32_t fix;        /* 0: no fixing by reduced costs */
    int64_t lift_limit; /* full tables are used when they have at most this many entries */
    int64_t memory;     /* megabytes for the subproblems on the path of the search */
    int32_t certify;    /* 1: keep the duals of the root bound, see gm_aj_certificate */
    int32_t plain; /* 1, for tests: no search for matchings beyond the first one, so that the proof
                      must come upon better ones itself */
    const int32_t *init; /* n1 labels (-1 = unmatched; complete if the model is), or NULL */
    double seconds;      /* to the time limit: a long step that would exceed it is not begun */
    gm_lapack *lapack;   /* for the semidefinite phase, or NULL: there is none */
    int32_t sdp; /* 0: no semidefinite phase; 1: where the root stalls; 2, for tests: always */
    const double *cutoff; /* only matchings that cost at most this are of interest: the search may
                             end with a bound above it; NULL: all are */
    int32_t n_jobs; /* above 1: gm_aj_step returns when there are pieces for threads, see below */
} gm_aj_options;

gm_run *gm_aj_new(const gm_model *model, const gm_aj_options *options);
int gm_aj_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_aj_free(gm_run *run);

/* The number of pieces of the search that threads may do side by side, each by one thread, between
 * two calls of gm_aj_step; pieces that are not done then, gm_aj_step does itself. The result does
 * not depend on who does them, nor on their order. */
int32_t gm_aj_n_pieces(const gm_run *run);
/* Does piece 0 .. n_pieces - 1, or as much of it as the seconds allow. */
int gm_aj_piece(gm_run *run, int32_t piece, double seconds);

/* The duals of the best bound on the whole problem, before anything was fixed: a certificate, from
 * which the bound can be computed without the search. Any splits and any column duals <= 0 give a
 * valid bound. Each pair (a, b) of candidates has its cost theta split into (theta + split) / 2 for
 * the star of a and (theta - split) / 2 for that of b. The star of candidate p is a relaxed
 * assignment problem of all other nodes: its value is the sum of its column duals plus, for every
 * node j that p is paired with, the least of (p's part of the cost - dual of the label) over the
 * candidates of j. The master assignment problem, whose costs are unary costs plus values of stars,
 * is bounded in the same way by the label duals. Candidate n_candidates + i stands for node i
 * unmatched. Arrays are borrowed until gm_aj_free; n_pairs = 0: there is no certificate. */
typedef struct gm_aj_proof {
    int64_t n_pairs;
    const int32_t *a, *b;
    const double *split;
    int32_t n_stars;
    const int32_t *star, *star_label; /* candidate and label of each column dual */
    const double *star_dual;
    int32_t n_labels;
    const double *label_dual;
    /* Of the semidefinite bound, else 0: the costs are changed by Z, which is negative semidefinite
     * on the span of all matchings. Variables are candidates; -1 is the constant, -2 - l the slack
     * of label l. */
    int32_t n_variables, n_slacks;
    const int32_t *variable;
    const double *Z;
    const double *slack_dual; /* n_slacks x n_labels */
    /* Of a stage (gm_aj_stage), else 0: the candidates that it deletes, the column duals that prove
     * it, and the pairs that it deletes */
    int32_t n_gone, n_gone_duals;
    const int32_t *gone, *gone_star, *gone_label;
    const double *gone_dual;
    int64_t n_gone_pairs;
    const int32_t *pair_a, *pair_b;
} gm_aj_proof;

void gm_aj_certificate(const gm_run *run, gm_aj_proof *proof);
/* The number of stages of a proof by deletions; 0: there is no such proof. Each stage is a
 * semidefinite bound of what the stages before it have not deleted. Every matching that is deleted
 * costs at least cutoff. */
int32_t gm_aj_n_stages(const gm_run *run, double *cutoff);
void gm_aj_stage(const gm_run *run, int32_t stage, gm_aj_proof *proof);

/* What the fixing rules claim, for tests: the star bound of the whole model at random duals (seed
 * 0: all zero), tables = 1: with all links as full tables. forced[k] is a lower bound on every
 * matching with candidate k, pair[e] on every matching with both ends of edge e (-inf where the
 * relaxation has no such entry). */
int gm_aj_claims(const gm_model *model, int32_t tables, uint64_t seed, double *bound,
                 double *forced, double *pair);

/* ---- what taking each candidate costs at least --------------------------------------------------
 * The ascent of aj's root without deletions. bounds[k] is a lower bound on every matching that
 * takes candidate k, bounds[n_candidates + i] on every matching in which left node i is unmatched
 * (-inf before the first evaluation, and for nodes of complete models); +inf: there is no such
 * matching. They only rise. An iteration is one step of the ascent, one sweep or one evaluation. */
typedef struct gm_forced_options {
    const int32_t *labels; /* n1: the matching that might be changed (complete if the model is) */
    int64_t lift_limit;    /* full tables are used when they have at most this many entries */
} gm_forced_options;

gm_run *gm_forced_new(const gm_model *model, const gm_forced_options *options);
int gm_forced_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_forced_bounds(const gm_run *run, double *bounds);
void gm_forced_free(gm_run *run);

/* ---- many graphs at once ----------------------------------------------------------------------
 * d graphs of n[g] nodes and a model for every pair of them, in the order (0, 1), (0, 2), ...,
 * (1, 2), ...; pair (g, h) has n1 = n[g], n2 = n[h] and is never complete. A solution is a
 * partition of all nodes into tracks with at most one node of each graph, every two nodes of a
 * track a candidate of their pair; its cost is the sum of the costs of all pairs. run->labels holds
 * the track of every node, graph after graph, numbered by first appearance.
 *
 * An iteration is one of: some sweeps on a pair; one graph matched to the tracks of the others; the
 * exchanges of one track; one round of the cycle bound.
 */
typedef struct gm_multi_model {
    int32_t d;
    const int32_t *n;
    const gm_model *pairs;
} gm_multi_model;

enum gm_multi_bound {
    GM_BOUND_PAIRS = 0,  /* the sum of the bounds of all pairs */
    GM_BOUND_AUTO = 1,   /* and cycle inequalities while the search finds nothing better */
    GM_BOUND_CYCLES = 2, /* and cycle inequalities, most of the time */
    GM_BOUND_NONE = 3    /* no bound, no pair is solved: the search alone */
};

typedef struct gm_multi_options {
    uint64_t seed;
    const int32_t *init; /* a track for each node, or NULL */
    int32_t bound;       /* enum gm_multi_bound */
    int64_t patience; /* finished after so many perturbations in a row without a gain; 0: never */
    int64_t sweeps;   /* of the dual of each pair */
} gm_multi_options;

gm_run *gm_multi_new(const gm_multi_model *model, const gm_multi_options *options);
int gm_multi_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_multi_free(gm_run *run);

/* ---- quadratic assignment on two matrices -----------------------------------------------------
 * minimise sum_ik A_ik B_p(i)p(k) + sum_i C_i,p(i) over permutations p; all n x n, row by row, zero
 * diagonals in A and B. C may be NULL; +inf in C forbids a pair.
 */
typedef struct gm_qap {
    int32_t n;
    const double *A, *B, *C;
} gm_qap;

typedef struct gm_qap_options {
    uint64_t seed;
    const int32_t *init; /* n: a permutation without a forbidden pair */
    double bound;        /* known from elsewhere, or -inf: finished where it is met */
    double scale;        /* largest absolute cost entry, for gm_gap_closed */
    int64_t patience;    /* finished after so many rounds of 2 n swaps without success */
} gm_qap_options;

gm_run *gm_qap_new(const gm_qap *qap, const gm_qap_options *options);
int gm_qap_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_qap_free(gm_run *run);

/* The same with sparse matrices, A over nodes and B over labels. n is at least the size of both;
 * nodes and labels beyond those sizes are dummies, which cost nothing. The links of i are all k for
 * which A_ik or A_ki is not 0, each once. */
typedef struct gm_links {
    int32_t n;
    const int64_t *start; /* n + 1 */
    const int32_t *other;
    const double *out, *in; /* A_ik and A_ki */
} gm_links;

typedef struct gm_align {
    int32_t n;
    gm_links A, B;
    const double *C; /* A.n x B.n row by row, +inf = forbidden; NULL = none */
} gm_align;

typedef struct gm_align_options {
    uint64_t seed;
    const int32_t *init; /* n: a permutation without a forbidden pair */
    double bound, scale; /* as in gm_qap_options */
    int64_t patience;    /* finished after so many trials in a row without a better value */
} gm_align_options;

gm_run *gm_align_new(const gm_align *model, const gm_align_options *options);
int gm_align_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_align_free(gm_run *run);

/* ---- kernels of the classic baselines -------------------------------------------------------
 * Max-pooling: q[p] = sum over left nodes j of (max of 0 and weight * s over p's neighbours at
 * j)^2. The neighbours of p are neighbour[start[p]] .. neighbour[start[p + 1] - 1], sorted by their
 * node, node[neighbour]. */
void gm_max_pool(int32_t n, const int64_t *start, const int32_t *neighbour, const double *weight,
                 const int32_t *node, const double *s, double *q);

/* The candidates of each line, a line being a row (left node) or a column (label). */
typedef struct gm_lines {
    const int32_t *start, *across; /* the candidates of line i lie in the lines across[start[i]] ..
                                      across[start[i + 1] - 1] of the other side, ascending */
    const int32_t *order;          /* the lines by their number of candidates */
} gm_lines;

/* Fills the three arrays from the n candidates: line[k] and other[k] are the lines of candidate k.
 */
void gm_fill_lines(int32_t n_lines, int32_t n, const int32_t *line, const int32_t *other,
                   int32_t *start, int32_t *across, int32_t *order);

/* An n1 x n2 matrix in three parts:
 *   x      the candidates, sorted by (right, left);
 *   block  every pair with left >= row and right >= col: rho[left - row] * gamma[right - col];
 *   rest   every other pair: R[left] * C[right], or 0 where R is NULL. */
typedef struct gm_parts {
    int32_t n1, n2, n_candidates, row, col;
    const int32_t *left, *right; /* of the candidates */
    gm_lines rows, columns;
    double *x, *rho, *gamma, *R, *C;
} gm_parts;

/* Sinkhorn scaling: rows, then columns are divided by their sums (by 1 where a sum is 0) until a
 * sweep changes the matrix by less than tol2 (squared 2-norm) or max_sweeps are done. scratch:
 * n_candidates + 3 (n1 + n2) doubles. Returns the number of sweeps, or -1 where overflow has made
 * NaN. */
int64_t gm_sinkhorn(const gm_parts *parts, double tol2, int64_t max_sweeps, double *scratch);
/* x = exp(factor y), by the C library. */
void gm_exponentials(int32_t n, double factor, const double *y, double *x);
/* Sum of |X - Y| over two matrices with the same candidates and block; where that is limit or more,
 * any number that is. */
double gm_parts_distance(const gm_parts *X, const gm_parts *Y, double limit);

/* The affinity matrix W = -K of the candidates: W_pp = -cost[p], and W_pq = W_qp = -edge_cost[e] /
 * 2 for the edges e = start[p] .. start[p + 1] - 1 of p, q = behind[e] > p. Costs are those of a
 * model, or all of them scaled by one factor. */
typedef struct gm_affinity {
    int32_t n;
    const int64_t *start;
    const int32_t *behind;
    const double *cost, *edge_cost;
} gm_affinity;

/* start (n + 1) from the sorted first ends a of the edges. */
void gm_edge_starts(int32_t n, int64_t n_edges, const int32_t *a, int64_t *start);
/* The number of edges between candidates of one node or one label. */
int64_t gm_count_conflicts(const gm_model *model);
/* y = W x */
void gm_multiply(const gm_affinity *W, const double *x, double *y);

/* The power iteration v <- W v / |W v|. Returns the number k of iterations done, or -1 - k where W
 * v became 0 or infinite. scratch: n doubles. */
int64_t gm_power(const gm_affinity *W, double *v, double *scratch, int64_t max_iterations,
                 double seconds);
/* Sinkhorn sweeps as spectral matching does them: v over the sums of its nodes in one buffer, that
 * over the sums of its labels in the other, machine epsilon added to all sums; at the end v is the
 * mean of both buffers. scratch: n + max(n1, n2) doubles. */
void gm_bistochastic(int32_t n1, int32_t n2, int32_t n, const int32_t *left, const int32_t *right,
                     double *v, int64_t sweeps, double *scratch);

/* Reweighted random walks (Cho, Lee and Lee 2010). All arrays belong to the caller. jump.x holds
 * the reweighting jump, s and older the last two states of the walk; implicit and older_implicit
 * their value on each pair of jump's block. */
enum gm_walk { GM_WALK_ON = 0, GM_WALK_CONVERGED = 1, GM_WALK_DEAD = 2 };

typedef struct gm_rrwm {
    gm_affinity M;
    gm_parts jump;
    double c, amp_max, tol, tol_sinkhorn;
    int64_t sweeps, iteration;
    double *s, *older, *q, *mixed; /* n each */
    double *scratch;               /* as gm_sinkhorn wants it */
    double implicit, older_implicit;
} gm_rrwm;

/* Returns an enum gm_walk. */
int gm_rrwm_step(gm_rrwm *walk, int64_t max_iterations, double seconds);

/* The whole method for one small model: transforms, walk and rounding. labels gets the matching,
 * scores (n1 x n2, row by row, zeros before) the last state of the walk, ending an enum gm_ending.
 * The walk ends when *stop becomes 1. */
typedef struct gm_rrwm_options {
    double c, amp_max, tol, tol_sinkhorn;
    int64_t sweeps;
} gm_rrwm_options;

int gm_rrwm_solve(const gm_model *model, const gm_rrwm_options *options, int64_t max_iterations,
                  double seconds, const int32_t *stop, int32_t *labels, double *scores,
                  int64_t *iterations, int32_t *ending);

/* Factorized graph matching: modified Frank-Wolfe for one alpha of the path, from where the last
 * one ended. Matrices are n x n, column-major; place: the candidate at (i, s), or -1; position: i +
 * n s of each candidate; start, neighbour, weight: rows of the symmetric affinity of edges. X, the
 * start of the path, is copied; all else is borrowed. */
typedef struct gm_fgm gm_fgm;

gm_fgm *gm_fgm_new(int32_t n, const int32_t *place, const int32_t *position, const int64_t *start,
                   const int32_t *neighbour, const double *weight, const double *KP,
                   const double *A, const double *X);
void gm_fgm_free(gm_fgm *fgm);
/* Returns the number of iterations done. */
int64_t gm_fgm_climb(gm_fgm *fgm, double alpha, int64_t max_iterations, double seconds);
const double *gm_fgm_X(const gm_fgm *fgm);

/* ---- dual decomposition: dd-ls0, dd-ls3, dd-ls4 ----------------------------------------------
 * Bound and matchings from a linear assignment, spanning forests of the left and of the right
 * graph, and for local = 3 or 4 connected sets of so many nodes, all minimised exactly; see
 * ddls/ddls.h.
 */
typedef struct gm_ddls_options {
    int32_t local;     /* nodes of a local subproblem; fewer than 3 = none */
    double step;       /* first factor of the Polyak step, in (0, 2) */
    double deflection; /* gamma of the deflected directions, in [0, 2) */
    int64_t patience;  /* iterations without a rise before the factor shrinks */
    double tol;        /* finished when the factor falls below this */
    uint64_t seed;
} gm_ddls_options;

gm_run *gm_ddls_new(const gm_model *model, const gm_ddls_options *options);
int gm_ddls_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_ddls_free(gm_run *run);

/* How the costs are split among the parts of the decomposition at the present bound, so that others
 * can check it. Every copy of a cost is a row (part, a, b, cost); b = -1 for a copy of candidate a,
 * else of the pair of candidates a and b. The copies of a candidate or pair add up to its cost in
 * the model. Part 0 is the assignment; local subproblems that are not in use have no copies. Every
 * part is a row (kind, minimum): kind 0 assignment, 1 or 2 tree of the left or right side, 3 or 4
 * local subproblem of that side; minimum is its least cost. Both functions return the number of
 * rows; with NULL they only count. */
int64_t gm_ddls_copies(const gm_run *run, int32_t *part, int32_t *a, int32_t *b, double *cost);
int64_t gm_ddls_parts(gm_run *run, int32_t *kind, double *minimum);

/* ---- mp: message passing with an exact assignment part -------------------------------------- */
typedef struct gm_mp_options {
    double kept;         /* what a node keeps for the assignment, where each link gets 1 */
    int32_t tighten;     /* 1: add triplets of nodes */
    int32_t frank_wolfe; /* 1: Frank-Wolfe from every rounded matching */
} gm_mp_options;

gm_run *gm_mp_new(const gm_model *model, const gm_mp_options *options);
int gm_mp_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_mp_free(gm_run *run);

/* ---- hbp: Hungarian belief propagation in branch and bound ------------------------------------
 * For square problems in which every node is matched. Pairs with left >= block_left and right >=
 * block_right are allowed at cost 0 without being candidates. */
typedef struct gm_hbp_options {
    int32_t block_left, block_right;
    int32_t may_drop; /* 1: a forbidden pair may be decoded; its node stays unmatched */
    int32_t exact;    /* 1: valid duals, prohibitive penalties, a right gap test: an exact search */
} gm_hbp_options;

gm_run *gm_hbp_new(const gm_model *model, const gm_hbp_options *options);
int gm_hbp_step(gm_run *run, int64_t max_iterations, double seconds);
void gm_hbp_free(gm_run *run);

/* ---- many small problems ----------------------------------------------------------------------
 * Jobs first .. n - 1, one after the other, all by one kernel. The caller fills in the first part
 * of each job, and zeros in the second, which gets the answer. Returns n, or the job at which the
 * kernel asked for linear algebra (lapack->wanted): call again from there once that is filled in,
 * or gm_many_drop to give up. When *stop becomes 1, the job under way ends and no other is begun.
 */
enum gm_kernel {
    GM_KERNEL_FM = 0,
    GM_KERNEL_FM_BCA = 1,
    GM_KERNEL_FW = 2,
    GM_KERNEL_AJ = 3,
    GM_KERNEL_RRWM = 4
};

enum gm_trace_rows { GM_TRACE_ROWS = 256 };

typedef struct gm_job {
    gm_model model;
    const void *options; /* gm_<kernel>_options */
    int64_t max_iterations;
    double seconds;    /* limit, may be infinite */
    double offset;     /* of the problem */
    int32_t maximised; /* its sense */
    int32_t *labels;   /* n1: the matching */
    double *scores;    /* n1 x n2 zeros, row by row; of rrwm only, else NULL */
    double *trace;     /* GM_TRACE_ROWS rows: seconds since begun, value, bound */

    int32_t status; /* enum gm_status */
    int32_t ending; /* enum gm_ending */
    int32_t n_trace;
    int32_t n_matched;
    double cost, bound;  /* without the constant; cost: of labels, computed anew */
    gm_verdict told;     /* gm_settle of them */
    double begun, ended; /* gm_clock() */
    int64_t iteration;
    gm_run *run; /* while it is under way */
} gm_job;

int32_t gm_many(int32_t kernel, gm_job *jobs, int32_t first, int32_t n, gm_lapack *lapack,
                const int32_t *stop);
void gm_many_drop(int32_t kernel, gm_job *jobs, int32_t n);

#endif /* GM_H */
