/* Edit distances of small graphs by depth-first search over maps of nodes.
 *
 * Some nodes of the smaller graph have images. The cost of that is known; the rest is bounded by an
 * assignment of the other nodes (Chang, Feng, Lin, Qin, Zhang and Ouyang, ICDE 2020, call it BMa).
 * The pair (u, v) costs there
 *     relabelling of u + relabelling of its loops
 *     + sum over nodes w with an image: the edge (u, w) becomes (v, image of w)
 *     + the half edges of u between nodes without images become those of v, by their labels.
 * A node of the larger graph that nothing is mapped to is inserted. If p is the bound and r the
 * reduced cost of a pair, no map with this pair costs less than p + r. The node with fewest images
 * whose p + r is below the best distance is next. Each assignment is a map; its cost is exact.
 *
 * The most common edges (common_edges.c) are such a distance, too: nodes cost nothing, and an edge
 * that is not common costs the same in both graphs. `strict`: nodes of different types are not
 * mapped to each other. A pair of them stands for two nodes without partners, which lose all their
 * edges.
 */
#include "subgraphs/edit_search.h"
#include "assignment/jv.h"

#include <string.h>

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void edit_search_take(edit_search *s, gm_pool *pool, int32_t n, int32_t m)
{
    const int64_t nodes = n;
    edit_side_take(&s->sides[0], pool, nodes, m);
    edit_side_take(&s->sides[1], pool, nodes, m);
    GM_TAKE(pool, nodes * nodes, s->paid);
    GM_TAKE(pool, nodes, s->insert);
    GM_TAKE(pool, nodes * nodes, s->halves);
    GM_TAKE(pool, nodes * nodes, s->cost);
    GM_TAKE(pool, nodes, s->u);
    GM_TAKE(pool, nodes, s->v);
    GM_TAKE(pool, 5 * nodes + 5, s->scratch);
    GM_TAKE(pool, nodes * nodes, s->far);
    GM_TAKE(pool, nodes, s->col_of);
    GM_TAKE(pool, nodes, s->row_of);
    GM_TAKE(pool, nodes, s->col_images);
    GM_TAKE(pool, nodes, s->map);
    GM_TAKE(pool, nodes, s->best_map);
    GM_TAKE(pool, nodes + 1, s->frame);
    int32_t *image;
    int64_t *least;
    GM_TAKE(pool, (nodes + 1) * nodes, image);
    GM_TAKE(pool, (nodes + 1) * nodes, least);
    for (int32_t k = 0; k <= n && !pool->failed; k++) {
        s->frame[k].image = image + k * nodes;
        s->frame[k].least = least + k * nodes;
    }
}

/* ---- costs */

static int64_t multiset_cost(int64_t n, int64_t m, int64_t common, int64_t single, int64_t relabel)
{
    const int64_t few = lesser(n, m) - common, more = n > m ? n - m : m - n;
    return few * relabel + more * single;
}

/* Cost to delete one entry and to insert the other. */
static int64_t exchange_cost(const edit_search *s, int32_t x, int32_t y)
{
    return 2 * s->half * ((x != 0) + (y != 0));
}

int edit_may_map(const edit_search *s, int32_t u, int32_t v)
{
    return !s->strict || s->first->graph.type[u] == s->second->graph.type[v];
}

/* Cost to turn the edges between u and w into those between v and x. */
static int64_t edges_cost(const edit_search *s, int32_t u, int32_t w, int32_t v, int32_t x)
{
    const int64_t n1 = s->first->graph.n_nodes, n2 = s->second->graph.n_nodes;
    const int32_t *one = s->first->table, *other = s->second->table;
    const int fits = edit_may_map(s, u, v) && edit_may_map(s, w, x);
    const int32_t from = one[u * n1 + w], to = other[v * n2 + x];
    const int64_t there = fits ? edit_entry_cost(s, from, to) : exchange_cost(s, from, to);
    if (!s->directed)
        return there;
    const int32_t back = one[w * n1 + u], onto = other[x * n2 + v];
    return there + (fits ? edit_entry_cost(s, back, onto) : exchange_cost(s, back, onto));
}

