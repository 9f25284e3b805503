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
#include "base/lanes.h"
#include "subgraphs/word.h"

#include <string.h>

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int32_t whole_width(int32_t n)
{
    return (n + EDIT_LANES - 1) / EDIT_LANES * EDIT_LANES;
}

/* At most this many different codes of half edges. */
static int64_t most_codes(const edit_search *s, int64_t m)
{
    const int64_t codes = (int64_t)s->n_kinds * (s->directed ? 2 : 1);
    return lesser(2 * m, s->strict ? codes * s->n_types : codes);
}

void edit_search_take(edit_search *s, gm_pool *pool, int32_t n, int32_t m)
{
    const int64_t nodes = n, width = whole_width(n);
    edit_side_take(&s->sides[0], pool, nodes, m);
    edit_side_take(&s->sides[1], pool, nodes, m);
    GM_TAKE(pool, nodes * width, s->there);
    GM_TAKE(pool, nodes * width, s->onto);
    GM_TAKE(pool, nodes * width, s->join);
    GM_TAKE(pool, 2 * (int64_t)m, s->codes);
    GM_TAKE(pool, most_codes(s, m) * width, s->count);
    GM_TAKE(pool, nodes * width, s->paid);
    GM_TAKE(pool, width, s->insert);
    GM_TAKE(pool, width, s->blocked);
    GM_TAKE(pool, nodes, s->row);
    GM_TAKE(pool, nodes * width, s->cost);
    GM_TAKE(pool, nodes, s->u);
    GM_TAKE(pool, width, s->v);
    GM_TAKE(pool, nodes, s->col_of);
    GM_TAKE(pool, nodes, s->row_of);
    GM_TAKE(pool, width, s->common);
    GM_TAKE(pool, width, s->far);
    GM_TAKE(pool, width, s->done);
    GM_TAKE(pool, width, s->before);
    GM_TAKE(pool, nodes * width, s->swap);
    GM_TAKE(pool, nodes * width, s->chain);
    GM_TAKE(pool, nodes, s->col_images);
    GM_TAKE(pool, nodes, s->map);
    GM_TAKE(pool, nodes, s->best_map);
    GM_TAKE(pool, nodes + 1, s->frame);
    int32_t *image, *partner, *v;
    int64_t *least;
    GM_TAKE(pool, (nodes + 1) * nodes, image);
    GM_TAKE(pool, (nodes + 1) * nodes, least);
    GM_TAKE(pool, (nodes + 1) * nodes, partner);
    GM_TAKE(pool, (nodes + 1) * width, v);
    for (int32_t k = 0; k <= n && !pool->failed; k++) {
        s->frame[k].image = image + k * nodes;
        s->frame[k].least = least + k * nodes;
        s->frame[k].partner = partner + k * nodes;
        s->frame[k].v = v + k * width;
    }
}

/* ---- costs */

/* Cost to delete one entry and to insert the other. */
static int32_t exchange_cost(const edit_search *s, int32_t x, int32_t y)
{
    return 2 * s->half * ((x != 0) + (y != 0));
}

int edit_may_map(const edit_search *s, int32_t u, int32_t v)
{
    return !s->strict || s->first->graph.type[u] == s->second->graph.type[v];
}

/* Cost to turn the edges between u and w into those between v and x. */
static int32_t edges_cost(const edit_search *s, int32_t u, int32_t w, int32_t v, int32_t x)
{
    const int64_t n1 = s->first->graph.n_nodes, n2 = s->second->graph.n_nodes;
    const int32_t *one = s->first->table, *other = s->second->table;
    const int fits = edit_may_map(s, u, v) && edit_may_map(s, w, x);
    const int32_t from = one[u * n1 + w], to = other[v * n2 + x];
    const int32_t there = fits ? edit_entry_cost(s, from, to) : exchange_cost(s, from, to);
    if (!s->directed)
        return there;
    const int32_t back = one[w * n1 + u], onto = other[x * n2 + v];
    return there + (fits ? edit_entry_cost(s, back, onto) : exchange_cost(s, back, onto));
}

/* Fills the rows of edges of the second graph, and the costs to insert them; 0 behind the last
 * node. */
static void set_edges(edit_search *s)
{
    const int32_t n = s->second->graph.n_nodes;
    for (int32_t x = 0; x < n; x++)
        for (int32_t v = 0; v < s->width; v++) {
            const int64_t at = (int64_t)x * s->width + v;
            s->there[at] = v < n ? s->second->table[(int64_t)x * n + v] : 0;
            s->onto[at] = v < n ? s->second->table[(int64_t)v * n + x] : 0;
            s->join[at] = edit_entry_cost(s, 0, s->there[at]);
            if (s->directed && v != x)
                s->join[at] += edit_entry_cost(s, 0, s->onto[at]);
        }
}

