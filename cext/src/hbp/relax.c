#include "hbp/relax.h"
#include "base/watch.h"

#include "assignment/jv.h"
#include "base/two_largest.h"
#include "hbp/policy.h"

#include <math.h>
#include <string.h>

/* The original draws from glibc's rand() after srand(456), two numbers per inner iteration. */
static const int64_t DRAW[2 * HBP_INNER] = {1929505231, 1800653403, 1030306120, 2023122793,
                                            1908338983, 350238183,  199311997,  1067924705,
                                            1647418123, 155050447};

int hbp_relax_init(hbp_relax *relax, const hbp_pairs *pairs, double grain, gm_watch *watch)
{
    const int64_t n = pairs->n;
    const int64_t n_sides = 2 * (int64_t)pairs->n_pairs;
    const int64_t n_touched = pairs->touched_start[n_sides];
    gm_pool *pool = &relax->pool;
    *relax = (hbp_relax){.pairs = pairs, .n = pairs->n, .grain = grain, .watch = watch};
    GM_TAKE(pool, n * n, relax->belief);
    GM_TAKE(pool, n * n, relax->sum);
    GM_TAKE(pool, n_sides, relax->into.untouched);
    GM_TAKE(pool, n_touched, relax->into.value);
    for (int side = 0; side < 2; side++)
        GM_TAKE(pool, n, relax->give[side]);
    GM_TAKE(pool, n, relax->zeros);
    GM_TAKE(pool, n, relax->state);
    GM_TAKE(pool, n, relax->value);
    GM_TAKE(pool, n, relax->before);
    GM_TAKE(pool, n, relax->half);
    GM_TAKE(pool, n * n, relax->cost);
    GM_TAKE(pool, n, relax->dual_u);
    GM_TAKE(pool, n, relax->dual_v);
    GM_TAKE(pool, 5 * (n + 1), relax->scratch);
    GM_TAKE(pool, n, relax->decode);
    GM_TAKE(pool, n, relax->row_of);
    GM_TAKE(pool, n, relax->best_decode);
    GM_TAKE(pool, n, relax->turn);
    const size_t untouched_size = sizeof(hbp_untouched) * (size_t)n_sides;
    relax->inherited_size = untouched_size + sizeof(double) * (size_t)(n * n + 4 * n + n_touched);
    relax->inherited = gm_pool_take(pool, (int64_t)relax->inherited_size, 1);
    if (pool->failed)
        return GM_ENOMEM;
    relax->used.untouched = (hbp_untouched *)(void *)relax->inherited;
    relax->divided = (double *)(void *)(relax->inherited + untouched_size);
    relax->u = relax->divided + n * n;
    relax->v = relax->u + n;
    relax->u_before = relax->v + n;
    relax->v_before = relax->u_before + n;
    relax->used.value = relax->v_before + n;
    return GM_OK;
}

void hbp_relax_clear(hbp_relax *relax)
{
    gm_pool_free(&relax->pool);
}

/* ---- sweeps */

/* Loops over all states, in wide vectors: most of the time is spent here. A message is the same
 * number at nearly all states, so the loops take one number, and find the two largest of their
 * results. The exceptions are at LOW while a loop works, so that they are not among those two, and
 * get their true numbers afterwards. */

static const double LOW = -1e300;

/* give = divided - used + belief; returns its two largest */
GM_WIDE static gm_two_largest weigh(int32_t n, const double *restrict divided, double used,
                                    const double *restrict belief, double *restrict give)
{
    gm_two_largest two;
    int32_t k = 0;
    GM_TWO_BEGIN
    for (; k + GM_STRIDE <= n; k += GM_STRIDE)
        for (int chain = 0; chain < GM_CHAINS; chain++) {
            const int32_t i = k + chain * GM_LANES;
            const gm_lanes x =
                GM_LANES_AT(divided + i) - GM_LANES_ALL(used) + GM_LANES_AT(belief + i);
            GM_LANES_PUT(give + i, x);
            GM_TWO_LOOK(chain, x);
        }
    GM_TWO_END(two);
    for (; k < n; k++) {
        give[k] = divided[k] - used + belief[k];
        gm_two_take(&two, give[k]);
    }
    return two;
}

