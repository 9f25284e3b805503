/* Linear assignment on candidate lists: shortest augmenting paths, found by Dijkstra's algorithm
 * with a heap (Jonker and Volgenant 1987 for dense costs; here sparse, and rows may stay
 * unmatched).
 *
 * A *line* is a row or a column; both sides are treated alike. A free line whose dual is below 0,
 * or that must be matched, starts a search. The search ends at a free line of the other side, or at
 * a line of its own side that is cheaper to leave free. After a warm start, from the duals of an
 * earlier solve, only those lines start a search whose reduced costs have changed. The matching
 * from which the searches start is that of lap_start.c.
 */
#include "assignment/lap_state.h"

#include "base/csr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNSEEN = -1, SETTLED = -2 }; /* values of heap_position that are not positions */

/* The line of the other side that an entry of a line of side `of` leads to. */
static int32_t opposite(const gm_lap *lap, const side *of, int64_t entry)
{
    return of == &lap->row ? lap->entry_col[entry] : lap->entry_row[entry];
}

/* ---- a binary heap of lines, ordered by distance, with decrease-key */

static void sift_up(gm_lap *lap, side *to, int32_t k)
{
    const int32_t line = lap->heap[k];
    while (k > 0) {
        const int32_t up = (k - 1) / 2, above = lap->heap[up];
        if (to->distance[above] <= to->distance[line])
            break;
        lap->heap[k] = above;
        to->heap_position[above] = k;
        k = up;
    }
    lap->heap[k] = line;
    to->heap_position[line] = k;
}

static int32_t pop(gm_lap *lap, side *to)
{
    const int32_t top = lap->heap[0], line = lap->heap[--lap->n_heap];
    int32_t k = 0;
    for (;;) {
        int32_t child = 2 * k + 1;
        if (child >= lap->n_heap)
            break;
        if (child + 1 < lap->n_heap &&
            to->distance[lap->heap[child + 1]] < to->distance[lap->heap[child]])
            child++;
        if (to->distance[lap->heap[child]] >= to->distance[line])
            break;
        lap->heap[k] = lap->heap[child];
        to->heap_position[lap->heap[k]] = k;
        k = child;
    }
    if (lap->n_heap > 0) {
        lap->heap[k] = line;
        to->heap_position[line] = k;
    }
    to->heap_position[top] = SETTLED;
    return top;
}

/* ---- the search */

/* Relaxes all entries of a line that was reached at the given distance; lines of the other side at
 * `limit` or farther are of no interest. */
static void scan(gm_lap *lap, side *from, side *to, int32_t line, double reached, double limit,
                 const double *cost)
{
    for (int64_t place = from->start[line]; place < from->start[line + 1]; place++) {
        const int32_t next = from->other[place];
        const int64_t entry = from->entry ? from->entry[place] : place;
        if (to->heap_position[next] == SETTLED || !isfinite(cost[entry]))
            continue;
        /* reduced costs are below 0 by rounding only */
        const double reduced = cost[entry] - from->dual[line] - to->dual[next];
        const double distance = reached + (reduced > 0.0 ? reduced : 0.0);
        if (distance >= limit)
            continue;
        if (to->heap_position[next] == UNSEEN) {
            lap->touched[lap->n_touched++] = next;
            lap->heap[lap->n_heap] = next;
            to->distance[next] = distance;
            to->parent[next] = line;
            to->parent_entry[next] = entry;
            sift_up(lap, to, lap->n_heap++);
        } else if (distance < to->distance[next]) {
            to->distance[next] = distance;
            to->parent[next] = line;
            to->parent_entry[next] = entry;
            sift_up(lap, to, to->heap_position[next]);
        }
    }
}

/* Augments: matches `line` of side `to` with its parent, the parent's former mate with its own
 * parent, and so on back to the start of the search. */
static void flip(gm_lap *lap, side *from, side *to, int32_t line)
{
    for (;;) {
        const int64_t entry = to->parent_entry[line];
        const int32_t before = to->parent[line];
        const int64_t previous = from->mate[before];
        to->mate[line] = entry;
        from->mate[before] = entry;
        if (previous < 0)
            break;
        line = opposite(lap, from, previous);
    }
}

/* The end of a shortest path, and its length (+inf: no end). */
typedef struct path_end {
    double length;
    int32_t reached; /* a free line of the other side, or -1: */
    int32_t freed;   /* a line of our own side becomes free (the start: it stays free) */
} path_end;

