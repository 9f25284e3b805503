/* ADMM on the semidefinite relaxation (Oliveira, Wolkowicz and Xu 2018), facially reduced:
 *
 *     min <L, Y>  with  Y = X,  X = V R V' for a positive semidefinite R,  Y in the polyhedron P:
 *     0 <= Y <= 1, Y_00 = 1, diagonal = first row, 0 if no matching has both variables.
 *
 * X is projected onto the first set, Y onto P; Z are the multipliers of Y = X, b the penalty. */
#include "aj/sdp/relaxation.h"

#include "base/lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* L, and which pairs of variables a matching may contain. */
static void fill_costs(aj_sdp *S)
{
    const aj_problem *P = S->problem;
    const int64_t N = S->N;
    memset(S->L, 0, sizeof *S->L * (size_t)(N * N));
    memset(S->allowed, 0, (size_t)(N * N));
    for (int32_t p = 0; p < P->n; p++)
        S->L[(1 + p) * (N + 1)] = P->cost[p];
    for (int64_t v = 0; v < N; v++)
        S->allowed[v * N] = S->allowed[v] = S->allowed[v * (N + 1)] = 1;
    for (int64_t e = 0; e < P->m; e++) {
        const int64_t p = 1 + P->a[e], q = 1 + P->b[e];
        S->L[p * N + q] = S->L[q * N + p] = 0.5 * P->theta[e];
        S->allowed[p * N + q] = S->allowed[q * N + p] = 1;
    }
    for (int64_t f = 1 + P->n; f < N; f++) {
        const int32_t label = S->span->slack_label[f - 1 - P->n];
        for (int64_t v = 1; v < N; v++)
            S->allowed[f * N + v] = S->allowed[v * N + f] =
                (uint8_t)(v > P->n || P->label[v - 1] != label);
    }
}

/* Everything but Y, Z, scale and penalty. */
static aj_sdp *alloc(aj_problem *P, const gm_lapack *lapack)
{
    aj_sdp *S = calloc(1, sizeof *S);
    aj_span *span = aj_span_new(P);
    if (!S || !span) {
        aj_span_free(span);
        aj_problem_free(P);
        free(S);
        return NULL;
    }
    S->lapack = lapack;
    S->problem = P;
    S->span = span;
    S->N = span->n_variables;
    S->dim = span->dimension;
    const int64_t N = S->N, dim = S->dim;
    /* dsyevd asks for the terms in dim (ssyevd for as many of half the size, which leaves room for
     * its matrix), dgeqrf takes 64 N */
    S->n_scratch = (int)(1 + 6 * dim + 2 * dim * dim + 64 * N);
    S->n_scratch_of_ints = (int)(3 + 5 * dim);
    GM_TAKE(&S->pool, N * N, S->L);
    GM_TAKE(&S->pool, N * N, S->Y);
    GM_TAKE(&S->pool, N * N, S->Z);
    GM_TAKE(&S->pool, N * N, S->X);
    GM_TAKE(&S->pool, N * N, S->Zt);
    GM_TAKE(&S->pool, N * N, S->M);
    GM_TAKE(&S->pool, N * N, S->allowed);
    GM_TAKE(&S->pool, dim * dim, S->small);
    GM_TAKE(&S->pool, dim * dim, S->vectors);
    GM_TAKE(&S->pool, dim, S->eigenvalue);
    GM_TAKE(&S->pool, S->n_scratch, S->scratch);
    GM_TAKE(&S->pool, S->n_scratch_of_ints, S->scratch_of_ints);
    GM_TAKE(&S->pool, P->n, S->cost);
    GM_TAKE(&S->pool, P->n, S->star_cost);
    GM_TAKE(&S->pool, 2 * P->m, S->look_ahead);
    GM_TAKE(&S->pool, P->m, S->theta);
    GM_TAKE(&S->pool, 2 * P->m, S->half);
    GM_TAKE(&S->pool, (int64_t)span->n_slacks * P->n_labels, S->slack_dual);
    if (!S->pool.failed)
        fill_costs(S);
    gm_watch_spend(P->watch, GM_WORK_PER_LOOK);
    const int is_filled = !S->pool.failed && aj_basis_init(&S->basis, &S->pool, span, P, lapack,
                                                           S->L, S->allowed, S->scratch);
    gm_watch_after_call(P->watch);
    if (!is_filled) {
        aj_sdp_free(S);
        return NULL;
    }
    return S;
}