/* belief = (give + best) / 2, give -= belief, sum += give; returns the two largest of give */
GM_WIDE static gm_two_largest halve(int32_t n, double best, double *restrict give,
                                    double *restrict belief, double *restrict sum)
{
    gm_two_largest two;
    int32_t k = 0;
    GM_TWO_BEGIN
    for (; k + GM_STRIDE <= n; k += GM_STRIDE)
        for (int chain = 0; chain < GM_CHAINS; chain++) {
            const int32_t i = k + chain * GM_LANES;
            const gm_lanes x = GM_LANES_AT(give + i);
            const gm_lanes half = GM_LANES_ALL(0.5) * (x + GM_LANES_ALL(best));
            const gm_lanes rest = x - half;
            GM_LANES_PUT(belief + i, half);
            GM_LANES_PUT(give + i, rest);
            GM_LANES_PUT(sum + i, GM_LANES_AT(sum + i) + rest);
            GM_TWO_LOOK(chain, rest);
        }
    GM_TWO_END(two);
    for (; k < n; k++) {
        belief[k] = 0.5 * (give[k] + best);
        give[k] -= belief[k];
        sum[k] += give[k];
        gm_two_take(&two, give[k]);
    }
    return two;
}

GM_WIDE static void add(int32_t n, double best, double *restrict sum)
{
    for (int32_t i = 0; i < n; i++)
        sum[i] += best;
}

/* A message at all but its exceptional states. */
static double usual(const hbp_messages *messages, int32_t p, int side)
{
    return messages->untouched[2 * (int64_t)p + side].usual;
}

/* The start of the states of a pair's variable in arrays of n x n. */
static int64_t states_of(const hbp_relax *relax, int32_t p, int side)
{
    return (int64_t)relax->pairs->variable[side][p] * relax->n;
}

/* give = the sum of the message f = B - m of a side of a pair, and a belief. Returns the two
 * largest. */
static gm_two_largest weigh_side(hbp_relax *relax, int32_t p, int side, double *belief)
{
    const double *divided = relax->divided + states_of(relax, p, side);
    double *give = relax->give[side], *value = relax->value;
    const int32_t *state = relax->state;
    const int32_t n = hbp_exceptions(relax->pairs, p, side, &relax->used, relax->state, value);
    for (int32_t k = 0; k < n; k++) {
        relax->before[k] = belief[state[k]];
        value[k] = divided[state[k]] - value[k] + belief[state[k]];
        belief[state[k]] = LOW;
    }
    gm_two_largest two = weigh(relax->n, divided, usual(&relax->used, p, side), belief, give);
    for (int32_t k = 0; k < n; k++) {
        belief[state[k]] = relax->before[k];
        give[state[k]] = value[k];
        gm_two_take(&two, value[k]);
    }
    return two;
}

/* The variable's belief becomes half of the max-marginals; give is the rest, which the side keeps.
 * Returns the two largest of give. */
static gm_two_largest halve_side(hbp_relax *relax, int32_t p, int side)
{
    double *belief = relax->belief + states_of(relax, p, side);
    double *sum = relax->sum + states_of(relax, p, side);
    double *give = relax->give[side];
    double *value = relax->value;
    const int32_t *state = relax->state;
    const int32_t n = hbp_exceptions(relax->pairs, p, side, &relax->into, relax->state, value);
    for (int32_t k = 0; k < n; k++) {
        const double half = 0.5 * (give[state[k]] + value[k]);
        value[k] = give[state[k]] - half;
        relax->before[k] = sum[state[k]];
        give[state[k]] = LOW;
        relax->half[k] = half;
    }
    gm_two_largest two = halve(relax->n, usual(&relax->into, p, side), give, belief, sum);
    for (int32_t k = 0; k < n; k++) {
        belief[state[k]] = relax->half[k];
        give[state[k]] = value[k];
        sum[state[k]] = relax->before[k] + value[k];
        gm_two_take(&two, value[k]);
    }
    return two;
}

/* Adds the newest max-marginals of a side to the variable's sum; from now on they are the ones in
 * use. */
static void add_side(hbp_relax *relax, int32_t p, int side)
{
    double *sum = relax->sum + states_of(relax, p, side);
    const int64_t at = 2 * (int64_t)p + side;
    const int64_t first = relax->pairs->touched_start[at];
    const int64_t n_touched = relax->pairs->touched_start[at + 1] - first;
    const int32_t *state = relax->state;
    const int32_t n =
        hbp_exceptions(relax->pairs, p, side, &relax->into, relax->state, relax->value);
    for (int32_t k = 0; k < n; k++)
        relax->value[k] += sum[state[k]];
    add(relax->n, usual(&relax->into, p, side), sum);
    for (int32_t k = 0; k < n; k++)
        sum[state[k]] = relax->value[k];
    relax->used.untouched[at] = relax->into.untouched[at];
    memcpy(relax->used.value + first, relax->into.value + first,
           sizeof(double) * (size_t)n_touched);
}