/* Fills the costs before any node has an image. A search that is given up leaves its own in all
 * columns, those behind the last node included. */
static void set_costs(edit_search *s)
{
    const gm_labelled_graph *a = &s->first->graph, *b = &s->second->graph;
    const int64_t n1 = a->n_nodes, n2 = b->n_nodes;
    memset(s->paid, 0, sizeof *s->paid * (size_t)(n1 * s->width));
    memset(s->insert, 0, sizeof *s->insert * (size_t)s->width);
    for (int32_t u = 0; u < n1; u++)
        for (int32_t v = 0; v < n2; v++) {
            const int32_t from = s->first->table[u * n1 + u], to = s->second->table[v * n2 + v];
            const int32_t loops =
                edit_may_map(s, u, v) ? edit_entry_cost(s, from, to) : exchange_cost(s, from, to);
            s->paid[(int64_t)u * s->width + v] =
                (a->type[u] == b->type[v] ? 0 : s->relabel) + loops;
        }
    for (int32_t v = 0; v < n2; v++)
        s->insert[v] = s->node + s->join[(int64_t)v * s->width + v];
    for (int32_t v = 0; v < s->width; v++)
        s->blocked[v] = v < n2 ? 0 : EDIT_FAR;
    s->fixed = 0;
}

/* Counts the half edges of both graphs. */
static void count_half_edges(edit_search *s)
{
    memset(s->count, 0, sizeof *s->count * (size_t)(s->n_codes * s->width));
    memset(s->second->inner, 0, sizeof *s->second->inner * (size_t)s->width);
    for (int k = 0; k < 2; k++) {
        const edit_side *side = &s->sides[k];
        for (int32_t u = 0; u < side->graph.n_nodes; u++)
            side->inner[u] = side->start[u + 1] - side->start[u];
    }
    for (int32_t v = 0; v < s->second->graph.n_nodes; v++)
        for (int32_t e = s->second->start[v]; e < s->second->start[v + 1]; e++)
            if (s->second->number[e] >= 0)
                s->count[(int64_t)s->second->number[e] * s->width + v]++;
}

int edit_costs_fit(const edit_search *s)
{
    const gm_labelled_graph *a = &s->sides[0].graph, *b = &s->sides[1].graph;
    const double nodes = (double)a->n_nodes + b->n_nodes, edges = (double)a->n_edges + b->n_edges;
    const double node = (double)s->node + s->relabel, half = (double)s->half + s->half_relabel;
    const double most = nodes * node + 2.0 * edges * half;
    return (nodes + 1) * most < EDIT_FAR / 4; /* duals are sums of as many path lengths */
}

/* Adds the cost to turn one entry into each of a row of the second graph. */
INLINE void charge_row(const edit_search *s, int32_t *restrict paid, int32_t from,
                       const int32_t *restrict to, int32_t sign)
{
    const int32_t exchange = sign * 2 * (from ? s->half_relabel : s->half);
    const int32_t end = sign * 2 * s->half;
    for (int32_t v = 0; v < s->width; v++)
        paid[v] += to[v] == from ? 0 : to[v] ? exchange : end;
}

INLINE void add_row(int32_t *restrict paid, const int32_t *restrict cost, int32_t sign,
                    int32_t width)
{
    for (int32_t v = 0; v < width; v++)
        paid[v] += sign * cost[v];
}

/* Adds the cost of edges to w, whose image is x, to all pairs of open nodes; sign -1 subtracts it.
 * Nodes are mapped and unmapped like a stack, so that both times the same rows are open. */
GM_WIDE static void charge_edges(edit_search *s, int32_t w, int32_t x, int32_t sign)
{
    const edit_side *first = s->first;
    const int64_t n1 = first->graph.n_nodes, row = (int64_t)x * s->width;
    for (int32_t u = 0; u < n1; u++) {
        if (first->image[u] >= 0)
            continue;
        int32_t *paid = s->paid + (int64_t)u * s->width;
        const int32_t to = first->table[u * n1 + w], back = first->table[w * n1 + u];
        if (!to && !back) {
            add_row(paid, s->join + row, sign, s->width);
        } else if (s->strict) {
            for (int32_t v = 0; v < s->second->graph.n_nodes; v++)
                paid[v] += sign * edges_cost(s, u, w, v, x);
        } else {
            charge_row(s, paid, to, s->onto + row, sign);
            if (s->directed)
                charge_row(s, paid, back, s->there + row, sign);
        }
    }
    add_row(s->insert, s->join + row, sign, s->width);
}