/* Cost to insert the edges between v and x. */
static int64_t insertion_cost(const edit_search *s, int32_t v, int32_t x)
{
    const int64_t n = s->second->graph.n_nodes;
    const int32_t *table = s->second->table;
    const int64_t there = edit_entry_cost(s, 0, table[v * n + x]);
    return s->directed && v != x ? there + edit_entry_cost(s, 0, table[x * n + v]) : there;
}

static void set_costs(edit_search *s)
{
    const gm_labelled_graph *a = &s->first->graph, *b = &s->second->graph;
    const int64_t n1 = a->n_nodes, n2 = b->n_nodes;
    for (int32_t u = 0; u < n1; u++)
        for (int32_t v = 0; v < n2; v++) {
            const int32_t from = s->first->table[u * n1 + u], to = s->second->table[v * n2 + v];
            const int64_t loops =
                edit_may_map(s, u, v) ? edit_entry_cost(s, from, to) : exchange_cost(s, from, to);
            s->paid[u * n2 + v] = (a->type[u] == b->type[v] ? 0 : s->relabel) + loops;
        }
    for (int32_t v = 0; v < n2; v++)
        s->insert[v] = s->node + insertion_cost(s, v, v);
    s->fixed = 0;
}

/* Adds the cost to turn one entry into each of a row of the second graph. */
static void charge_row(const edit_search *s, int64_t *paid, int32_t from, const int32_t *to,
                       int64_t sign)
{
    const int64_t exchange = sign * 2 * (from ? s->half_relabel : s->half);
    const int64_t end = sign * 2 * s->half;
    for (int32_t v = 0; v < s->second->graph.n_nodes; v++)
        paid[v] += to[v] == from ? 0 : to[v] ? exchange : end;
}

/* Adds the cost of edges to w, whose image is x, to all pairs of open nodes; sign -1 subtracts it.
 * Nodes are mapped and unmapped like a stack, so that both times the same pairs are open. */
static void charge_edges(edit_search *s, int32_t w, int32_t x, int64_t sign)
{
    const edit_side *first = s->first, *second = s->second;
    const int64_t n1 = first->graph.n_nodes, n2 = second->graph.n_nodes;
    for (int32_t u = 0; u < n1; u++) {
        if (first->image[u] >= 0)
            continue;
        const int32_t from = first->table[u * n1 + w];
        const int touches = from || first->table[w * n1 + u];
        if (touches && !s->directed && !s->strict) { /* all columns: images get it back, too */
            charge_row(s, s->paid + u * n2, from, second->table + x * n2, sign);
            continue;
        }
        for (int32_t v = 0; touches && v < n2; v++)
            if (second->image[v] < 0)
                s->paid[u * n2 + v] += sign * edges_cost(s, u, w, v, x);
        for (int32_t k = second->start[x]; !touches && k < second->start[x + 1]; k++) {
            const int32_t v = second->near[k]; /* half edges of both directions are two entries */
            s->paid[u * n2 + v] += sign * 2 * s->half;
        }
    }
    for (int32_t k = second->start[x]; k < second->start[x + 1]; k++)
        s->insert[second->near[k]] += sign * 2 * s->half;
}

static void map_node(edit_search *s, int32_t u, int32_t v)
{
    s->fixed += s->paid[(int64_t)u * s->second->graph.n_nodes + v];
    s->first->image[u] = v;
    s->second->image[v] = u;
    charge_edges(s, u, v, 1);
}

static void unmap_node(edit_search *s, int32_t u)
{
    const int32_t v = s->first->image[u];
    charge_edges(s, u, v, -1);
    s->first->image[u] = s->second->image[v] = -1;
    s->fixed -= s->paid[(int64_t)u * s->second->graph.n_nodes + v];
}

/* ---- bounds */

/* The first open node with the same half edges to open nodes as the i-th. */
static int32_t alike_open(const edit_side *side, int32_t i)
{
    const int32_t start = side->inner_start[i], length = side->inner_start[i + 1] - start;
    const size_t bytes = sizeof *side->inner * (size_t)length;
    int32_t k = 0;
    while (k < i && (side->inner_start[k + 1] - side->inner_start[k] != length ||
                     memcmp(side->inner + side->inner_start[k], side->inner + start, bytes) != 0))
        k++;
    return k;
}

