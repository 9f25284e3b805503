/* Colour refinement with a queue of cells that still have to split others; of the parts of a cell
 * that is split, the largest needs not to be queued (Hopcroft 1971; Paige and Tarjan 1987). */
#include "subgraphs/refine.h"
#include "base/random.h"

#include <stdlib.h>

typedef struct sub_keyed {
    int32_t cell, node;
    uint64_t count;
} keyed;

static int compare_keyed(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    if (x->cell != y->cell)
        return x->cell < y->cell ? -1 : 1;
    if (x->count != y->count)
        return x->count < y->count ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static void enqueue(sub_cells *c, int32_t cell)
{
    if (c->queued[cell])
        return;
    c->queued[cell] = 1;
    c->queue[(c->head + c->n_queued++) % (2 * c->n)] = cell;
}

/* A random number for each kind of edge: their sum over the neighbours in the splitter stands for
 * how often each kind occurs. Equal sums of different kinds would only leave a cell too large. */
static uint64_t code_of(int32_t there, int32_t back)
{
    gm_random random = {(uint64_t)(uint32_t)there << 32 | (uint32_t)back};
    return gm_random_bits(&random) | 1;
}

/* Adds up how all nodes touch the members of a cell; returns how many nodes do. */
static int32_t count_touching(sub_cells *c, int32_t n_members)
{
    int32_t n_touched = 0;
    for (int32_t k = 0; k < n_members; k++) {
        const int32_t shift = c->member[k] < c->n ? 0 : c->n;
        const sub_neighbours *near = shift ? c->second : c->first;
        const int32_t u = c->member[k] - shift;
        for (int64_t e = near->start[u]; e < near->start[u + 1]; e++) {
            const int32_t v = near->node[e] + shift;
            if (!c->is_touched[v])
                c->touched[n_touched++] = v;
            c->is_touched[v] = 1;
            c->count[v] += code_of(near->there[e], near->back[e]);
        }
        c->work += near->start[u + 1] - near->start[u];
    }
    return n_touched;
}

static void put(sub_cells *c, int32_t place, int32_t node)
{
    c->order[place] = node;
    c->place[node] = place;
}

/* Whether as many of these nodes are in the first graph as in the second. */
static int is_balanced(const sub_cells *c, const int32_t *node, int32_t n)
{
    int32_t n_first = 0;
    for (int32_t k = 0; k < n; k++)
        n_first += node[k] < c->n;
    return 2 * n_first == n;
}

/* Makes a cell of the nodes at these places, the end of a part of another one. */
static void cut_off(sub_cells *c, int32_t from, int32_t at, int32_t length)
{
    if (at != from) {
        c->made_from[c->n_splits] = from;
        c->made[c->n_splits++] = at;
    }
    c->length[at] = length;
    for (int32_t k = at; k < at + length; k++)
        c->cell[c->order[k]] = at;
}

/* Splits one cell: its touched nodes, sorted by count in key[0 .. n - 1], become its end. 0: a part
 * has more nodes of one graph. */
static int split_cell(sub_cells *c, const keyed *key, int32_t n)
{
    const int32_t cell = key[0].cell, length = c->length[cell], stay = length - n;
    if (stay == 0 && key[0].count == key[n - 1].count)
        return 1;
    for (int32_t k = 0; k < n; k++) { /* change places with the node that is there */
        const int32_t to = cell + stay + k, from = c->place[key[k].node];
        const int32_t other = c->order[to];
        put(c, from, other);
        put(c, to, key[k].node);
    }
    int32_t largest = cell, most = stay;
    const int was_queued = c->queued[cell];
    c->length[cell] = stay;
    for (int32_t k = 0, begin = 0; k < n; k++) {
        if (k + 1 < n && key[k + 1].count == key[k].count)
            continue;
        const int32_t at = cell + stay + begin, size = k + 1 - begin;
        cut_off(c, cell, at, size);
        if (size > most) {
            most = size;
            largest = at;
        }
        begin = k + 1;
    }
    int balanced = 1;
    for (int32_t at = cell; at < cell + length; at += c->length[at]) {
        balanced = balanced && is_balanced(c, c->order + at, c->length[at]);
        if (was_queued || at != largest)
            enqueue(c, at);
    }
    return balanced;
}

/* Splits the cells that the next one of the queue touches. 0: one has become unbalanced. */
static int split_by_next(sub_cells *c)
{
    const int32_t splitter = c->queue[c->head];
    c->head = (c->head + 1) % (2 * c->n);
    c->n_queued--;
    c->queued[splitter] = 0;
    const int32_t n_members = c->length[splitter];
    for (int32_t k = 0; k < n_members; k++)
        c->member[k] = c->order[splitter + k];
    const int32_t n_touched = count_touching(c, n_members);
    for (int32_t k = 0; k < n_touched; k++) {
        const int32_t u = c->touched[k];
        c->key[k] = (keyed){c->cell[u], u, c->count[u]};
        c->count[u] = 0;
        c->is_touched[u] = 0;
    }
    qsort(c->key, (size_t)n_touched, sizeof *c->key, compare_keyed);
    int balanced = 1;
    for (int32_t k = 0, begin = 0; balanced && k < n_touched; k++)
        if (k + 1 == n_touched || c->key[k + 1].cell != c->key[k].cell) {
            balanced = split_cell(c, c->key + begin, k + 1 - begin);
            begin = k + 1;
        }
    return balanced;
}

int sub_cells_refine(sub_cells *c)
{
    int balanced = 1;
    while (balanced && c->n_queued > 0)
        balanced = split_by_next(c);
    for (; c->n_queued > 0; c->n_queued--) {
        c->queued[c->queue[c->head]] = 0;
        c->head = (c->head + 1) % (2 * c->n);
    }
    return balanced;
}

void sub_cells_take(sub_cells *c, gm_pool *pool, const sub_neighbours *first,
                    const sub_neighbours *second)
{
    const int64_t all = 2 * (int64_t)first->n_nodes;
    c->first = first;
    c->second = second;
    c->n = first->n_nodes;
    GM_TAKE(pool, all, c->order);
    GM_TAKE(pool, all, c->place);
    GM_TAKE(pool, all, c->cell);
    GM_TAKE(pool, all, c->length);
    GM_TAKE(pool, all, c->queue);
    GM_TAKE(pool, all, c->queued);
    GM_TAKE(pool, all, c->count);
    GM_TAKE(pool, all, c->touched);
    GM_TAKE(pool, all, c->is_touched);
    GM_TAKE(pool, all, c->member);
    GM_TAKE(pool, all, c->key);
    GM_TAKE(pool, all, c->made_from);
    GM_TAKE(pool, all, c->made);
}

int sub_cells_begin(sub_cells *c, const int32_t *number1, const int32_t *number2)
{
    const int32_t n = c->n;
    int balanced = 1;
    for (int32_t u = 0; u < 2 * n; u++) {
        c->key[u] = (keyed){u < n ? number1[u] : number2[u - n], u, 0};
        c->length[u] = 0;
    }
    qsort(c->key, 2 * (size_t)n, sizeof *c->key, compare_keyed);
    for (int32_t k = 0, begin = 0; k < 2 * n; k++) {
        begin = k && c->key[k].cell != c->key[k - 1].cell ? k : begin;
        put(c, k, c->key[k].node);
        c->cell[c->key[k].node] = begin;
        c->length[begin]++;
    }
    for (int32_t at = 0; at < 2 * n; at += c->length[at]) {
        balanced = balanced && is_balanced(c, c->order + at, c->length[at]);
        enqueue(c, at);
    }
    return balanced;
}

void sub_cells_pair(sub_cells *c, int32_t u, int32_t v)
{
    const int32_t cell = c->cell[u], length = c->length[cell];
    if (length == 2)
        return;
    const int32_t pair[2] = {u, v + c->n};
    for (int32_t k = 0; k < 2; k++) {
        const int32_t to = cell + length - 1 - k, from = c->place[pair[k]];
        const int32_t other = c->order[to];
        put(c, from, other);
        put(c, to, pair[k]);
    }
    c->length[cell] = length - 2;
    cut_off(c, cell, cell + length - 2, 2);
    enqueue(c, cell + length - 2); /* the smaller part is enough */
}

void sub_cells_undo(sub_cells *c, int32_t n_splits)
{
    while (c->n_splits > n_splits) {
        const int32_t at = c->made[--c->n_splits], into = c->made_from[c->n_splits];
        for (int32_t k = at; k < at + c->length[at]; k++)
            c->cell[c->order[k]] = into;
        c->length[into] += c->length[at];
        c->length[at] = 0;
    }
}
