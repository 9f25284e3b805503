/* Three searches for symmetric quadratic assignment, written for comparison (bench_rivals.py):
 *
 *   tabu      robust tabu search (Taillard 1991)
 *   breakout  breakout local search (Benlic and Hao 2013)
 *   iterated  iterated local search with restarts (Stuetzle 2006)
 *
 *     qap_rivals METHOD SECONDS SEED < FILE
 *
 * FILE: n, then A and B row by row, both symmetric with zero diagonals. Prints the least cost that
 * is found within the CPU seconds. All keep the change of every swap, and a swap costs O(1) for
 * each of the others. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int n, *p, *best_p, *anchor;
static double *A, *B, *change, cost, best, limit;
static int64_t *since, step; /* since: n x n, the step in which node i last gave up label t */
static uint64_t state;

static double unit(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

static int below(int count) { return (int)(unit() * count); }
static int late(void) { return (double)clock() / CLOCKS_PER_SEC >= limit; }
static double a(int i, int j) { return A[i * n + j]; }
static double b(int i, int j) { return B[p[i] * n + p[j]]; }

static double swap_change(int r, int s)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        if (k != r && k != s)
            sum += (a(r, k) - a(s, k)) * (b(s, k) - b(r, k));
    return 2.0 * sum;
}

static void load(void)
{
    cost = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            cost += a(i, j) * b(i, j);
            if (i < j)
                change[i * n + j] = swap_change(i, j);
        }
}

static void make_swap(int u, int v)
{
    since[u * n + p[u]] = since[v * n + p[v]] = ++step;
    cost += change[u < v ? u * n + v : v * n + u];
    const int kept = p[u];
    p[u] = p[v];
    p[v] = kept;
    for (int r = 0; r < n; r++) {
        const double x = a(r, u) - a(r, v), y = b(r, v) - b(r, u);
        double *row = change + r * n;
        if (r == u || r == v)
            continue;
        for (int s = r + 1; s < n; s++)
            if (s != u && s != v)
                row[s] += 2.0 * (x + a(s, v) - a(s, u)) * (b(s, u) - b(s, v) + y);
    }
    for (int k = 0; k < n; k++) {
        if (k != u)
            change[u < k ? u * n + k : k * n + u] = swap_change(u, k);
        if (k != v)
            change[v < k ? v * n + k : k * n + v] = swap_change(v, k);
    }
    if (cost < best - 1e-7) {
        best = cost;
        memcpy(best_p, p, sizeof *p * (size_t)n);
    }
}

static void shuffle(int count) /* `count` random nodes in a cycle; count = n: all at random */
{
    int order[n];
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int k = 0; k < count; k++) {
        const int other = k + below(n - k), kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
    for (int k = 0; k + 1 < count; k++) {
        const int i = order[k], j = order[k + 1], kept = p[i];
        p[i] = p[j];
        p[j] = kept;
    }
}

static void descend(void)
{
    for (;;) {
        int r = -1, s = -1;
        double least = -1e-9;
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++)
                if (change[i * n + j] < least) {
                    least = change[i * n + j];
                    r = i;
                    s = j;
                }
        if (r < 0 || late())
            return;
        make_swap(r, s);
    }
}

static void tabu(void)
{
    int64_t *until = calloc((size_t)n * (size_t)n, sizeof *until);
    const int64_t aspiration = 5 * (int64_t)n * n;
    for (int64_t now = 1; !late(); now++) {
        int r = -1, s = -1, forced = 0;
        double least = INFINITY;
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) {
                const int64_t one = until[i * n + p[j]], other = until[j * n + p[i]];
                const double c = change[i * n + j];
                const int allowed = one < now || other < now;
                const int wanted = (one < now - aspiration && other < now - aspiration) ||
                                   cost + c < best - 1e-7;
                if ((wanted && !forced) || (c < least && (forced ? wanted : allowed))) {
                    forced |= wanted;
                    least = c;
                    r = i;
                    s = j;
                }
            }
        if (r < 0)
            continue;
        until[r * n + p[r]] = now + (int64_t)(n * (0.9 + 0.2 * unit()));
        until[s * n + p[s]] = now + (int64_t)(n * (0.9 + 0.2 * unit()));
        make_swap(r, s);
    }
    free(until);
}