/* Lists the nodes without images and the half edges between them; returns how many nodes. */
static int32_t list_open(edit_side *side)
{
    int32_t n = 0, filled = 0;
    for (int32_t u = 0; u < side->graph.n_nodes; u++) {
        if (side->image[u] >= 0)
            continue;
        side->inner_start[n] = filled;
        side->open[n] = u;
        for (int32_t k = side->start[u]; k < side->start[u + 1]; k++)
            if (side->image[side->near[k]] < 0)
                side->inner[filled++] = side->code[k];
        side->inner_start[n + 1] = filled;
        side->alike[n] = alike_open(side, n);
        n++;
    }
    side->inner_start[n] = filled;
    return n;
}

/* Cost to turn the half edges of the i-th open node into those of the k-th. */
static int64_t half_edge_cost(const edit_search *s, int32_t i, int32_t k)
{
    const int32_t *x = s->first->inner + s->first->inner_start[i];
    const int32_t *y = s->second->inner + s->second->inner_start[k];
    const int32_t n = s->first->inner_start[i + 1] - s->first->inner_start[i];
    const int32_t m = s->second->inner_start[k + 1] - s->second->inner_start[k];
    if (s->n_kinds <= 1 && !s->directed)
        return multiset_cost(n, m, n < m ? n : m, s->half, s->half_relabel);
    int32_t common = 0;
    for (int32_t p = 0, q = 0; p < n && q < m;) {
        const int32_t here = x[p], there = y[q];
        common += here == there;
        p += here <= there;
        q += there <= here;
    }
    return multiset_cost(n, m, common, s->half, s->half_relabel);
}

/* Fills the costs of half edges, s->halves, row by row; nodes with the same ones share them. */
static void fill_halves(edit_search *s, int32_t rows, int32_t n)
{
    for (int32_t i = 0; i < rows; i++) {
        int64_t *row = s->halves + (int64_t)i * n;
        if (s->first->alike[i] < i) {
            memcpy(row, s->halves + (int64_t)s->first->alike[i] * n, sizeof *row * (size_t)n);
            continue;
        }
        for (int32_t k = 0; k < n; k++) {
            const int32_t alike = s->second->alike[k];
            row[k] = alike < k ? row[alike] : half_edge_cost(s, i, k);
        }
    }
    for (int32_t i = rows; i < n; i++)
        for (int32_t k = 0; k < n; k++)
            s->halves[(int64_t)i * n + k] =
                (s->second->inner_start[k + 1] - s->second->inner_start[k]) * s->half;
}

/* Cost of all half edges of the i-th and of the k-th open node. */
static int64_t all_halves(const edit_search *s, int32_t i, int32_t k)
{
    const int32_t *one = s->first->inner_start + i, *other = s->second->inner_start + k;
    return (one[1] - one[0] + other[1] - other[0]) * s->half;
}

/* Assigns the open nodes of both graphs; returns the bound. */
static int64_t assign_open(edit_search *s, int32_t rows, int32_t n)
{
    const int64_t n2 = s->second->graph.n_nodes;
    fill_halves(s, rows, n);
    for (int32_t i = 0; i < n; i++) {
        const int64_t *paid = i < rows ? s->paid + s->first->open[i] * n2 : s->insert;
        const int64_t *halves = s->halves + (int64_t)i * n;
        int64_t *cost = s->cost + (int64_t)i * n;
        for (int32_t k = 0; k < n; k++)
            cost[k] = paid[s->second->open[k]] + halves[k];
        for (int32_t k = 0; s->strict && i < rows && k < n; k++)
            if (!edit_may_map(s, s->first->open[i], s->second->open[k]))
                cost[k] = paid[s->second->open[k]] + all_halves(s, i, k);
    }
    if (n > 0)
        gm_jv(n, s->cost, s->col_of, s->row_of, s->u, s->v, s->scratch, NULL);
    int64_t sum = s->fixed;
    for (int32_t i = 0; i < n; i++)
        sum += s->cost[(int64_t)i * n + s->col_of[i]];
    return sum;
}

/* The largest distance that is better than the best one: all are of the form rest + k * unit. */
static int64_t still_better(const edit_search *s)
{
    return s->best <= s->rest ? s->best - 1 : (s->best - 1 - s->rest) / s->unit * s->unit + s->rest;
}