/* Dijkstra's algorithm from a free line of side `from`. Left early when the run is over. */
static path_end shortest_path(gm_lap *lap, side *from, side *to, int32_t root, const double *cost)
{
    path_end end = {from->must_match ? INFINITY : -from->dual[root], -1, root};
    lap->n_heap = lap->n_touched = lap->n_settled = 0;
    scan(lap, from, to, root, 0.0, end.length, cost);
    while (lap->n_heap > 0) {
        const int32_t line = pop(lap, to);
        const double distance = to->distance[line];
        if (spend_line(lap, to, line) != GM_OK)
            break;
        if (distance >= end.length)
            break;
        if (to->mate[line] < 0) {
            end.reached = line;
            end.length = distance;
            break;
        }
        lap->settled[lap->n_settled++] = line;
        const int32_t next = opposite(lap, to, to->mate[line]);
        if (!from->must_match && distance - from->dual[next] < end.length) {
            end.length = distance - from->dual[next];
            end.freed = next;
        }
        scan(lap, from, to, next, distance, end.length, cost);
    }
    for (int32_t k = 0; k < lap->n_touched; k++)
        to->heap_position[lap->touched[k]] = UNSEEN;
    return end;
}

/* Duals that make the entries of the path tight and keep all reduced costs >= 0. */
static void update_duals(gm_lap *lap, side *from, side *to, int32_t root, double length)
{
    from->dual[root] += length;
    for (int32_t k = 0; k < lap->n_settled; k++) {
        const int32_t line = lap->settled[k];
        const double shift = length - to->distance[line];
        if (shift <= 0.0)
            continue;
        from->dual[opposite(lap, to, to->mate[line])] += shift;
        to->dual[line] -= shift;
    }
}

/* Matches a free line, or finds that it is best to leave it or another line of its side free.
 * GM_EINFEASIBLE when it must be matched and cannot, or GM_ECUT. */
static int augment(gm_lap *lap, side *from, side *to, int32_t root, const double *cost)
{
    const path_end end = shortest_path(lap, from, to, root, cost);
    if (is_cut(lap))
        return GM_ECUT;
    if (!isfinite(end.length))
        return GM_EINFEASIBLE;
    update_duals(lap, from, to, root, end.length);
    if (end.reached >= 0) {
        flip(lap, from, to, end.reached);
        return GM_OK;
    }
    if (end.freed != root) {
        const int32_t line = opposite(lap, from, from->mate[end.freed]);
        from->mate[end.freed] = -1;
        flip(lap, from, to, line);
    }
    from->dual[end.freed] = 0.0; /* exactly: the sum may be off by rounding */
    return GM_OK;
}

/* ---- setting up. All arrays lie in one piece of memory: kernels make many small problems. */

/* Hands out memory in order; if memory is NULL, it only counts the bytes. */
typedef struct arena {
    char *memory;
    size_t used;
} arena;

static void *take(arena *from, size_t n, size_t size)
{
    void *place = from->memory ? from->memory + from->used : NULL;
    from->used += (n * size + 7) / 8 * 8;
    return place;
}

static void take_side(side *s, arena *from)
{
    const size_t n = (size_t)s->n;
    s->dual = take(from, n, sizeof *s->dual);
    s->mate = take(from, n, sizeof *s->mate);
    s->distance = take(from, n, sizeof *s->distance);
    s->parent_entry = take(from, n, sizeof *s->parent_entry);
    s->parent = take(from, n, sizeof *s->parent);
    s->heap_position = take(from, n, sizeof *s->heap_position);
}

static void take_all(gm_lap *lap, arena *from, size_t n_entries)
{
    const size_t rows = (size_t)lap->row.n, cols = (size_t)lap->col.n;
    const size_t most = rows > cols ? rows : cols;
    take_side(&lap->row, from);
    take_side(&lap->col, from);
    lap->col_start = take(from, cols + 1, sizeof *lap->col_start);
    lap->col_entry = take(from, n_entries, sizeof *lap->col_entry);
    lap->col_other = take(from, n_entries, sizeof *lap->col_other);
    lap->entry_row = take(from, n_entries, sizeof *lap->entry_row);
    lap->match = take(from, rows, sizeof *lap->match);
    lap->heap = take(from, most, sizeof *lap->heap);
    lap->touched = take(from, most, sizeof *lap->touched);
    lap->settled = take(from, most, sizeof *lap->settled);
    lap->free_row = lap->settled;
}

static void clear_side(side *s)
{
    for (int32_t i = 0; i < s->n; i++) {
        s->dual[i] = 0.0;
        s->mate[i] = -1;
        s->heap_position[i] = UNSEEN;
    }
}