static void scale_costs(aj_sdp *S, double scale)
{
    const int64_t N = S->N;
    S->scale = scale;
    for (int64_t k = 0; k < N * N; k++)
        S->L[k] *= scale;
}

/* Y at the start: products of marginals, with equal probabilities for all candidates of a node. */
static void start_from_marginals(aj_sdp *S)
{
    const aj_problem *P = S->problem;
    const int64_t N = S->N;
    double *y = S->Y; /* its first row has the marginals, and is the last to be overwritten */
    y[0] = 1.0;
    for (int32_t p = 0; p < P->n; p++)
        y[1 + p] = 1.0 / (P->node_start[P->node[p] + 1] - P->node_start[P->node[p]]);
    for (int32_t f = 1 + P->n; f < N; f++) {
        const int32_t l = S->span->slack_label[f - 1 - P->n];
        y[f] = 1.0;
        for (int32_t k = P->label_start[l]; k < P->label_start[l + 1]; k++)
            y[f] = fmax(0.0, y[f] - y[1 + P->by_label[k]]);
    }
    for (int64_t v = N - 1; v >= 0; v--)
        for (int64_t w = 0; w < N; w++)
            S->Y[v * N + w] = S->allowed[v * N + w] ? y[v] * (v == w ? 1.0 : y[w]) : 0.0;
}

aj_sdp *aj_sdp_new(aj_problem *P, const gm_lapack *lapack)
{
    aj_sdp *S = alloc(P, lapack);
    if (!S)
        return NULL;
    const double largest = aj_sdp_largest(S->L, (int64_t)S->N * S->N);
    S->penalty = S->span->n_slacks > 0 ? AJ_SDP_PENALTY_PARTIAL : AJ_SDP_PENALTY_COMPLETE;
    scale_costs(S, largest > 0.0 ? 1.0 / largest : 1.0);
    start_from_marginals(S);
    return S;
}

aj_sdp *aj_sdp_remake(aj_problem *P, const gm_lapack *lapack, const gm_aj_root *root)
{
    aj_sdp *S = alloc(P, lapack);
    if (!S)
        return NULL;
    const size_t size = sizeof *S->Z * (size_t)S->N * (size_t)S->N;
    scale_costs(S, root->scale);
    S->penalty = root->penalty;
    S->steps = root->steps;
    memcpy(S->Y, root->Y, size);
    memcpy(S->Z, root->Z, size);
    memcpy(S->Zt, root->Zt, size);
    return S;
}

void aj_sdp_free(aj_sdp *S)
{
    if (S) {
        aj_span_free(S->span);
        aj_problem_free(S->problem);
        gm_pool_free(&S->pool);
    }
    free(S);
}

/* ---- a step */

/* X = V M_+ V' with M = V'XV. Returns 0 if LAPACK failed. */
static int project_double(aj_sdp *S)
{
    gm_watch *watch = S->problem->watch;
    int goes_on = aj_basis_reduce(&S->basis, watch, 0, S->X, S->small);
    for (int32_t k = 0; k < S->basis.n_blocks && goes_on; k++) {
        const aj_block *block = &S->basis.block[k];
        int order = block->n_basis, info = 0;
        char vectors = 'V', lower = 'L';
        if (order == 0)
            continue;
        memcpy(S->vectors, S->small + block->start,
               sizeof *S->small * (size_t)((int64_t)order * order));
        S->lapack->dsyevd(&vectors, &lower, &order, S->vectors, &order, S->eigenvalue, S->scratch,
                          &S->n_scratch, S->scratch_of_ints, &S->n_scratch_of_ints, &info);
        goes_on =
            !gm_watch_after_call(watch) && info == 0 &&
            aj_basis_positive_part(&S->basis, watch, block, S->small, S->eigenvalue, S->vectors);
    }
    return goes_on && aj_basis_expand(&S->basis, watch, 0, S->small, S->X);
}