/* Writes the map that the assignment is. */
static void map_assignment(const edit_search *s, int32_t rows, int32_t *map)
{
    for (int32_t u = 0; u < s->first->graph.n_nodes; u++)
        map[u] = s->first->image[u];
    for (int32_t i = 0; i < rows; i++)
        map[s->first->open[i]] = s->second->open[s->col_of[i]];
}

/* Keeps the map that the assignment is and its cost, if that is less. */
static void try_assignment(edit_search *s, int32_t rows)
{
    map_assignment(s, rows, s->map);
    int64_t cost = edit_map_cost(s, s->map);
    if (cost < s->best)
        cost = edit_descend(s, cost);
    if (cost < s->best) {
        s->best = cost;
        memcpy(s->best_map, s->map, sizeof *s->map * (size_t)s->first->graph.n_nodes);
    }
}

/* Fills s->far: far[i * n + k] is the least cost of a chain of exchanges in which row i gets the
 * column of row k, row k that of another row, and so on, until a row is left without a column
 * (shortest paths). */
static void measure_exchanges(edit_search *s, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        const int64_t *cost = s->cost + (int64_t)i * n;
        int64_t *far = s->far + (int64_t)i * n;
        for (int32_t k = 0; k < n; k++)
            far[k] = cost[s->col_of[k]] - s->u[i] - s->v[s->col_of[k]];
    }
    for (int32_t m = 0; m < n; m++) {
        const int64_t *on = s->far + (int64_t)m * n;
        for (int32_t i = 0; i < n; i++) {
            int64_t *far = s->far + (int64_t)i * n;
            const int64_t there = far[m];
            for (int32_t k = 0; k < n; k++)
                far[k] = lesser(far[k], there + on[k]);
        }
    }
}

/* Bound of the maps with the pair of the i-th and the k-th open node: the least assignment that has
 * it (Chang, Feng, Yao, Qin and Zhang, TKDE 2022, call it BMao). */
static int64_t pair_bound(const edit_search *s, int32_t n, int64_t bound, int32_t i, int32_t k)
{
    const int32_t row = s->row_of[k];
    const int64_t reduced = s->cost[(int64_t)i * n + k] - s->u[i] - s->v[k];
    return bound + reduced + (row == i ? 0 : s->far[(int64_t)row * n + i]);
}

/* How good an open node is to be next: of fewest images below the best distance, then of the most
 * neighbours that have images. */
typedef struct edit_choice {
    int32_t turned; /* 1: a node of the second graph */
    int32_t place;  /* among the open nodes */
    int32_t images, near;
} edit_choice;

/* Neighbours of the i-th open node that have images. */
static int32_t mapped_neighbours(const edit_side *side, int32_t i)
{
    const int32_t u = side->open[i];
    return side->start[u + 1] - side->start[u] - (side->inner_start[i + 1] - side->inner_start[i]);
}

static void compare_choices(edit_choice *best, edit_choice other)
{
    if (other.images < best->images || (other.images == best->images && other.near > best->near))
        *best = other;
}

/* The next node; one of the second graph only if all of those have images in the end. */
static edit_choice choose_node(const edit_search *s, int32_t rows, int32_t n, int64_t bound)
{
    const int64_t most = still_better(s);
    edit_choice best = {.images = INT32_MAX};
    for (int32_t k = 0; k < n; k++)
        s->col_images[k] = 0;
    for (int32_t i = 0; i < rows; i++) {
        int32_t images = 0;
        for (int32_t k = 0; k < n; k++) {
            const int32_t is_image = pair_bound(s, n, bound, i, k) <= most;
            images += is_image;
            s->col_images[k] += is_image;
        }
        compare_choices(&best, (edit_choice){0, i, images, mapped_neighbours(s->first, i)});
    }
    for (int32_t k = 0; rows == n && k < n; k++)
        compare_choices(&best,
                        (edit_choice){1, k, s->col_images[k], mapped_neighbours(s->second, k)});
    return best;
}