/* Both variables' beliefs become half of the pair's max-marginals; the pair keeps the rest. */
static void update_pair(hbp_relax *relax, int32_t p)
{
    gm_two_largest two[2];
    for (int side = 0; side < 2; side++)
        two[side] = weigh_side(relax, p, side, relax->belief + states_of(relax, p, side));
    for (int side = 0; side < 2; side++)
        hbp_collect(relax->pairs, p, side, relax->give[1 - side], two[1 - side], &relax->into);
    for (int side = 0; side < 2; side++)
        two[side] = halve_side(relax, p, side);
    for (int side = 0; side < 2; side++)
        hbp_collect(relax->pairs, p, side, relax->give[1 - side], two[1 - side], &relax->into);
}

/* A variable collects the max-marginals of its pairs and divides the sum equally between itself and
 * them. */
static void update_variable(hbp_relax *relax, int32_t s)
{
    const hbp_pairs *pairs = relax->pairs;
    const int32_t n = relax->n;
    const int32_t begin = pairs->incident_start[s];
    const int32_t end = pairs->incident_start[s + 1];
    double *belief = relax->belief + (int64_t)s * n, *sum = relax->sum + (int64_t)s * n;
    for (int32_t k = begin; k < end; k++)
        add_side(relax, pairs->incident[k], pairs->variable[1][pairs->incident[k]] == s);
    for (int32_t i = 0; i < n; i++) {
        belief[i] = (belief[i] + sum[i]) / (double)(end - begin + 1);
        sum[i] = 0.0;
    }
    memcpy(relax->divided + (int64_t)s * n, belief, sizeof *belief * (size_t)n);
    for (int32_t k = begin; k < end; k++) {
        const int32_t p = pairs->incident[k];
        const int side = pairs->variable[1][p] == s;
        if (relax->turn[pairs->variable[1 - side][p]])
            continue; /* that variable has collected already */
        /* the belief has been divided among the messages, so it adds nothing */
        const gm_two_largest two = weigh_side(relax, p, side, relax->zeros);
        hbp_collect(pairs, p, 1 - side, relax->give[side], two, &relax->into);
    }
}

/* x as an integer, cut off at +-most: costs near the end of the double range must not overflow. */
static int64_t to_integer(double x, double most)
{
    return isnan(x) ? 0 : (int64_t)fmin(fmax(x, -most), most);
}

/* Solves the assignment over the beliefs, in integers, and moves its duals out of the beliefs.
 * GM_OK or GM_ECUT. */
static int update_duals(hbp_relax *relax)
{
    const int32_t n = relax->n;
    const double most = 0x1p61 / (n + 1.0); /* a path through the assignment adds up n of them */
    memcpy(relax->u_before, relax->u, sizeof *relax->u * (size_t)n);
    memcpy(relax->v_before, relax->v, sizeof *relax->v * (size_t)n);
    for (int32_t s = 0; s < n && !gm_watch_spend(relax->watch, 4 * (int64_t)n); s++)
        for (int32_t i = 0; i < n; i++)
            relax->cost[(int64_t)s * n + i] = to_integer(
                -relax->grain * (relax->belief[(int64_t)s * n + i] + (relax->u[s] + relax->v[i])),
                most);
    if (gm_jv(n, relax->cost, relax->decode, relax->row_of, relax->dual_u, relax->dual_v,
              relax->scratch, relax->watch) != GM_OK)
        return GM_ECUT;
    for (int32_t s = 0; s < n; s++) {
        relax->u[s] = -(double)relax->dual_u[s] / relax->grain;
        relax->v[s] = -(double)relax->dual_v[s] / relax->grain;
    }
    hbp_relax_restore(relax);
    return GM_OK;
}

void hbp_relax_restore(hbp_relax *relax)
{
    const int32_t n = relax->n;
    for (int32_t s = 0; s < n && !gm_watch_spend(relax->watch, n); s++)
        for (int32_t i = 0; i < n; i++) {
            const int64_t at = (int64_t)s * n + i;
            relax->belief[at] = relax->divided[at] + (relax->u_before[s] + relax->v_before[i]) -
                                (relax->u[s] + relax->v[i]);
        }
}

/* ---- duals */

static double largest(const double *x, int32_t n)
{
    double best = -INFINITY;
    for (int32_t k = 0; k < n; k++)
        best = x[k] > best ? x[k] : best;
    return best;
}

/* Three sums over the present state: */
typedef struct measures {
    double dual;       /* the original's, with beliefs at the decoded states */
    double valid_dual; /* with the largest beliefs: an upper bound */
    double primal;     /* the original's value of the decoded states */
} measures;

/* The maximum of a pair is that of the divided belief of one of its two variables: the one that
 * collected from it later. */