/* The same by single precision, in half the time. */
static int project_single(aj_sdp *S)
{
    gm_watch *watch = S->problem->watch;
    float *matrix = (float *)S->scratch;
    int goes_on = aj_basis_reduce(&S->basis, watch, 1, S->X, S->small);
    for (int32_t k = 0; k < S->basis.n_blocks && goes_on; k++) {
        const aj_block *block = &S->basis.block[k];
        const int64_t dim = block->n_basis;
        int order = block->n_basis, info = 0, n_scratch = (int)(1 + 6 * dim + 2 * dim * dim);
        char vectors = 'V', lower = 'L';
        float *values = matrix + dim * dim, *scratch = values + dim;
        if (order == 0)
            continue;
        for (int64_t c = 0; c < dim * dim; c++)
            matrix[c] = (float)S->small[block->start + c];
        S->lapack->ssyevd(&vectors, &lower, &order, matrix, &order, values, scratch, &n_scratch,
                          S->scratch_of_ints, &S->n_scratch_of_ints, &info);
        goes_on = !gm_watch_after_call(watch) && info == 0 &&
                  aj_basis_positive_part_single(&S->basis, watch, block, S->small, values, matrix);
    }
    return goes_on && aj_basis_expand(&S->basis, watch, 1, S->small, S->X);
}

/* Of a matrix that a step in single precision begins with. */
static const double LARGEST_SINGLE = 1e15;

/* X = V M_+ V' with M = V'(Y + Z/b)V. Returns 0 if LAPACK failed. */
static int project(aj_sdp *S, int precise)
{
    const int64_t n_cells = (int64_t)S->N * S->N;
    for (int64_t k = 0; k < n_cells; k++)
        S->X[k] = S->Y[k] + S->Z[k] / S->penalty;
    const int is_single =
        !precise && S->dim >= AJ_SDP_SINGLE && aj_sdp_largest(S->X, n_cells) < LARGEST_SINGLE;
    return is_single ? project_single(S) : project_double(S);
}

/* The squares of |dY| and |Y - X|. */
typedef struct squares {
    double change, residual;
} squares;

/* Y_k = next, and the step of its multiplier. */
static void set_cell(aj_sdp *S, int64_t k, double next, squares *sums)
{
    const double old = S->Y[k], x = S->X[k];
    sums->change += (next - old) * (next - old);
    sums->residual += (next - x) * (next - x);
    S->Y[k] = next;
    S->Z[k] += AJ_SDP_RELAXATION * S->penalty * (next - x);
}

/* The projection of variable d, which Y has three times: on the diagonal, and twice with the
 * constant. */
static double projected_variable(const aj_sdp *S, int64_t d)
{
    const int64_t diagonal = d * S->N + d;
    const double b = S->penalty;
    if (d == 0)
        return 1.0;
    return aj_clip((S->X[diagonal] - (S->L[diagonal] + S->Z[diagonal]) / b +
                    2.0 * (S->X[d] - (S->L[d] + S->Z[d]) / b)) /
                   3.0);
}

/* The cells from k to k + n of other pairs: Y = X - (L + Z)/b, but at most 1, and 0 if no matching
 * has both. */
static void move_pairs_plainly(aj_sdp *S, int64_t k, int64_t n, squares *sums)
{
    for (int64_t end = k + n; k < end; k++)
        set_cell(S, k, S->allowed[k] ? aj_clip(S->X[k] - (S->L[k] + S->Z[k]) / S->penalty) : 0.0,
                 sums);
}

/* The same by four cells at a time. */
GM_WIDE static void move_pairs(aj_sdp *S, int64_t k, int64_t n, squares *sums)
{
    const gm_lanes b = GM_LANES_ALL(S->penalty), step = AJ_SDP_RELAXATION * b;
    const gm_lanes zero = GM_LANES_ALL(0.0), one = GM_LANES_ALL(1.0);
    gm_lanes change = zero, residual = zero;
    const int64_t end = k + n;
    for (; k + GM_LANES <= end; k += GM_LANES) {
        const gm_lanes x = GM_LANES_AT(S->X + k), z = GM_LANES_AT(S->Z + k);
        const gm_lanes free = x - (GM_LANES_AT(S->L + k) + z) / b;
        const gm_lanes positive = GM_LANES_CHOOSE(free < zero, zero, free);
        const gm_lanes clipped = GM_LANES_CHOOSE(positive > one, one, positive);
        const gm_lanes next =
            GM_LANES_CHOOSE(GM_LANES_OF_BYTES(S->allowed + k) != 0, clipped, zero);
        const gm_lanes d = next - GM_LANES_AT(S->Y + k), r = next - x;
        change += d * d;
        residual += r * r;
        GM_LANES_PUT(S->Y + k, next);
        GM_LANES_PUT(S->Z + k, z + step * r);
    }
    sums->change += (change[0] + change[1]) + (change[2] + change[3]);
    sums->residual += (residual[0] + residual[1]) + (residual[2] + residual[3]);
    move_pairs_plainly(S, k, end - k, sums);
}

