#include "aj/tree/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Memory for a search of n nodes: level d has n - d of them. */
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
    return aj_problem_n_used_labels(P) == P->n_nodes;
}

/* Which nodes of the model the root's rows are, and whether symmetries of either side are of use:
 * they speak of the model's labels, and that of a dummy is none. */
static void find_sides(aj_dense_level *root, const aj_problem *P, const gm_index *index,
                       const aj_symmetry *symmetry)
{
    int real = 1;
    for (int32_t p = 0; p < P->n; p++) {
        real &= P->origin[p] >= 0;
        root->row_node[P->node[p]] = aj_model_node(index, P, p);
    }
    root->symmetric_nodes = real && symmetry && symmetry->nodes.n > 0;
    root->symmetric_labels = real && symmetry && symmetry->labels.n > 0;
}

/* The cell of each candidate at the root: its node is the row; labels that are used are columns. */
static int32_t *cells_of(const aj_problem *P, aj_dense_level *root)
{
    const int32_t n = P->n_nodes;
    int32_t *cell = malloc(sizeof *cell * ((size_t)P->n + 1));
    int32_t column = 0;
    for (int32_t l = 0; l < P->n_labels && cell; l++) {
        if (P->label_start[l + 1] == P->label_start[l])
            continue;
        for (int32_t k = P->label_start[l]; k < P->label_start[l + 1]; k++)
            cell[P->by_label[k]] = P->node[P->by_label[k]] * n + column;
        root->column_label[column++] = l;
    }
    return cell;
}

/* The costs of the root: M, and Z next to it, or L if the problem is small. */
static void fill_root(aj_dense_level *root, const aj_problem *P, const aj_problem *changed,
                      const double *half, const int32_t *cell)
{
    const int64_t cells = (int64_t)root->k * root->k;
    const aj_problem *costs = root->has_z ? changed : P;
    for (int64_t c = 0; c < cells; c++) {
        root->candidate[c] = -1;
        root->leader[c] = INFINITY;
    }
    for (int64_t c = 0; c < cells * cells; c++)
        root->pair[c] = INFINITY;
    for (int32_t p = 0; p < P->n; p++) {
        root->candidate[cell[p]] = p;
        root->leader[cell[p]] = costs->cost[p];
        root->z_leader[cell[p]] = changed->cost[p] - P->cost[p];
    }
    for (int64_t e = 0; e < P->m; e++) {
        const int64_t a = cell[P->a[e]], b = cell[P->b[e]];
        const double L = 0.5 * P->theta[e];
        const double half_a = half[P->half_a[e]], half_b = half[P->half_b[e]];
        root->pair[a * cells + b] = root->has_z ? half_a : L;
        root->pair[b * cells + a] = root->has_z ? half_b : L;
        if (root->has_z) {
            root->z_pair[a * cells + b] = half_a - L;
            root->z_pair[b * cells + a] = half_b - L;
        }
    }
    root->bound = costs->constant;
    root->error = costs->error;
    root->z_constant = changed->constant - P->constant;
}

aj_dense *aj_dense_new(const aj_problem *P, const aj_problem *changed, const double *half,
                       const gm_index *index, const aj_symmetry *symmetry)
{
    aj_dense *T = alloc(P->n_nodes, symmetry);
    if (!T)
        return NULL;
    T->lap.watch = P->watch;
    aj_dense_level *root = &T->levels[0];
    int32_t *cell = cells_of(P, root);
    if (!cell) {
        aj_dense_free(T);
        return NULL;
    }
    root->k = P->n_nodes;
    root->has_z = root->k > AJ_DENSE_MODEL;
    fill_root(root, P, changed, half, cell);
    find_sides(root, P, index, symmetry);
    T->depth = 1;
    free(cell);
    return T;
}

/* ---- symmetries */

/* The first line (row or column) of each one's orbit. Returns whether some orbit has two lines. */
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

/* The cell of line x (rows first, then columns) with its member y, or -1 if an earlier member
 * stands for it. */
static int32_t child_cell(const aj_dense *T, int32_t k, int32_t x, int32_t y)
{
    if (x < k)
        return T->column_orbit[y] == y ? x * k + y : -1;
    return T->row_orbit[y] == y ? y * k + x - k : -1;
}

/* The increase of every cell by looking ahead; those that reach the gap are deleted. */
static void look_ahead(aj_dense *T, aj_dense_level *level, double gap)
{
    for (int32_t p = 0; p < level->k * level->k; p++) {
        T->increase[p] = INFINITY;
        if (level->leader[p] < INFINITY) {
            if (gm_watch_spend(T->lap.watch, (int64_t)level->k * level->k * level->k))
                continue;
            T->increase[p] = aj_level_look_ahead(level, &T->lap, p);
            if (T->increase[p] >= gap)
                level->leader[p] = T->increase[p] = INFINITY;
        }
    }
}

/* Estimated size of a subtree whose bound is higher by `increase`. */
static double subtree_size(double increase, double gap)
{
    return exp(-AJ_BRANCH_RATE * increase / gap);
}

/* The line (rows first, then columns) whose cells promise the smallest trees; there always is one,
 * even if estimates overflow. */
static int32_t best_line(const aj_dense *T, int32_t k, double gap)
{
    double least = INFINITY;
    int32_t best = -1;
    for (int32_t x = 0; x < 2 * k; x++) {
        double size = 0.0;
        for (int32_t y = 0; y < k; y++) {
            const int32_t p = child_cell(T, k, x, y);
            if (p >= 0 && T->increase[p] < INFINITY)
                size += subtree_size(T->increase[p], gap);
        }
        if (best < 0 || size < least) {
            least = size;
            best = x;
        }
    }
    return best;
}

