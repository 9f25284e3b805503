/* AStar-BMao for measuring: edit distances of undirected labelled graphs with unit costs, after
 * Chang, Feng, Lin, Qin, Zhang and Ouyang (Speeding up GED computation for similarity search, ICDE
 * 2020) and Chang, Feng, Yao, Qin and Zhang (Accelerating graph similarity search via efficient GED
 * computation, TKDE 2022).
 *
 *     cc -O3 -shared -fPIC -o astar_bmao.so astar_bmao.c
 *
 * A state maps the first nodes of the smaller graph, in a fixed order. The other nodes are assigned
 * at the cost of their labels, of half their edges among each other, and of all their edges to
 * mapped nodes (anchors). One assignment and one search for shortest paths give a bound for each
 * image of the next node. States wait in a queue by bound, later ones first. All costs are doubled.
 */
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, FAR = INT_MAX / 4, MORE = -1, OPEN = -2 };

typedef struct graph {
    int n;
    const int32_t *label; /* of nodes, from 0 */
    const int32_t *edge;  /* matrix of labels of edges, 0: none */
} graph;

typedef struct state {
    int32_t parent, next; /* next: of the same bound */
    int32_t image, level, paid;
} state;

typedef struct search {
    graph q, g;
    int order[MOST];
    state *states;
    int64_t n_states, room;
    int32_t *queue; /* first state of each bound */
    int best, n_bounds;
    /* of the open nodes: rows of q with dummies behind them, columns of g */
    int n, row[MOST], column[MOST], image[MOST], is_used[MOST];
    int cost[MOST][MOST], u[MOST], v[MOST], col_of[MOST], row_of[MOST];
} search;

static int max(int a, int b)
{
    return a > b ? a : b;
}

static int min(int a, int b)
{
    return a < b ? a : b;
}

/* Gives a row its column by a shortest augmenting path. */
static void augment(search *s, int row)
{
    int far[MOST], from[MOST], done[MOST] = {0}, n = s->n, at = row, last = -1, length = 0;
    for (int c = 0; c < n; c++) {
        far[c] = FAR;
        from[c] = -1;
    }
    int reach[MOST], n_reached = 0;
    while (1) {
        int next = -1;
        for (int c = 0; c < n; c++) {
            if (done[c])
                continue;
            const int there = length + s->cost[at][c] - s->u[at] - s->v[c];
            if (there < far[c]) {
                far[c] = there;
                from[c] = at;
            }
            if (next < 0 || far[c] < far[next])
                next = c;
        }
        done[next] = 1;
        length = far[next];
        last = next;
        if (s->row_of[next] < 0)
            break;
        reach[n_reached++] = next;
        at = s->row_of[next];
    }
    s->u[row] += length;
    for (int k = 0; k < n_reached; k++) {
        const int c = reach[k];
        s->u[s->row_of[c]] += length - far[c];
        s->v[c] -= length - far[c];
    }
    for (int c = last; c >= 0;) {
        const int r = from[c], before = s->col_of[r];
        s->row_of[c] = r;
        s->col_of[r] = c;
        c = r == row ? -1 : before;
    }
}

static int assign(search *s)
{
    int sum = 0;
    for (int k = 0; k < s->n; k++) {
        s->u[k] = s->v[k] = 0;
        s->col_of[k] = s->row_of[k] = -1;
    }
    for (int k = 0; k < s->n; k++)
        augment(s, k);
    for (int k = 0; k < s->n; k++)
        sum += s->cost[k][s->col_of[k]];
    return sum;
}

/* bound[c]: least cost if the first row has column c. */
static void force_first(const search *s, int sum, int *bound)
{
    int far[MOST], done[MOST] = {0}, at = s->col_of[0], length = 0;
    for (int r = 1; r < s->n; r++)
        far[r] = FAR;
    for (int k = 1; k < s->n; k++) {
        int next = -1;
        for (int r = 1; r < s->n; r++) {
            if (done[r])
                continue;
            far[r] = min(far[r], length + s->cost[r][at] - s->u[r] - s->v[at]);
            if (next < 0 || far[r] < far[next])
                next = r;
        }
        done[next] = 1;
        length = far[next];
        at = s->col_of[next];
    }
    for (int c = 0; c < s->n; c++) {
        const int r = s->row_of[c];
        bound[c] = sum + (r == 0 ? 0 : s->cost[0][c] - s->u[0] - s->v[c] + far[r]);
    }
}