/* Counts the half edges of the neighbours of two nodes that get images, or lose them. */
static void count_neighbours(edit_search *s, int32_t w, int32_t x, int32_t sign)
{
    const edit_side *first = s->first, *second = s->second;
    for (int32_t e = first->start[w]; e < first->start[w + 1]; e++)
        first->inner[first->near[e]] += sign;
    for (int32_t e = second->start[x]; e < second->start[x + 1]; e++) {
        second->inner[second->near[e]] += sign;
        if (second->from[e] >= 0)
            s->count[(int64_t)second->from[e] * s->width + second->near[e]] += sign;
    }
}

static void map_node(edit_search *s, int32_t u, int32_t v)
{
    s->fixed += s->paid[(int64_t)u * s->width + v];
    s->first->image[u] = v;
    s->second->image[v] = u;
    s->blocked[v] = EDIT_FAR;
    charge_edges(s, u, v, 1);
    count_neighbours(s, u, v, -1);
}

static void unmap_node(edit_search *s, int32_t u)
{
    const int32_t v = s->first->image[u];
    count_neighbours(s, u, v, 1);
    charge_edges(s, u, v, -1);
    s->blocked[v] = 0;
    s->first->image[u] = s->second->image[v] = -1;
    s->fixed -= s->paid[(int64_t)u * s->width + v];
}

/* ---- bounds */

/* The largest distance that is better than the best one: all are of the form rest + k * unit. */
static int64_t still_better(const edit_search *s)
{
    return s->best <= s->rest ? s->best - 1 : (s->best - 1 - s->rest) / s->unit * s->unit + s->rest;
}

/* Writes the map that the assignment is. */
static void map_assignment(const edit_search *s, int32_t *map)
{
    for (int32_t u = 0; u < s->first->graph.n_nodes; u++)
        map[u] = s->first->image[u] >= 0 ? s->first->image[u] : s->col_of[u];
}

/* Keeps the map that the assignment is and its cost, if that is less; `improve`: it is improved by
 * exchanges in any case. */
static void try_assignment(edit_search *s, int improve)
{
    map_assignment(s, s->map);
    int64_t cost = edit_map_cost(s, s->map);
    if (cost < s->best || improve)
        cost = edit_descend(s, cost);
    if (cost < s->best) {
        s->best = cost;
        memcpy(s->best_map, s->map, sizeof *s->map * (size_t)s->first->graph.n_nodes);
    }
}

/* How much more than the assignment a map costs at least that gives the i-th open row the column
 * of the r-th: the least assignment that has the pair (Chang, Feng, Yao, Qin and Zhang, TKDE 2022,
 * call it BMao). */
static int32_t pair_cost(const edit_search *s, int32_t i, int32_t r)
{
    const int64_t at = (int64_t)i * s->width + r;
    return s->swap[at] + s->chain[at];
}

/* How good an open node is to be next: of fewest images below the best distance, then of the most
 * neighbours that have images. */
typedef struct edit_choice {
    int32_t turned; /* 1: a node of the second graph */
    int32_t place;  /* among the open rows: its own, or that of its partner */
    int32_t images, near;
} edit_choice;

/* Neighbours of a node that have images. */
static int32_t mapped_neighbours(const edit_side *side, int32_t u)
{
    return side->start[u + 1] - side->start[u] - side->inner[u];
}

static void compare_choices(edit_choice *best, edit_choice other)
{
    if (other.images < best->images || (other.images == best->images && other.near > best->near))
        *best = other;
}

/* Adds the images of an open row below the best distance to the counts of its columns; returns how
 * many they are. */
INLINE int32_t count_images(const int32_t *restrict swap, const int32_t *restrict chain,
                            int32_t *restrict counted, int32_t n, int32_t most)
{
    int32_t images = 0;
    for (int32_t r = 0; r < n; r++) {
        const int32_t is_image = swap[r] + chain[r] <= most;
        images += is_image;
        counted[r] += is_image;
    }
    return images;
}