static void iterated(void)
{
    int strength = 3, vain = 0;
    descend();
    double held = cost;
    memcpy(anchor, p, sizeof *p * (size_t)n);
    while (!late()) {
        memcpy(p, anchor, sizeof *p * (size_t)n);
        shuffle(vain > 5 * n ? n : strength);
        load();
        descend();
        if (cost < held - 1e-7 || vain > 5 * n) {
            vain = 0;
            strength = 3;
            held = cost;
            memcpy(anchor, p, sizeof *p * (size_t)n);
        } else {
            vain++;
            strength = strength + 1 < 0.9 * n ? strength + 1 : 3;
        }
    }
}

/* Benlic and Hao: the length of a jump grows while the search falls back to the same optimum; with
 * little hope moves are directed by tabu, else by age or at random. */
static void directed_moves(int length)
{
    for (int k = 0; k < length && !late(); k++) {
        int r = -1, s = -1;
        double least = INFINITY;
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) {
                const int64_t ban = (int64_t)(n * (0.9 + 0.2 * unit()));
                const int allowed = since[i * n + p[j]] + ban < step ||
                                    since[j * n + p[i]] + ban < step ||
                                    since[i * n + p[j]] + since[j * n + p[i]] == 0;
                if (change[i * n + j] < least &&
                    (allowed || cost + change[i * n + j] < best - 1e-7)) {
                    least = change[i * n + j];
                    r = i;
                    s = j;
                }
            }
        if (r >= 0)
            make_swap(r, s);
    }
}

static void aged_moves(int length)
{
    for (int k = 0; k < length; k++) {
        int r = 0, s = 1;
        int64_t oldest = INT64_MAX;
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++)
                if (since[i * n + p[j]] + since[j * n + p[i]] < oldest) {
                    oldest = since[i * n + p[j]] + since[j * n + p[i]];
                    r = i;
                    s = j;
                }
        make_swap(r, s);
    }
}

static void random_moves(int length)
{
    for (int k = 0; k < length; k++) {
        const int r = below(n), s = below(n);
        if (r != s)
            make_swap(r, s);
    }
}

static void breakout(void)
{
    const int shortest = (int)(0.15 * n) + 1;
    int length = shortest, vain = 0;
    double last = INFINITY, record = best;
    while (!late()) {
        descend();
        vain = best < record - 1e-7 ? 0 : vain + 1;
        record = best;
        length = fabs(cost - last) < 1e-7 ? length + 1 : shortest;
        length = length < n ? length : n;
        last = cost;
        const double share = fmax(exp(-vain / 2500.0), 0.75);
        if (vain > 2500) {
            random_moves(n / 2);
            vain = 0;
        } else if (unit() < share) {
            directed_moves(length);
        } else if (unit() < 0.3) {
            aged_moves(length);
        } else {
            random_moves(length);
        }
    }
}

int main(int count, char **given)
{
    if (count != 4 || scanf("%d", &n) != 1 || n < 3)
        return 2;
    const size_t cells = (size_t)n * (size_t)n;
    A = malloc(cells * sizeof *A);
    B = malloc(cells * sizeof *B);
    change = calloc(cells, sizeof *change);
    since = calloc(cells, sizeof *since);
    p = malloc((size_t)n * sizeof *p);
    best_p = malloc((size_t)n * sizeof *p);
    anchor = malloc((size_t)n * sizeof *p);
    for (size_t k = 0; k < 2 * cells; k++)
        if (scanf("%lf", k < cells ? &A[k] : &B[k - cells]) != 1)
            return 2;
    limit = atof(given[2]) + (double)clock() / CLOCKS_PER_SEC;
    state = 0x9E3779B97F4A7C15u * (uint64_t)(atoll(given[3]) + 1);
    for (int i = 0; i < n; i++)
        p[i] = i;
    shuffle(n);
    load();
    best = cost;
    if (strcmp(given[1], "tabu") == 0)
        tabu();
    else if (strcmp(given[1], "breakout") == 0)
        breakout();
    else
        iterated();
    memcpy(p, best_p, sizeof *p * (size_t)n);
    load();
    printf("%.10g\n", cost);
    return 0;
}
