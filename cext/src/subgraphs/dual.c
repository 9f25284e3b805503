/* Steps along subgradients; see dual.h. */
#include "subgraphs/dual.h"
#include "assignment/jv.h"
#include "base/lanes.h"
#include "subgraphs/small_search.h"
#include "subgraphs/word.h"

#include <string.h>

enum {
    UNIT = 1 << 14,    /* one node */
    MARGIN = UNIT / 4, /* steps aim at this much below the bound that is needed */
    LARGEST = 1 << 26, /* of a multiplier */
    BLOCK = 2,         /* steps between two looks at their gain */
    AHEAD = 8          /* go on if this many blocks of the same gain would suffice */
};

/* ---- graphs */

static void read_near(dual_side *side, const small_side *graph)
{
    for (int32_t x = 0; x < SMALL_NODES; x++)
        for (uint64_t rest = graph->touch[x] & ~only(x); rest; rest &= rest - 1) {
            const int32_t y = first_of(rest), k = side->n_near[x]++;
            side->near[x][k] = y;
            for (int32_t code = 0; code < graph->n_codes; code++)
                if (graph->near[code * SMALL_NODES + x] & only(y))
                    side->code[x][k] = code;
        }
    for (int32_t x = 0; x < SMALL_NODES; x++)
        for (int32_t k = 0; k < side->n_near[x]; k++)
            while (side->near[side->near[x][k]][side->place[x][k]] != x)
                side->place[x][k]++;
}

void dual_begin(small_dual *dual, const small_search *s)
{
    dual->next_look = DUAL_START;
    read_near(&dual->left, &s->left);
    read_near(&dual->right, &s->right);
}

/* ---- stars */

/* The gains of matching the a-th neighbour of i with the b-th of r, 0 if they do not fit or lose by
 * it. Columns are filled up to the number of rows, rows to that of columns; returns that number. */
INLINE int32_t weigh_star(const small_dual *dual, const small_search *s, int32_t i, int32_t r,
                          int32_t gain[DUAL_NEAR][DUAL_NEAR], int plain)
{
    const dual_side *left = &dual->left, *right = &dual->right;
    const int32_t *pair = dual->pair[i][r].of;
    const int32_t rows = left->n_near[i], columns = right->n_near[r];
    const int32_t n = rows > columns ? rows : columns;
    for (int32_t a = 0; a < n; a++)
        for (int32_t b = 0; b < n; b++) {
            gain[a][b] = 0;
            if (a >= rows || b >= columns)
                continue;
            uint64_t fit = dual->open[left->near[i][a]] >> right->near[r][b];
            if (!plain)
                fit &= s->fits[left->code[i][a]] >> right->code[r][b];
            const int32_t sum = pair[a * DUAL_NEAR + b] + left->lost[i][a] + right->lost[r][b];
            gain[a][b] = fit & 1 && sum > 0 ? sum : 0;
        }
    return n;
}

INLINE int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* The largest total of two rows in two columns. */
INLINE int32_t match_two(const int32_t *one, const int32_t *other, int32_t b, int32_t c)
{
    return larger(one[b] + other[c], one[c] + other[b]);
}

/* The largest total of three rows in three columns. */
INLINE int32_t match_three(const int32_t *one, const int32_t *two, const int32_t *three, int32_t a,
                           int32_t b, int32_t c)
{
    return larger(
        one[a] + match_two(two, three, b, c),
        larger(one[b] + match_two(two, three, a, c), one[c] + match_two(two, three, a, b)));
}

/* The largest total of a star. */
INLINE int32_t match_all(int32_t gain[DUAL_NEAR][DUAL_NEAR], int32_t n)
{
    if (n <= 1)
        return n ? gain[0][0] : 0;
    if (n == 2)
        return match_two(gain[0], gain[1], 0, 1);
    const int32_t first = match_three(gain[0], gain[1], gain[2], 0, 1, 2);
    if (n == 3)
        return first;
    const int32_t second = gain[3][2] + match_three(gain[0], gain[1], gain[2], 0, 1, 3);
    const int32_t third = gain[3][1] + match_three(gain[0], gain[1], gain[2], 0, 2, 3);
    const int32_t fourth = gain[3][0] + match_three(gain[0], gain[1], gain[2], 1, 2, 3);
    return larger(larger(gain[3][3] + first, second), larger(third, fourth));
}

/* Chooses a partner of each neighbour, -1: it is lost, so that the total is the largest. */
static void choose_partners(int32_t gain[DUAL_NEAR][DUAL_NEAR], int32_t n, int32_t *chosen)
{
    int32_t best[DUAL_NEAR + 1][1 << DUAL_NEAR] = {{0}}; /* of the first rows in some columns */
    for (int32_t a = 0; a < n; a++)
        for (int32_t q = 0; q < 1 << n; q++) {
            best[a + 1][q] = best[a][q];
            for (int32_t b = 0; b < n; b++)
                if (q >> b & 1)
                    best[a + 1][q] = larger(best[a + 1][q], best[a][q & ~(1 << b)] + gain[a][b]);
        }
    for (int32_t a = n - 1, q = (1 << n) - 1; a >= 0; a--) {
        int32_t b = 0;
        chosen[a] = -1;
        if (best[a + 1][q] == best[a][q])
            continue;
        while (!(q >> b & 1) || best[a][q & ~(1 << b)] + gain[a][b] != best[a + 1][q])
            b++;
        chosen[a] = b;
        q &= ~(1 << b);
    }
}