/* The next node; one of the second graph only if all of those have images in the end. */
GM_WIDE static edit_choice choose_node(const edit_search *s, int32_t most)
{
    edit_choice best = {.images = INT32_MAX};
    const int32_t n = s->n_rows;
    memset(s->col_images, 0, sizeof *s->col_images * (size_t)n);
    for (int32_t i = 0; i < s->n_open; i++) {
        const int64_t at = (int64_t)i * s->width;
        const int32_t images = count_images(s->swap + at, s->chain + at, s->col_images, n, most);
        compare_choices(&best, (edit_choice){0, i, images, mapped_neighbours(s->first, s->row[i])});
    }
    for (int32_t r = 0; s->n_open == n && r < n; r++) {
        const int32_t near = mapped_neighbours(s->second, s->col_of[s->row[r]]);
        compare_choices(&best, (edit_choice){1, r, s->col_images[r], near});
    }
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

/* The guessed size of the subtree of the k-th try, that of the first one is 1: a third for each
 * unit by which its bound is higher. */
static double subtree_size(const edit_search *s, const edit_frame *f, int32_t k)
{
    static const double SIZE[] = {1.0, 1.0 / 3, 1.0 / 9, 1.0 / 27, 1.0 / 81};
    const int64_t units = (f->least[k] - f->least[0]) / s->unit;
    return SIZE[units < 4 ? units : 4];
}

/* Fills the tries of a frame by the costs of exchanges. */
static void list_tries(const edit_search *s, edit_frame *f, int64_t bound, int32_t most)
{
    const edit_choice next = choose_node(s, most);
    const int32_t at = s->row[next.place];
    f->turned = next.turned;
    f->node = next.turned ? s->col_of[at] : at;
    for (int32_t r = 0; r < (next.turned ? s->n_open : s->n_rows); r++) {
        const int32_t more =
            next.turned ? pair_cost(s, r, next.place) : pair_cost(s, next.place, r);
        const int32_t image = next.turned ? s->row[r] : s->col_of[s->row[r]];
        if (more <= most)
            add_try(next.turned ? s->first : s->second, f, image, bound + more);
    }
    f->total = 0.0;
    for (int32_t k = 0; s->is_shared && k < f->n_tries; k++)
        f->total += subtree_size(s, f, k);
}

/* Fills a frame: no tries if nothing below the best distance is possible. above: the frame before
 * it, whose assignment is nearly the same, or NULL. */
static void open_frame(edit_search *s, edit_frame *f, const edit_frame *above)
{
    const int32_t n2 = s->second->graph.n_nodes;
    const size_t bytes = sizeof *s->v * (size_t)s->width;
    edit_fill_costs(s);
    s->work += (int64_t)s->n_rows * s->n_rows + n2;
    s->n_frames++;
    f->n_tries = f->next = 0;
    if (above) {
        memcpy(s->v, above->v, bytes);
    } else {
        memset(s->v, 0, bytes);
        for (int32_t k = 0; k < n2; k++)
            f->partner[k] = -1;
    }
    const int64_t before = above ? still_better(s) : INT64_MAX;
    const int64_t bound = edit_assign(s, above ? above->partner : f->partner, before);
    if (!above) { /* no node has an image */
        s->root_bound = bound;
        map_assignment(s, s->best_map);
    }
    if (bound > still_better(s))
        return;
    try_assignment(s, !above && s->is_shared);
    const int64_t most = lesser(still_better(s) - bound, EDIT_FAR);
    if (most < 0 || s->n_open == 0)
        return;
    edit_measure_exchanges(s, most);
    list_tries(s, f, bound, (int32_t)most);
    memcpy(f->v, s->v, bytes);
    memcpy(f->partner, s->col_of, sizeof *f->partner * (size_t)n2);
}

/* ---- search */

static void order_sides(edit_search *s)
{
    const int swap = s->sides[0].graph.n_nodes > s->sides[1].graph.n_nodes;
    s->first = &s->sides[swap];
    s->second = &s->sides[!swap];
    s->width = whole_width(s->second->graph.n_nodes);
    for (int k = 0; k < 2; k++)
        for (int32_t u = 0; u < s->sides[k].graph.n_nodes; u++)
            s->sides[k].image[u] = -1;
}

void edit_search_begin(edit_search *s, int64_t limit)
{
    order_sides(s);
    edit_number_codes(s);
    count_half_edges(s);
    set_edges(s);
    set_costs(s);
    s->best = limit + 1;
    s->work = s->n_frames = 0;
    s->depth = 0;
    s->frame[0].done = 0.0;
    s->frame[0].part = 1.0;
    open_frame(s, &s->frame[0], NULL);
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
            if (s->is_shared) {
                child->part = f->part * subtree_size(s, f, f->next) / f->total;
                child->done = f->done;
                f->done += child->part;
            }
            f->next++;
            open_frame(s, child, f);
        } else if (--s->depth >= 0) {
            unmap_node(s, s->frame[s->depth].mapped);
        }
    }
}

int64_t edit_search_run(edit_search *s, int64_t limit, int64_t max_work)
{
    if (!edit_costs_fit(s))
        return EDIT_OPEN;
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