/* Sorted labels of the edges of x to nodes that are not used. */
static int inner_labels(const graph *a, int x, const int *is_used, int *found)
{
    int n = 0;
    for (int y = 0; y < a->n; y++) {
        const int label = a->edge[x * a->n + y];
        if (!label || is_used[y])
            continue;
        int k = n++;
        for (; k > 0 && found[k - 1] > label; k--)
            found[k] = found[k - 1];
        found[k] = label;
    }
    return n;
}

static int apart(const int *x, int n, const int *y, int m)
{
    int same = 0;
    for (int i = 0, k = 0; i < n && k < m;) {
        const int a = x[i], b = y[k];
        same += a == b;
        i += a <= b;
        k += b <= a;
    }
    return max(n, m) - same;
}

/* Fills the costs of the open nodes of a state; image and is_used are set. */
static void fill(search *s, int level)
{
    static int ours[MOST][MOST], theirs[MOST][MOST];
    int n_ours[MOST] = {0}, n_theirs[MOST], mapped[MOST];
    const graph *q = &s->q, *g = &s->g;
    for (int x = 0; x < q->n; x++)
        mapped[x] = s->image[x] >= 0;
    s->n = 0;
    for (int y = 0; y < g->n; y++)
        if (!s->is_used[y])
            s->column[s->n++] = y;
    for (int k = 0; k < s->n; k++) {
        n_theirs[k] = inner_labels(g, s->column[k], s->is_used, theirs[k]);
        s->row[k] = level + k < q->n ? s->order[level + k] : -1;
        if (s->row[k] >= 0)
            n_ours[k] = inner_labels(q, s->row[k], mapped, ours[k]);
    }
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < s->n; k++) {
            const int x = s->row[i], y = s->column[k];
            int cost = x < 0 || q->label[x] != g->label[y] ? 2 : 0;
            cost += apart(ours[i], n_ours[i], theirs[k], n_theirs[k]);
            for (int m = 0; m < level; m++) {
                const int a = s->order[m];
                const int one = x < 0 ? 0 : q->edge[x * q->n + a];
                cost += one != g->edge[y * g->n + s->image[a]] ? 2 : 0;
            }
            s->cost[i][k] = cost;
        }
}

/* Cost of the map that the assignment and the state are. */
static int whole_cost(const search *s)
{
    const graph *q = &s->q, *g = &s->g;
    int from[MOST], image[MOST], sum = 0;
    memcpy(image, s->image, sizeof image);
    for (int i = 0; i < s->n; i++)
        if (s->row[i] >= 0)
            image[s->row[i]] = s->column[s->col_of[i]];
    for (int y = 0; y < g->n; y++)
        from[y] = -1;
    for (int x = 0; x < q->n; x++)
        from[image[x]] = x;
    for (int y = 0; y < g->n; y++) {
        sum += from[y] < 0 || q->label[from[y]] != g->label[y] ? 2 : 0;
        for (int z = 0; z < y; z++) {
            const int one = from[y] < 0 || from[z] < 0 ? 0 : q->edge[from[y] * q->n + from[z]];
            sum += one != g->edge[y * g->n + z] ? 2 : 0;
        }
    }
    return sum;
}

/* Connected order; among these nodes rare labels first, then many edges to nodes before. */
static void order_nodes(search *s)
{
    const graph *q = &s->q, *g = &s->g;
    int is_in[MOST] = {0};
    for (int k = 0; k < q->n; k++) {
        int best = -1, rank = INT_MIN;
        for (int x = 0; x < q->n; x++) {
            int ties = 0, degree = 0, common = 0;
            for (int y = 0; y < q->n; y++) {
                degree += q->edge[x * q->n + y] > 0;
                ties += q->edge[x * q->n + y] > 0 && is_in[y];
            }
            for (int y = 0; y < g->n; y++)
                common += g->label[y] == q->label[x];
            const int own = ties * 10000 - common * 100 + degree;
            if (!is_in[x] && own > rank) {
                best = x;
                rank = own;
            }
        }
        s->order[k] = best;
        is_in[best] = 1;
    }
}