/* ---- the bound */

/* Notes the classes of the nodes and sums their multipliers; returns the sum of all. */
static int64_t sum_lost(dual_side *side)
{
    int64_t total = 0;
    for (int32_t x = 0; x < DUAL_NODES; x++) {
        side->image[x] = -1;
        side->sum[x] = 0;
        for (int32_t k = 0; side->in_class[x] >= 0 && k < side->n_near[x]; k++) {
            const int32_t y = side->near[x][k];
            if (side->in_class[y] < 0)
                continue;
            total += side->lost[x][k];
            side->sum[x] += side->lost[x][k] + side->lost[y][side->place[x][k]];
        }
    }
    return total;
}

/* The most that the pairs of a class are worth; they become images. */
INLINE int64_t assign_class(small_dual *dual, const small_search *s, const small_class *c,
                            int plain)
{
    const int32_t n_left = count(c->left), n_right = count(c->right);
    const int32_t n = n_left > n_right ? n_left : n_right;
    int32_t rows[DUAL_NODES], columns[DUAL_NODES], k = 0;
    int32_t gain[DUAL_NEAR][DUAL_NEAR];
    int64_t most = 0;
    for (uint64_t rest = c->left; rest; rest &= rest - 1)
        rows[k++] = first_of(rest);
    k = 0;
    for (uint64_t rest = c->right; rest; rest &= rest - 1)
        columns[k++] = first_of(rest);
    memset(dual->cost, 0, sizeof *dual->cost * (size_t)(n * n));
    for (int32_t p = 0; p < n_left; p++)
        for (int32_t q = 0; q < n_right; q++) {
            const int32_t i = rows[p], r = columns[q];
            if (!(dual->open[i] & only(r)))
                continue;
            const int32_t star = match_all(gain, weigh_star(dual, s, i, r, gain, plain));
            const int64_t worth = (int64_t)UNIT - dual->left.sum[i] - dual->right.sum[r] + star;
            dual->worth[i][r] = worth;
            dual->cost[p * n + q] = worth > 0 ? -worth : 0;
        }
    gm_jv(n, dual->cost, dual->col_of, dual->row_of, dual->u, dual->v, dual->scratch, NULL);
    for (int32_t q = 0; q < n_right; q++)
        dual->right.price[columns[q]] = dual->v[q];
    for (int32_t p = 0; p < n_left; p++) {
        dual->left.price[rows[p]] = dual->u[p];
        const int32_t q = dual->col_of[p];
        const int64_t cost = dual->cost[p * n + q];
        if (cost == 0)
            continue;
        most -= cost;
        dual->left.image[rows[p]] = columns[q];
        dual->right.image[columns[q]] = rows[p];
        const int32_t size = weigh_star(dual, s, rows[p], columns[q], gain, plain);
        choose_partners(gain, size, dual->chosen[rows[p]]);
    }
    return most;
}

static void note_classes(small_dual *dual, const small_class *of, int32_t n)
{
    memset(dual->open, 0, sizeof dual->open);
    memset(dual->left.in_class, -1, sizeof dual->left.in_class);
    memset(dual->right.in_class, -1, sizeof dual->right.in_class);
    for (int32_t k = 0; k < n; k++) {
        for (uint64_t rest = of[k].left; rest; rest &= rest - 1)
            dual->left.in_class[first_of(rest)] = k;
        for (uint64_t rest = of[k].right; rest; rest &= rest - 1)
            dual->right.in_class[first_of(rest)] = k;
    }
}

GM_WIDE static int64_t find_bound(small_dual *dual, const small_search *s, const small_class *of,
                                  int32_t n, const dual_pairs *allowed)
{
    const int plain = s->left.n_codes == 1 && s->right.n_codes == 1 && s->fits[0];
    for (int32_t k = 0; k < n; k++)
        for (uint64_t rest = of[k].left; rest; rest &= rest - 1)
            dual->open[first_of(rest)] = of[k].right & allowed->of[first_of(rest)];
    int64_t bound = sum_lost(&dual->left) + sum_lost(&dual->right);
    for (int32_t k = 0; k < n; k++)
        bound += plain ? assign_class(dual, s, of + k, 1) : assign_class(dual, s, of + k, 0);
    return bound;
}

/* Forbids the pairs that no map of at least `below` has. */
static void forbid_pairs(const small_dual *dual, const small_class *of, int32_t n, int64_t bound,
                         int64_t below, dual_pairs *allowed)
{
    for (int32_t k = 0; k < n; k++)
        for (uint64_t left = of[k].left; left; left &= left - 1) {
            const int32_t i = first_of(left);
            const int64_t rest = bound - below + dual->left.price[i];
            for (uint64_t right = of[k].right & allowed->of[i]; right; right &= right - 1) {
                const int32_t r = first_of(right);
                if (rest + dual->worth[i][r] + dual->right.price[r] < 0)
                    allowed->of[i] &= ~only(r);
            }
        }
}

