#include "aj/dense.h"

#include "aj/policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static aj_dense *alloc(int32_t n, const aj_symmetry *symmetry)
{
    aj_dense *T = calloc(1, sizeof *T);
    if (!T)
        return NULL;
    T->n = n;
    GM_TAKE(&T->pool, n + 1, T->levels);
    GM_TAKE(&T->pool, n + 1, T->chosen);
    aj_assignment_take(&T->lap, &T->pool, n);
    GM_TAKE(&T->pool, (int64_t)n * n, T->increase);
    T->symmetry = symmetry;
    GM_TAKE(&T->pool, AJ_SYMMETRY_SIDE, T->orbit);
    GM_TAKE(&T->pool, AJ_SYMMETRY_SIDE, T->member);
    GM_TAKE(&T->pool, AJ_SYMMETRY_SIDE, T->fixed);
    GM_TAKE(&T->pool, n, T->row_orbit);
    GM_TAKE(&T->pool, n, T->column_orbit);
    GM_TAKE(&T->pool, (int64_t)n * n, T->orbit_increase);
    for (int32_t d = 0; d < n && !T->pool.failed; d++) {
        aj_dense_level *level = &T->levels[d];
        const int64_t k = n - d, cells = k * k;
        GM_TAKE(&T->pool, k, level->row_node);
        GM_TAKE(&T->pool, k, level->column_label);
        GM_TAKE(&T->pool, cells, level->candidate);
        GM_TAKE(&T->pool, cells, level->leader);
        GM_TAKE(&T->pool, cells * cells, level->pair);
        GM_TAKE(&T->pool, cells, level->z_leader);
        GM_TAKE(&T->pool, k > AJ_DENSE_MODEL ? cells * cells : 0, level->z_pair);
        GM_TAKE(&T->pool, k, level->child);
        GM_TAKE(&T->pool, k, level->child_bound);
    }
    if (T->pool.failed) {
        aj_dense_free(T);
        return NULL;
    }
    return T;
}

void aj_dense_free(aj_dense *T)
{
    if (T)
        gm_pool_free(&T->pool);
    free(T);
}

int aj_dense_fits(const aj_problem *P)
{
    int32_t used = 0;
    for (int32_t l = 0; l < P->n_labels; l++)
        used += P->label_start[l + 1] > P->label_start[l];
    return used == P->n_nodes;
}

/* Which nodes and labels of the model the root's rows and columns are. */
static void name_lines(aj_dense_level *root, const aj_problem *P, const int32_t *column,
                       const gm_index *index, const aj_symmetry *symmetry)
{
    int real = 1; /* the label of a dummy is none of the model's */
    for (int32_t p = 0; p < P->n; p++) {
        real &= P->origin[p] >= 0;
        if (real) {
            root->row_node[P->node[p]] = index->slot_node[P->origin[p]];
            root->column_label[column[P->label[p]]] = P->label[p];
        }
    }
    root->symmetric_nodes = real && symmetry && symmetry->nodes.n > 0;
    root->symmetric_labels = real && symmetry && symmetry->labels.n > 0;
}