/* Adds an image in the order of bounds, unless one that can be exchanged with it is there. */
static void add_try(const edit_side *side, edit_frame *f, int32_t v, int64_t least)
{
    for (int32_t k = 0; k < f->n_tries; k++)
        if (side->twin[f->image[k]] == side->twin[v])
            return;
    int32_t k = f->n_tries++;
    for (; k > 0 && f->least[k - 1] > least; k--) {
        f->least[k] = f->least[k - 1];
        f->image[k] = f->image[k - 1];
    }
    f->least[k] = least;
    f->image[k] = v;
}

/* Fills a frame: no tries if nothing below the best distance is possible. */
static void open_frame(edit_search *s, edit_frame *f)
{
    const int32_t rows = list_open(s->first), n = list_open(s->second);
    s->work += (int64_t)n * n + s->second->graph.n_nodes;
    s->n_frames++;
    f->n_tries = f->next = 0;
    const int64_t bound = assign_open(s, rows, n);
    if (s->n_frames == 1) { /* no node has an image */
        s->root_bound = bound;
        map_assignment(s, rows, s->best_map);
    }
    if (bound > still_better(s))
        return;
    try_assignment(s, rows);
    const int64_t most = still_better(s);
    if (bound > most || rows == 0)
        return;
    measure_exchanges(s, n);
    const edit_choice next = choose_node(s, rows, n, bound);
    const edit_side *own = next.turned ? s->second : s->first;
    const edit_side *other = next.turned ? s->first : s->second;
    f->turned = next.turned;
    f->node = own->open[next.place];
    for (int32_t k = 0; k < (next.turned ? rows : n); k++) {
        const int64_t least = next.turned ? pair_bound(s, n, bound, k, next.place)
                                          : pair_bound(s, n, bound, next.place, k);
        if (least <= most)
            add_try(other, f, other->open[k], least);
    }
}

/* ---- search */

static void order_sides(edit_search *s)
{
    const int swap = s->sides[0].graph.n_nodes > s->sides[1].graph.n_nodes;
    s->first = &s->sides[swap];
    s->second = &s->sides[!swap];
    for (int k = 0; k < 2; k++)
        for (int32_t u = 0; u < s->sides[k].graph.n_nodes; u++)
            s->sides[k].image[u] = -1;
}

void edit_search_begin(edit_search *s, int64_t limit)
{
    order_sides(s);
    set_costs(s);
    s->best = limit + 1;
    s->work = s->n_frames = 0;
    s->depth = 0;
    s->frame[0].done = 0.0;
    s->frame[0].part = 1.0;
    open_frame(s, &s->frame[0]);
}

void edit_search_go(edit_search *s, int64_t max_work, int64_t max_frames)
{
    while (s->depth >= 0 && s->work <= max_work && s->n_frames < max_frames) {
        edit_frame *f = &s->frame[s->depth];
        if (f->next < f->n_tries && f->least[f->next] <= still_better(s)) {
            const int32_t image = f->image[f->next];
            f->mapped = f->turned ? image : f->node;
            map_node(s, f->mapped, f->turned ? f->node : image);
            edit_frame *child = &s->frame[++s->depth];
            child->part = f->part / f->n_tries;
            child->done = f->done + child->part * f->next++;
            open_frame(s, child);
        } else if (--s->depth >= 0) {
            unmap_node(s, s->frame[s->depth].mapped);
        }
    }
}

int64_t edit_search_run(edit_search *s, int64_t limit, int64_t max_work)
{
    edit_search_begin(s, limit);
    edit_search_go(s, max_work, INT64_MAX);
    if (s->depth >= 0)
        return EDIT_OPEN;
    return s->best > limit ? EDIT_MORE : s->best;
}

int64_t edit_root_bound(const edit_search *s)
{
    return (s->root_bound + s->unit - 1) / s->unit * s->unit;
}

int64_t edit_best_cost(const edit_search *s)
{
    return edit_map_cost(s, s->best_map);
}

int64_t edit_search_bound(const edit_search *s)
{
    const edit_frame *root = &s->frame[0];
    if (s->depth < 0 || root->n_tries == 0)
        return s->best;
    return lesser(root->least[root->next > 0 ? root->next - 1 : 0], s->best);
}

double edit_search_progress(const edit_search *s)
{
    return s->depth >= 0 ? s->frame[s->depth].done : 1.0;
}