/* ---- a step */

/* Whether the star of node x of the left matches its k-th neighbour with an image that has this
 * place around that of x. */
static int agrees(const small_dual *dual, int32_t j, int32_t t, int32_t a, int32_t b)
{
    return dual->left.image[j] == t && dual->chosen[j][a] == b;
}

/* The derivatives by the multipliers of lost neighbours; `used`: whether the star of a node with an
 * image matches the k-th neighbour. Returns the sum of their squares. */
static int32_t find_slopes(dual_side *side, const int32_t used[DUAL_NODES][DUAL_NEAR])
{
    int32_t squares = 0;
    for (int32_t x = 0; x < DUAL_NODES; x++)
        for (int32_t k = 0; side->in_class[x] >= 0 && k < side->n_near[x]; k++) {
            const int32_t y = side->near[x][k];
            int32_t slope = side->in_class[y] >= 0 && side->image[y] < 0;
            if (side->in_class[y] >= 0 && side->image[x] >= 0 && !used[x][k])
                slope--;
            if (slope > 0 && side->lost[x][k] == 0)
                slope = 0;
            side->slope[x][k] = slope;
            squares += slope * slope;
        }
    return squares;
}

static int32_t limit(int64_t value, int32_t least)
{
    return (int32_t)(value < least ? least : value > LARGEST ? LARGEST : value);
}

static void move_lost(dual_side *side, int64_t step)
{
    for (int32_t x = 0; x < DUAL_NODES; x++)
        for (int32_t k = 0; side->in_class[x] >= 0 && k < side->n_near[x]; k++)
            if (side->in_class[side->near[x][k]] >= 0)
                side->lost[x][k] = limit(side->lost[x][k] - step * side->slope[x][k], 0);
}

/* Counts the pairs of neighbours that one star matches and the other one does not; lowers their
 * multipliers if step > 0. */
static int32_t move_pairs(small_dual *dual, int64_t step)
{
    const dual_side *left = &dual->left, *right = &dual->right;
    int32_t n = 0;
    for (int32_t i = 0; i < DUAL_NODES; i++)
        for (int32_t a = 0; left->image[i] >= 0 && a < left->n_near[i]; a++) {
            const int32_t b = dual->chosen[i][a], s = left->image[i];
            if (b < 0)
                continue;
            const int32_t j = left->near[i][a], t = right->near[s][b];
            const int32_t there = left->place[i][a], back = right->place[s][b];
            if (agrees(dual, j, t, there, back))
                continue;
            n++;
            if (step == 0)
                continue;
            int32_t *own = dual->pair[i][s].of + a * DUAL_NEAR + b;
            *own = limit(*own - step, -LARGEST);
            dual->pair[j][t].of[there * DUAL_NEAR + back] = -*own;
        }
    return n;
}

/* Moves all multipliers; 0: the assignments and stars agree. */
static int make_step(small_dual *dual, int64_t bound, int64_t target)
{
    int32_t used_left[DUAL_NODES][DUAL_NEAR] = {{0}}, used_right[DUAL_NODES][DUAL_NEAR] = {{0}};
    for (int32_t i = 0; i < DUAL_NODES; i++)
        for (int32_t a = 0; dual->left.image[i] >= 0 && a < dual->left.n_near[i]; a++)
            if (dual->chosen[i][a] >= 0)
                used_left[i][a] = used_right[dual->left.image[i]][dual->chosen[i][a]] = 1;
    const int32_t squares = find_slopes(&dual->left, used_left) +
                            find_slopes(&dual->right, used_right) + move_pairs(dual, 0);
    if (squares == 0)
        return 0;
    const int64_t step = 3 * (bound - target) / (2 * squares);
    move_lost(&dual->left, step > 0 ? step : 1);
    move_lost(&dual->right, step > 0 ? step : 1);
    move_pairs(dual, step > 0 ? step : 1);
    return 1;
}

int32_t dual_most(small_dual *dual, const small_search *s, const small_class *of, int32_t n,
                  int32_t needed, dual_pairs *allowed)
{
    const int64_t below = (int64_t)needed * UNIT;
    int64_t best = INT64_MAX / 2, before = best;
    note_classes(dual, of, n);
    for (int32_t k = 1;; k++) {
        const int64_t bound = find_bound(dual, s, of, n, allowed);
        best = bound < best ? bound : best;
        if (best >= below)
            forbid_pairs(dual, of, n, bound, below, allowed);
        if (best < below || !make_step(dual, bound, below - MARGIN))
            break;
        if (k % BLOCK)
            continue;
        if (k > BLOCK && best - below >= AHEAD * (before - best))
            break;
        before = best;
    }
    return (int32_t)(best / UNIT);
}