aj_dense *aj_dense_new(const aj_problem *P, const aj_problem *changed, const double *half,
                       const gm_index *index, const aj_symmetry *symmetry)
{
    const int32_t n = P->n_nodes;
    int32_t *column = malloc(sizeof *column * ((size_t)P->n_labels + 1)), used = 0;
    aj_dense *T = column ? alloc(n, symmetry) : NULL;
    if (!T) {
        free(column);
        return NULL;
    }
    for (int32_t l = 0; l < P->n_labels; l++)
        if (P->label_start[l + 1] > P->label_start[l])
            column[l] = used++;
    aj_dense_level *root = &T->levels[0];
    const int64_t cells = (int64_t)n * n;
    root->k = n;
    root->has_z = n > AJ_DENSE_MODEL;
    const aj_problem *costs = root->has_z ? changed : P;
    for (int64_t p = 0; p < cells; p++) {
        root->candidate[p] = -1;
        root->leader[p] = INFINITY;
    }
    for (int64_t p = 0; p < cells * cells; p++)
        root->pair[p] = INFINITY;
    for (int32_t p = 0; p < P->n; p++) {
        const int64_t cell = (int64_t)P->node[p] * n + column[P->label[p]];
        root->candidate[cell] = p;
        root->leader[cell] = costs->cost[p];
        root->z_leader[cell] = changed->cost[p] - P->cost[p];
    }
    for (int64_t e = 0; e < P->m; e++) {
        const int32_t p = P->a[e], q = P->b[e];
        const int64_t a = (int64_t)P->node[p] * n + column[P->label[p]],
                      b = (int64_t)P->node[q] * n + column[P->label[q]];
        const double L = 0.5 * P->theta[e];
        root->pair[a * cells + b] = root->has_z ? half[P->half_a[e]] : L;
        root->pair[b * cells + a] = root->has_z ? half[P->half_b[e]] : L;
        if (root->has_z) {
            root->z_pair[a * cells + b] = half[P->half_a[e]] - L;
            root->z_pair[b * cells + a] = half[P->half_b[e]] - L;
        }
    }
    root->bound = costs->constant;
    root->error = costs->error;
    root->z_constant = changed->constant - P->constant;
    name_lines(root, P, column, index, symmetry);
    T->depth = 1;
    free(column);
    return T;
}

/* ---- symmetries */

/* The first line (row or column) of each one's orbit. Returns whether two lines share one. */
static int find_line_orbits(aj_dense *T, const aj_side *side, const int32_t *lines, int32_t k,
                            int32_t *line_orbit)
{
    memset(T->fixed, 1, (size_t)side->n);
    for (int32_t x = 0; x < k; x++)
        T->fixed[lines[x]] = 0;
    const int found = aj_symmetry_orbits(side, T->fixed, T->orbit);
    for (int32_t x = 0; x < side->n; x++)
        T->member[x] = -1;
    for (int32_t x = 0; x < k; x++) {
        int32_t *first = &T->member[T->orbit[lines[x]]];
        if (*first < 0)
            *first = x;
        line_orbit[x] = *first;
    }
    return found;
}

/* The orbits of rows and columns, and the increase of each cell as that of the best of its orbit:
 * cells that exchanges carry onto each other have equal best matchings. */
static void use_symmetries(aj_dense *T, aj_dense_level *level)
{
    const int32_t k = level->k;
    for (int32_t x = 0; x < k; x++)
        T->row_orbit[x] = T->column_orbit[x] = x;
    level->symmetric_nodes =
        level->symmetric_nodes &&
        find_line_orbits(T, &T->symmetry->nodes, level->row_node, k, T->row_orbit);
    level->symmetric_labels =
        level->symmetric_labels &&
        find_line_orbits(T, &T->symmetry->labels, level->column_label, k, T->column_orbit);
    if (!level->symmetric_nodes && !level->symmetric_labels)
        return;
    for (int32_t p = 0; p < k * k; p++)
        T->orbit_increase[p] = -INFINITY;
    for (int32_t p = 0; p < k * k; p++) {
        double *most = &T->orbit_increase[T->row_orbit[p / k] * k + T->column_orbit[p % k]];
        *most = fmax(*most, T->increase[p]);
    }
    for (int32_t p = 0; p < k * k; p++) {
        T->increase[p] = T->orbit_increase[T->row_orbit[p / k] * k + T->column_orbit[p % k]];
        if (T->increase[p] == INFINITY)
            level->leader[p] = INFINITY;
    }
}

/* The cell of line x (rows first, then columns) with its member y, or -1 where an earlier member
 * stands for it. */
static int32_t child_cell(const aj_dense *T, int32_t k, int32_t x, int32_t y)
{
    if (x < k)
        return T->column_orbit[y] == y ? x * k + y : -1;
    return T->row_orbit[y] == y ? y * k + x - k : -1;
}