/* Inserts a child into the list, which is sorted by the increase. */
static void insert_child(aj_dense_level *level, int32_t p, double increase)
{
    int32_t at = level->n_children++;
    for (; at > 0 && level->child_bound[at - 1] > increase; at--) {
        level->child[at] = level->child[at - 1];
        level->child_bound[at] = level->child_bound[at - 1];
    }
    level->child[at] = p;
    level->child_bound[at] = increase;
}

/* Children: the cells of the best node or label, one of each orbit. 0 = none. */
static int choose_children(aj_dense *T, aj_dense_level *level, double gap)
{
    const int32_t k = level->k;
    look_ahead(T, level, gap);
    use_symmetries(T, level);
    const int32_t line = best_line(T, k, gap);
    level->n_children = level->next_child = 0;
    for (int32_t y = 0; y < k; y++) {
        const int32_t p = child_cell(T, k, line, y);
        if (p >= 0 && T->increase[p] < INFINITY)
            insert_child(level, p, T->increase[p]);
    }
    for (int32_t c = 0; c < level->n_children; c++)
        level->child_bound[c] += level->bound - level->error;
    return level->n_children > 0;
}

/* ---- the search */

/* Subtracts Z from the costs: from here on they are the model's. */
static void subtract_z(aj_dense_level *level)
{
    const int64_t cells = (int64_t)level->k * level->k;
    if (!level->has_z)
        return;
    double magnitude = fabs(level->z_constant); /* the largest number met */
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

/* Copies a matrix (n x n cells) without row i and column s. */
static void copy_without(const double *from, int32_t n, int32_t i, int32_t s, double *to)
{
    for (int32_t a = 0; a < n; a++)
        for (int32_t b = 0; b < n && a != i; b++)
            if (b != s)
                *to++ = from[a * n + b];
}

/* The costs of the subproblem in which cell p of `from` is chosen: pairs with p become leaders.
 * Returns the largest number met. */
static double fix_costs(const aj_dense_level *from, int32_t p, aj_dense_level *to)
{
    const int32_t n = from->k, k = n - 1, i = p / n, s = p % n;
    const int64_t old = (int64_t)n * n, cells = (int64_t)k * k;
    const int carries_z = from->has_z && k > AJ_DENSE_MODEL;
    double magnitude = fabs(to->bound) + fabs(to->z_constant);
    int64_t x = 0; /* the new cell */
    for (int32_t q = 0; q < n * n; q++) {
        if (q / n == i || q % n == s)
            continue;
        to->candidate[x] = from->candidate[q];
        to->leader[x] = from->leader[q] + from->pair[p * old + q] + from->pair[q * old + p];
        if (to->leader[x] < INFINITY)
            magnitude = fmax(magnitude, fabs(to->leader[x]));
        if (from->has_z) {
            to->z_leader[x] =
                from->z_leader[q] + from->z_pair[p * old + q] + from->z_pair[q * old + p];
            magnitude = fmax(magnitude, fabs(to->z_leader[x]));
        }
        copy_without(from->pair + q * old, n, i, s, to->pair + x * cells);
        if (carries_z)
            copy_without(from->z_pair + q * old, n, i, s, to->z_pair + x * cells);
        x++;
    }
    return magnitude;
}

/* The subproblem in which cell p of `from` is chosen. */
static void fix_cell(const aj_dense_level *from, int32_t p, aj_dense_level *to)
{
    const int32_t n = from->k, k = n - 1, i = p / n, s = p % n;
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
    const double magnitude = fix_costs(from, p, to);
    to->error = from->error + gm_rounding_error(AJ_DENSE_ROUNDINGS * (double)n, magnitude);
}

/* Ascent, deletions and children of a new level. 1 = it has children. */
static int open_level(aj_dense *T, aj_dense_level *level, double cutoff)
{
    for (int sweep = 0; sweep < AJ_DENSE_SWEEPS && level->k > 1; sweep++) {
        const double before = level->bound;
        const int first = !level->solved;
        if (!aj_level_sweep(level, &T->lap, cutoff) || level->bound - level->error >= cutoff)
            return 0;
        const double gap = cutoff - level->bound + level->error;
        aj_level_delete(level, gap);
        /* gains become smaller: when even this one, repeated, would not do, branching is cheaper */
        if (!first && (level->bound - before) * AJ_DENSE_HOPE < gap)
            break;
    }
    return choose_children(T, level, cutoff - level->bound + level->error);
}

enum aj_dense_event aj_dense_advance(aj_dense *T, double cutoff)
{
    if (!T->opened) {
        T->opened = 1;
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
        T->work += AJ_DENSE_WORK * pow(level->k, 4.0);
        T->chosen[T->n - level->k] = level->candidate[p];
        if (level->k == 1)
            return AJ_DENSE_MATCHING;
        if (level->k - 1 <= AJ_DENSE_MODEL)
            subtract_z(level);
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
    double done = 0.0, part = 1.0; /* of the whole tree: the part of the present level */
    for (int32_t d = 0; d < T->depth; d++) {
        const aj_dense_level *level = &T->levels[d];
        const int32_t present = level->next_child - (d + 1 < T->depth); /* child that is open */
        const double base = level->bound - level->error, gap = cutoff - base;
        double before = 0.0, all = 0.0, here = 0.0;
        for (int32_t c = 0; c < level->n_children; c++) {
            const double size = subtree_size(level->child_bound[c] - base, gap);
            all += size;
            before += c < present ? size : 0.0;
            here = c == present ? size : here;
        }
        if (!(all > 0.0))
            break;
        done += part * before / all;
        part *= here / all;
    }
    return T->depth > 0 ? done : 1.0;
}