static int push(search *s, int parent, int image, int level, int paid, int bound)
{
    if (s->n_states == s->room) {
        s->room = 2 * s->room + 1024;
        state *more = realloc(s->states, sizeof *more * (size_t)s->room);
        if (!more)
            return 0;
        s->states = more;
    }
    s->states[s->n_states] = (state){parent, s->queue[bound], image, level, paid};
    s->queue[bound] = (int32_t)s->n_states++;
    return 1;
}

/* Expands a state that is mapped to the last level but one at most. */
static int expand(search *s, int32_t own)
{
    const state now = s->states[own];
    int bound[MOST];
    for (int x = 0; x < s->q.n; x++)
        s->image[x] = -1;
    memset(s->is_used, 0, sizeof s->is_used);
    for (int32_t k = own; s->states[k].level > 0; k = s->states[k].parent) {
        s->image[s->order[s->states[k].level - 1]] = s->states[k].image;
        s->is_used[s->states[k].image] = 1;
    }
    fill(s, now.level);
    const int sum = assign(s);
    if (now.paid + sum >= s->best)
        return 1;
    s->best = min(s->best, whole_cost(s));
    if (now.level == s->q.n)
        return 1;
    force_first(s, sum, bound);
    for (int c = 0; c < s->n; c++) { /* half edges to open nodes are paid for by anchors later */
        const int there = (now.paid + bound[c] + 1) & ~1;
        const int x = s->row[0], y = s->column[c];
        int paid = now.paid + (s->q.label[x] != s->g.label[y] ? 2 : 0);
        for (int m = 0; m < now.level; m++) {
            const int a = s->order[m];
            paid += s->q.edge[x * s->q.n + a] != s->g.edge[y * s->g.n + s->image[a]] ? 2 : 0;
        }
        if (there < s->best && !push(s, own, y, now.level + 1, paid, there))
            return 0;
    }
    return 1;
}

/* Lower bound by the labels of nodes and the numbers of edges, doubled. */
static int count_bound(const graph *q, const graph *g)
{
    int same = 0, edges = 0, taken[MOST] = {0};
    for (int x = 0; x < q->n; x++)
        for (int y = 0; y < g->n; y++)
            if (!taken[y] && q->label[x] == g->label[y]) {
                taken[y] = 1;
                same++;
                break;
            }
    for (int k = 0; k < q->n * q->n; k++)
        edges += q->edge[k] > 0;
    for (int k = 0; k < g->n * g->n; k++)
        edges -= g->edge[k] > 0;
    return 2 * (g->n - same) + abs(edges);
}

/* The distance; MORE if it is above `most` (< 0: no such limit), OPEN after `limit` states. With
 * `most`, any map of this cost ends the search. */
int astar_bmao(graph a, graph b, int most, int64_t limit)
{
    static search s;
    s.q = a.n <= b.n ? a : b;
    s.g = a.n <= b.n ? b : a;
    if (most >= 0 && count_bound(&s.q, &s.g) > 2 * most)
        return MORE;
    order_nodes(&s);
    s.n_bounds = 2 * (s.g.n + s.g.n * s.g.n + s.q.n * s.q.n) + 4;
    s.queue = malloc(sizeof *s.queue * (size_t)s.n_bounds);
    if (!s.queue)
        return OPEN;
    for (int k = 0; k < s.n_bounds; k++)
        s.queue[k] = -1;
    s.n_states = 0;
    s.best = most >= 0 ? 2 * most + 2 : s.n_bounds - 1;
    const int first = s.best;
    int answer = push(&s, -1, -1, 0, 0, 0) ? MORE : OPEN;
    for (int bound = 0; bound < s.best && answer != OPEN;) {
        const int32_t top = s.queue[bound];
        if (top < 0) {
            bound++;
            continue;
        }
        s.queue[bound] = s.states[top].next;
        if (!expand(&s, top) || s.n_states > limit)
            answer = OPEN;
        if (most >= 0 && s.best < first)
            break;
    }
    free(s.queue);
    return answer == OPEN ? OPEN : s.best < first ? s.best / 2 : MORE;
}

/* astar_bmao of one graph and many. */
void astar_bmao_search(graph a, const graph *many, int n, int most, int64_t limit, int32_t *found)
{
    for (int k = 0; k < n; k++)
        found[k] = astar_bmao(a, many[k], most, limit);
}