/* Lists the entries column by column, from those row by row. Most problems never need it: only
 * searches from columns do. */
static void list_columns(gm_lap *lap)
{
    const int32_t n_rows = lap->row.n, n_cols = lap->col.n;
    const int64_t *start = lap->row.start;
    const int32_t *col = lap->entry_col;
    memset(lap->col_start, 0, ((size_t)n_cols + 1) * sizeof *lap->col_start);
    for (int64_t e = 0; e < start[n_rows]; e++)
        lap->col_start[col[e] + 1]++;
    gm_csr_sum64(lap->col_start, n_cols);
    for (int32_t i = 0; i < n_rows; i++)
        for (int64_t e = start[i]; e < start[i + 1]; e++) {
            const int64_t place = lap->col_start[col[e]]++;
            lap->col_entry[place] = e;
            lap->col_other[place] = i;
        }
    gm_csr_rewind64(lap->col_start, n_cols);
    lap->has_columns = 1;
}

gm_lap *gm_lap_new(int32_t n_rows, int32_t n_cols, const int64_t *start, const int32_t *col)
{
    gm_lap *lap = calloc(1, sizeof *lap);
    if (!lap)
        return NULL;
    lap->row.n = n_rows;
    lap->col.n = n_cols;
    arena count = {NULL, 0};
    take_all(lap, &count, (size_t)start[n_rows]);
    lap->memory = malloc(count.used);
    if (!lap->memory) {
        free(lap);
        return NULL;
    }
    arena all = {lap->memory, 0};
    take_all(lap, &all, (size_t)start[n_rows]);
    clear_side(&lap->row);
    clear_side(&lap->col);
    for (int32_t i = 0; i < n_rows; i++)
        for (int64_t e = start[i]; e < start[i + 1]; e++)
            lap->entry_row[e] = i;
    lap->entry_col = col;
    lap->free_limit = n_rows;
    lap->row.start = start;
    lap->row.other = col;
    lap->col.start = lap->col_start;
    lap->col.other = lap->col_other;
    lap->col.entry = lap->col_entry;
    return lap;
}

void gm_lap_heed(gm_lap *lap, gm_watch *watch)
{
    lap->watch = watch;
}

void gm_lap_limit_work(gm_lap *lap, int64_t work)
{
    lap->work_limit = work;
}

void gm_lap_limit_free(gm_lap *lap, int32_t n_rows)
{
    lap->free_limit = n_rows;
}

void gm_lap_set_duals(gm_lap *lap, const double *v)
{
    memcpy(lap->col.dual, v, (size_t)lap->col.n * sizeof *v);
    for (int32_t i = 0; i < lap->row.n; i++)
        lap->row.mate[i] = -1;
}

void gm_lap_free(gm_lap *lap)
{
    if (lap)
        free(lap->memory);
    free(lap);
}

/* ---- the interface */

int gm_lap_solve(gm_lap *lap, const double *cost, int complete, int warm)
{
    side *row = &lap->row, *col = &lap->col;
    row->must_match = complete;
    lap->work = 0;
    if (!warm)
        memset(col->dual, 0, (size_t)col->n * sizeof *col->dual);
    int status = gm_lap_start(lap, cost, warm);
    for (int32_t i = 0; status == GM_OK && i < row->n; i++)
        if (row->mate[i] < 0 && (complete || row->dual[i] < 0.0))
            status = augment(lap, row, col, i, cost);
    for (int32_t j = 0; status == GM_OK && j < col->n; j++)
        if (col->mate[j] < 0 && col->dual[j] < 0.0) {
            if (!lap->has_columns)
                list_columns(lap);
            status = augment(lap, col, row, j, cost);
        }
    lap->value = 0.0;
    for (int32_t i = 0; i < row->n; i++) {
        const int64_t entry = status == GM_OK ? row->mate[i] : -1;
        lap->match[i] = entry >= 0 ? row->other[entry] : -1;
        if (entry >= 0)
            lap->value += cost[entry];
    }
    if (status != GM_OK) /* the duals of a failed solve are of no use to the next one */
        memset(col->dual, 0, (size_t)col->n * sizeof *col->dual);
    return status;
}

const int32_t *gm_lap_match(const gm_lap *lap)
{
    return lap->match;
}
const int64_t *gm_lap_entry(const gm_lap *lap)
{
    return lap->row.mate;
}
const double *gm_lap_u(const gm_lap *lap)
{
    return lap->row.dual;
}
const double *gm_lap_v(const gm_lap *lap)
{
    return lap->col.dual;
}
double gm_lap_value(const gm_lap *lap)
{
    return lap->value;
}
