/* Plain McSplit (McCreesh, Prosser and Trimble, IJCAI 2017) for measuring: the largest common
 * induced subgraph of two undirected graphs without labels, after the paper's algorithm 1.
 *
 *     cc -O3 -shared -fPIC -o mcsplit.so mcsplit.c
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 512 };

typedef struct bidomain {
    int l, r, n_left, n_right;
} bidomain;

typedef struct state {
    int n1, n2;
    const uint8_t *A, *B; /* adjacency matrices, nodes by descending degree */
    int left[MOST], right[MOST];
    int best, pairs[MOST][2], found[MOST][2];
    int64_t nodes, limit;
} state;

static int bound(const bidomain *d, int n)
{
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += d[k].n_left < d[k].n_right ? d[k].n_left : d[k].n_right;
    return sum;
}

static int smallest(const int *x, int n)
{
    int best = 0;
    for (int k = 1; k < n; k++)
        if (x[k] < x[best])
            best = k;
    return best;
}

static int choose(const state *s, const bidomain *d, int n)
{
    int best = -1, size = MOST + 1, first = MOST + 1;
    for (int k = 0; k < n; k++) {
        const int larger = d[k].n_left > d[k].n_right ? d[k].n_left : d[k].n_right;
        const int tie = s->left[d[k].l + smallest(s->left + d[k].l, d[k].n_left)];
        if (larger < size || (larger == size && tie < first)) {
            size = larger;
            first = tie;
            best = k;
        }
    }
    return best;
}

static int partition(int *x, int n, const uint8_t *row)
{
    int k = 0;
    for (int m = 0; m < n; m++)
        if (row[x[m]]) {
            const int kept = x[m];
            x[m] = x[k];
            x[k++] = kept;
        }
    return k;
}

static int split(state *s, const bidomain *d, int n, bidomain *out, int u, int v)
{
    int made = 0;
    for (int k = 0; k < n; k++) {
        const int l = partition(s->left + d[k].l, d[k].n_left, s->A + u * s->n1);
        const int r = partition(s->right + d[k].r, d[k].n_right, s->B + v * s->n2);
        if (d[k].n_left > l && d[k].n_right > r)
            out[made++] = (bidomain){d[k].l + l, d[k].r + r, d[k].n_left - l, d[k].n_right - r};
        if (l && r)
            out[made++] = (bidomain){d[k].l, d[k].r, l, r};
    }
    return made;
}

static void solve(state *s, bidomain *d, int n, int depth)
{
    if (s->nodes++ >= s->limit)
        return;
    if (depth > s->best) {
        s->best = depth;
        memcpy(s->found, s->pairs, sizeof s->pairs);
    }
    if (depth + bound(d, n) <= s->best)
        return;
    const int k = choose(s, d, n);
    if (k < 0)
        return;
    bidomain *c = d + k;
    const int at = c->l + smallest(s->left + c->l, c->n_left), u = s->left[at];
    c->n_left--;
    s->left[at] = s->left[c->l + c->n_left];
    s->left[c->l + c->n_left] = u;
    c->n_right--;
    bidomain *out = malloc(sizeof *out * (size_t)(2 * n + 2));
    int last = -1;
    for (int m = 0; m <= c->n_right; m++) {
        int *x = s->right + c->r, place = -1;
        for (int i = 0; i <= c->n_right; i++)
            if (x[i] > last && (place < 0 || x[i] < x[place]))
                place = i;
        const int v = x[place];
        last = v;
        x[place] = x[c->n_right];
        x[c->n_right] = v;
        s->pairs[depth][0] = u;
        s->pairs[depth][1] = v;
        const int made = split(s, d, n, out, u, v);
        solve(s, out, made, depth + 1);
    }
    free(out);
    c->n_right++;
    if (c->n_left == 0) {
        d[k] = d[n - 1];
        n--;
    }
    solve(s, d, n, depth);
}

/* The size of the largest common induced subgraph; *nodes: of the search tree, at most limit. */
int mcsplit(int n1, int n2, const uint8_t *A, const uint8_t *B, int64_t limit, int64_t *nodes)
{
    state *s = calloc(1, sizeof *s);
    bidomain *d = malloc(sizeof *d * (size_t)(2 * (n1 + n2) + 2));
    s->n1 = n1;
    s->n2 = n2;
    s->A = A;
    s->B = B;
    s->limit = limit;
    for (int k = 0; k < n1; k++)
        s->left[k] = k;
    for (int k = 0; k < n2; k++)
        s->right[k] = k;
    d[0] = (bidomain){0, 0, n1, n2};
    solve(s, d, n1 && n2 ? 1 : 0, 0);
    const int best = s->best;
    *nodes = s->nodes;
    free(d);
    free(s);
    return best;
}