static measures measure(const hbp_relax *relax)
{
    const hbp_pairs *pairs = relax->pairs;
    const int32_t n = relax->n, *decode = relax->decode;
    double shifts = 0.0, best_of_pairs = 0.0, at_decode = 0.0, decoded = 0.0,
           best_of_variables = 0.0, *best_divided = relax->half;
    for (int32_t s = 0; s < n && !gm_watch_spend(relax->watch, 2 * (int64_t)n); s++) {
        best_divided[s] = largest(relax->divided + (int64_t)s * n, n);
        best_of_variables += largest(relax->belief + (int64_t)s * n, n);
        at_decode += relax->belief[(int64_t)s * n + decode[s]];
        shifts += relax->u[s] + relax->v[s];
    }
    for (int32_t p = 0; p < pairs->n_pairs; p++) {
        const int32_t s = pairs->variable[0][p], t = pairs->variable[1][p];
        const int32_t i = decode[s], j = decode[t];
        best_of_pairs += best_divided[relax->turn[s] > relax->turn[t] ? s : t];
        decoded +=
            hbp_theta(pairs, p, i, j) +
            (relax->divided[(int64_t)s * n + i] - hbp_message_at(pairs, p, 0, &relax->used, i)) +
            (relax->divided[(int64_t)t * n + j] - hbp_message_at(pairs, p, 1, &relax->used, j));
    }
    return (measures){
        .dual = best_of_pairs + at_decode + shifts,
        .valid_dual = best_of_pairs + best_of_variables + shifts,
        .primal = decoded + shifts,
    };
}

/* ---- the search node */

void hbp_relax_begin(hbp_relax *relax)
{
    relax->pairs_swept = 0;
    relax->position = 0;
    relax->n_inner = 0;
    relax->best_primal = -INFINITY;
    relax->dual = relax->valid_dual = INFINITY;
}

static enum hbp_progress end_iteration(hbp_relax *relax, double lower)
{
    if (update_duals(relax) != GM_OK)
        return HBP_PAUSED;
    const measures now = measure(relax);
    if (gm_watch_is_over(relax->watch))
        return HBP_PAUSED;
    relax->dual = now.dual < relax->dual ? now.dual : relax->dual;
    relax->valid_dual = now.valid_dual < relax->valid_dual ? now.valid_dual : relax->valid_dual;
    if (now.primal > relax->best_primal || relax->n_inner == 0) {
        relax->best_primal = now.primal;
        memcpy(relax->best_decode, relax->decode, sizeof *relax->decode * (size_t)relax->n);
    }
    relax->n_inner++;
    return relax->n_inner == HBP_INNER || relax->dual < lower ? HBP_ENDED : HBP_ITERATED;
}

enum { PAIRS_PER_LOOK = 16 }; /* between two looks at the clock */

/* Both sweeps go through all clusters, first the variables and then the pairs, cyclically from a
 * drawn one: the first sweep, descending, updates the pairs, the second, ascending, the variables.
 * They return 1 at the end, 0 when out of time. */
static int sweep_pairs(hbp_relax *relax, double deadline)
{
    const int64_t n = relax->n, size = n + relax->pairs->n_pairs;
    for (int64_t c = relax->position, n_updated = 0; c < size; c++) {
        const int64_t cluster = (size - 1 - c + DRAW[2 * relax->n_inner]) % size;
        if (cluster < n)
            continue;
        update_pair(relax, (int32_t)(cluster - n));
        if (++n_updated % PAIRS_PER_LOOK == 0 && gm_is_late(deadline)) {
            relax->position = c + 1;
            return 0;
        }
    }
    return 1;
}

static int sweep_variables(hbp_relax *relax, double deadline)
{
    const int64_t n = relax->n, size = n + relax->pairs->n_pairs;
    if (relax->position == 0)
        memset(relax->turn, 0, sizeof *relax->turn * (size_t)n);
    for (int64_t c = relax->position; c < size; c++) {
        const int64_t cluster = (c + DRAW[2 * relax->n_inner + 1]) % size;
        if (cluster >= n)
            continue;
        update_variable(relax, (int32_t)cluster);
        relax->turn[cluster] = c + 1;
        if (gm_is_late(deadline)) {
            relax->position = c + 1;
            return 0;
        }
    }
    return 1;
}

enum hbp_progress hbp_relax_advance(hbp_relax *relax, double lower, double deadline)
{
    if (!relax->pairs_swept) {
        if (!sweep_pairs(relax, deadline))
            return HBP_PAUSED;
        relax->pairs_swept = 1;
        relax->position = 0;
    }
    if (!sweep_variables(relax, deadline))
        return HBP_PAUSED;
    relax->pairs_swept = 0;
    relax->position = 0;
    return end_iteration(relax, lower);
}