/* Y = the projection of X - (L + Z)/b onto P, and the multipliers, also of the entries that are
 * always 0. */
static void move(aj_sdp *S)
{
    const int64_t N = S->N;
    double *variable = S->scratch;
    squares sums = {0.0, 0.0};
    for (int64_t v = 0; v < N; v++) {
        variable[v] = projected_variable(S, v);
        set_cell(S, v, variable[v], &sums);
    }
    for (int64_t v = 1; v < N; v++) {
        const int64_t row = v * N, ends[] = {1, v, v + 1, N};
        set_cell(S, row, variable[v], &sums);
        set_cell(S, row + v, variable[v], &sums);
        for (int part = 0; part < 4; part += 2) {
            const int64_t from = ends[part];
            move_pairs(S, row + from, ends[part + 1] - from, &sums);
        }
    }
    S->change = sqrt(sums.change);
    S->residual = sqrt(sums.residual);
}

enum { FREEZE = 150 }; /* steps; then b stays as it is on problems with slacks */

/* The penalty follows the residual that is the larger one. */
static void balance_penalty(aj_sdp *S)
{
    const int frozen = S->span->n_slacks > 0 && S->steps > FREEZE;
    if (S->steps < AJ_SDP_BALANCE_FROM || S->steps % AJ_SDP_BALANCE_EVERY != 0 || frozen)
        return;
    const double b = S->penalty;
    if (S->residual > AJ_SDP_IMBALANCE * b * S->change)
        S->penalty *= AJ_SDP_BALANCE;
    else if (b * S->change > AJ_SDP_IMBALANCE * S->residual)
        S->penalty /= AJ_SDP_BALANCE;
}

double aj_sdp_step_work(const aj_sdp *S)
{
    double n_cells = 0.0;
    for (int32_t k = 0; k < S->basis.n_blocks; k++)
        n_cells += pow(S->basis.block[k].n_all, 2.0);
    return AJ_SDP_STEP_WORK * S->N * n_cells;
}

int aj_sdp_step(aj_sdp *S, int precise)
{
    const int64_t N = S->N;
    if (!project(S, precise) || gm_watch_spend(S->problem->watch, GM_WORK_PER_LOOK))
        return 0;
    if (precise)
        for (int64_t k = 0; k < N * N; k++)
            S->Zt[k] = S->Z[k] + S->penalty * (S->Y[k] - S->X[k]);
    move(S);
    S->steps++;
    balance_penalty(S);
    return 1;
}

/* ---- restriction to a smaller problem */

/* An old variable in terms of the new ones: y_plus - y_minus; -1 = no such term. */
typedef struct image {
    int32_t plus, minus;
} image;

/* The image of every old variable: y_0 = 1 if it is chosen, nothing if it is deleted. */
static void find_images(const aj_sdp *from, const aj_sdp *to, const int32_t *candidate_map,
                        const uint8_t *alive, image *images)
{
    const aj_problem *P = from->problem, *Q = to->problem;
    for (int32_t v = 0; v < from->N; v++)
        images[v] = (image){-1, -1};
    images[0].plus = 0;
    for (int32_t p = 0; p < P->n; p++)
        if (alive[p])
            images[1 + p].plus = 0; /* chosen, unless it is still open, which comes next */
    for (int32_t p = 0; p < Q->n; p++)
        images[1 + candidate_map[p]].plus = 1 + p;
    for (int32_t k = 0; k < from->span->n_slacks; k++) {
        const int32_t l = from->span->slack_label[k], f = 1 + P->n + k;
        const int32_t n = Q->label_start[l + 1] - Q->label_start[l];
        int taken = 0;
        for (int32_t j = P->label_start[l]; j < P->label_start[l + 1]; j++)
            taken |= images[1 + P->by_label[j]].plus == 0;
        if (to->span->slack_of[l] > 0)
            images[f].plus = to->span->slack_of[l];
        else if (!taken && n == 0)
            images[f].plus = 0; /* no node can take it */
        else if (!taken && n == 1)
            images[f] = (image){0, 1 + Q->by_label[Q->label_start[l]]};
        /* else it is taken for sure: 0 */
    }
}