/* Children: the cells of the node or label that promises the smallest trees. 0 = none. */
static int choose_children(aj_dense *T, aj_dense_level *level, double gap)
{
    const int32_t k = level->k;
    double least = INFINITY;
    int32_t line = -1;
    for (int32_t p = 0; p < k * k; p++) {
        T->increase[p] = INFINITY;
        if (level->leader[p] < INFINITY) {
            T->increase[p] = aj_level_look_ahead(level, &T->lap, p);
            if (T->increase[p] >= gap)
                level->leader[p] = T->increase[p] = INFINITY;
        }
    }
    use_symmetries(T, level);
    for (int32_t x = 0; x < 2 * k; x++) { /* nodes, then labels */
        double weight = 0.0;
        for (int32_t y = 0; y < k; y++) {
            const int32_t p = child_cell(T, k, x, y);
            if (p >= 0 && T->increase[p] < INFINITY)
                weight += exp(-AJ_BRANCH_RATE * T->increase[p] / gap);
        }
        if (weight < least) {
            least = weight;
            line = x;
        }
    }
    level->n_children = level->next_child = 0;
    for (int32_t y = 0; y < k; y++) { /* sorted in by insertion */
        const int32_t p = child_cell(T, k, line, y);
        if (p < 0 || T->increase[p] == INFINITY)
            continue;
        int32_t at = level->n_children++;
        for (; at > 0 && level->child_bound[at - 1] > T->increase[p]; at--) {
            level->child[at] = level->child[at - 1];
            level->child_bound[at] = level->child_bound[at - 1];
        }
        level->child[at] = p;
        level->child_bound[at] = T->increase[p];
    }
    for (int32_t c = 0; c < level->n_children; c++)
        level->child_bound[c] += level->bound - level->error;
    return level->n_children > 0;
}

/* Z is taken out of the costs: from here on they are the model's. */
static void drop_z(aj_dense_level *level)
{
    const int64_t cells = (int64_t)level->k * level->k;
    if (!level->has_z)
        return;
    double magnitude = fabs(level->z_constant);
    for (int64_t p = 0; p < cells; p++) {
        magnitude = fmax(magnitude, fabs(level->z_leader[p]));
        level->leader[p] -= level->z_leader[p];
        for (int64_t q = 0; q < cells; q++) {
            magnitude = fmax(magnitude, fabs(level->z_pair[p * cells + q]));
            level->pair[p * cells + q] -= level->z_pair[p * cells + q];
            if (level->pair[p * cells + q] < INFINITY)
                magnitude = fmax(magnitude, fabs(level->pair[p * cells + q]));
        }
    }
    level->bound -= level->z_constant;
    level->error += gm_rounding_error(AJ_DENSE_ROUNDINGS * (double)cells, magnitude);
    level->has_z = level->solved = 0;
}

/* The subproblem where cell p of `from` is chosen. */
static void fix_cell(const aj_dense_level *from, int32_t p, aj_dense_level *to)
{
    const int32_t n = from->k, k = n - 1, i = p / n, s = p % n;
    const int64_t old = (int64_t)n * n, cells = (int64_t)k * k;
    to->k = k;
    to->has_z = from->has_z;
    to->solved = from->solved;
    to->bound = from->bound + from->leader[p];
    to->symmetric_nodes = from->symmetric_nodes;
    to->symmetric_labels = from->symmetric_labels;
    for (int32_t x = 0; x < k; x++) {
        to->row_node[x] = from->row_node[x + (x >= i)];
        to->column_label[x] = from->column_label[x + (x >= s)];
    }
    to->z_constant = from->z_constant + (from->has_z ? from->z_leader[p] : 0.0);
    double magnitude = fabs(to->bound) + fabs(to->z_constant);
    for (int32_t j = 0, x = 0; j < n; j++)
        for (int32_t t = 0; t < n && j != i; t++) {
            if (t == s)
                continue;
            const int64_t q = (int64_t)j * n + t;
            to->candidate[x] = from->candidate[q];
            to->leader[x] = from->leader[q] + from->pair[p * old + q] + from->pair[q * old + p];
            if (to->leader[x] < INFINITY)
                magnitude = fmax(magnitude, fabs(to->leader[x]));
            if (from->has_z) {
                to->z_leader[x] =
                    from->z_leader[q] + from->z_pair[p * old + q] + from->z_pair[q * old + p];
                magnitude = fmax(magnitude, fabs(to->z_leader[x]));
            }
            const double *pair = from->pair + q * old, *z = from->z_pair + q * old;
            double *to_pair = to->pair + x * cells;
            double *to_z = to->z_pair + x * cells;
            const int carry = from->has_z && k > AJ_DENSE_MODEL;
            for (int32_t a = 0; a < n; a++) {
                if (a == i)
                    continue;
                for (int32_t b = 0; b < n; b++)
                    if (b != s)
                        *to_pair++ = pair[a * n + b];
                for (int32_t b = 0; b < n && carry; b++)
                    if (b != s)
                        *to_z++ = z[a * n + b];
            }
            x++;
        }
    to->error = from->error + gm_rounding_error(AJ_DENSE_ROUNDINGS * (double)n, magnitude);
}