/* Adds z y_row y_column, in terms of the new variables, to the matrix `to` (N x N). */
static void add_image(double *to, int64_t N, image row, image column, double z)
{
    if (row.plus >= 0 && column.plus >= 0)
        to[row.plus * N + column.plus] += z;
    if (row.plus >= 0 && column.minus >= 0)
        to[row.plus * N + column.minus] -= z;
    if (row.minus >= 0 && column.plus >= 0)
        to[row.minus * N + column.plus] -= z;
    if (row.minus >= 0 && column.minus >= 0)
        to[row.minus * N + column.minus] += z;
}

/* Z and Zt: E'ZE with old = E new is as negative semidefinite as Z. */
static void restrict_multipliers(const aj_sdp *from, const image *images, aj_sdp *to)
{
    const int64_t n_old = from->N;
    for (int64_t v = 0; v < n_old; v++)
        for (int64_t w = 0; w < n_old; w++) {
            add_image(to->Z, to->N, images[v], images[w], from->Z[v * n_old + w]);
            add_image(to->Zt, to->N, images[v], images[w], from->Zt[v * n_old + w]);
        }
}

/* Y: the cells of variables that are still there. */
static void restrict_iterate(const aj_sdp *from, const image *images, aj_sdp *to)
{
    const int64_t N = to->N, n_old = from->N;
    for (int64_t v = 0; v < n_old; v++)
        for (int64_t w = 0; w < n_old; w++) {
            const int32_t i = images[v].plus, j = images[w].plus;
            if (images[v].minus >= 0 || images[w].minus >= 0 || i < 0 || j < 0)
                continue;
            if ((i > 0 || v == 0) && (j > 0 || w == 0) && to->allowed[i * N + j])
                to->Y[i * N + j] = from->Y[v * n_old + w];
        }
}

/* Of a chosen candidate: its row gives its child's marginals. */
static const double LEAST_VALUE = 1e-3;

/* Marginals given that a candidate is chosen: its row of Y, divided by its own value. */
static void condition(const aj_sdp *from, const image *images, int32_t chosen, aj_sdp *to)
{
    const int64_t N = to->N, n_old = from->N;
    const double *row = from->Y + (int64_t)(1 + chosen) * n_old;
    if (!(row[1 + chosen] > LEAST_VALUE))
        return;
    for (int64_t w = 0; w < n_old; w++) {
        const int64_t j = images[w].plus;
        if (j > 0 && images[w].minus < 0)
            to->Y[j] = to->Y[j * N] = to->Y[j * (N + 1)] = aj_clip(row[w] / row[1 + chosen]);
    }
}

aj_sdp *aj_sdp_restrict(const aj_sdp *from, aj_problem *problem, const int32_t *candidate_map,
                        const uint8_t *alive, int32_t chosen)
{
    aj_sdp *S = alloc(problem, from->lapack);
    image *images = malloc(sizeof *images * (size_t)from->N);
    if (!S || !images) {
        aj_sdp_free(S);
        free(images);
        return NULL;
    }
    S->penalty = from->penalty;
    S->steps = from->steps;
    scale_costs(S, from->scale);
    find_images(from, S, candidate_map, alive, images);
    restrict_multipliers(from, images, S);
    restrict_iterate(from, images, S);
    if (chosen >= 0)
        condition(from, images, chosen, S);
    free(images);
    aj_basis_average(&S->basis, S->Y); /* the smaller problem may have exchanges of its own */
    aj_basis_average(&S->basis, S->Z);
    aj_basis_average(&S->basis, S->Zt);
    return S;
}