/* Ascent, deletions and children of the top level. 1 = it has children. */
static int open_level(aj_dense *T, aj_dense_level *level, double cutoff)
{
    for (int round = 0; round < AJ_DENSE_SWEEPS && level->k > 1; round++) {
        const double before = level->bound;
        const int first = !level->solved;
        if (!aj_level_sweep(level, &T->lap, cutoff) || level->bound - level->error >= cutoff)
            return 0;
        const double gap = cutoff - level->bound + level->error;
        aj_level_delete(level, gap);
        /* the gains shrink: when this one over all rounds is too little, branching is cheaper */
        if (!first && (level->bound - before) * AJ_DENSE_HOPE < gap)
            break;
    }
    return choose_children(T, level, cutoff - level->bound + level->error);
}

enum aj_dense_event aj_dense_advance(aj_dense *T, double cutoff)
{
    if (!T->opened) {
        T->opened = 1;
        T->n_nodes++;
        T->work += AJ_DENSE_WORK * pow(T->n, 4.0);
        if (!open_level(T, &T->levels[0], cutoff))
            T->depth = 0;
        return AJ_DENSE_GOES_ON;
    }
    while (T->depth > 0) {
        aj_dense_level *level = &T->levels[T->depth - 1];
        if (level->next_child >= level->n_children ||
            level->child_bound[level->next_child] >= cutoff) {
            T->depth--;
            continue;
        }
        const int32_t p = level->child[level->next_child++];
        T->n_nodes++;
        T->work += AJ_DENSE_WORK * pow(level->k, 4.0);
        T->chosen[T->n - level->k] = level->candidate[p];
        if (level->k == 1)
            return AJ_DENSE_MATCHING;
        if (level->k - 1 <= AJ_DENSE_MODEL)
            drop_z(level);
        aj_dense_level *child = &T->levels[T->depth];
        fix_cell(level, p, child);
        T->depth++;
        if (!open_level(T, child, cutoff))
            T->depth--;
        return AJ_DENSE_GOES_ON;
    }
    return AJ_DENSE_ENDED;
}

double aj_dense_bound(const aj_dense *T)
{
    double least = T->opened ? INFINITY : -INFINITY;
    for (int32_t d = 0; d < T->depth; d++) {
        const aj_dense_level *level = &T->levels[d];
        if (level->next_child < level->n_children)
            least = fmin(least, level->child_bound[level->next_child]);
    }
    return least;
}

double aj_dense_progress(const aj_dense *T, double cutoff)
{
    double done = 0.0, part = 1.0;
    for (int32_t d = 0; d < T->depth; d++) {
        const aj_dense_level *level = &T->levels[d];
        const int32_t present = level->next_child - (d + 1 < T->depth);
        const double base = level->bound - level->error, gap = cutoff - base;
        double before = 0.0, all = 0.0, here = 0.0;
        for (int32_t c = 0; c < level->n_children; c++) {
            const double weight = exp(-AJ_BRANCH_RATE * (level->child_bound[c] - base) / gap);
            all += weight;
            before += c < present ? weight : 0.0;
            here = c == present ? weight : here;
        }
        if (!(all > 0.0))
            break;
        done += part * before / all;
        part *= here / all;
    }
    return T->depth > 0 ? done : 1.0;
}
