/* Linear assignment on candidate lists: shortest augmenting paths with Dijkstra and a heap.
 *
 * Rows and columns are treated alike. A line of either side that ought to be matched (its dual is
 * below 0, or the matching must be complete) starts a search; the search ends at a free line of
 * the other side, or at a line of its own side that is cheaper to leave free. With duals kept
 * from an earlier solve only lines that the new costs disturbed start one: that is the warm start.
 */
#include "base/csr.h"
#include "gm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One side of the bipartite graph: its lines, their entries, duals and matched entries. */
typedef struct side {
    int32_t n;
    const int64_t *start;   /* n + 1: slots of each line */
    const int32_t *other;   /* per slot: the line of the other side */
    const int64_t *entry;   /* per slot: the entry, NULL where slot == entry */
    double *dual;           /* n, at most 0 unless the side must be complete */
    int64_t *mate;          /* n: matched entry, -1 = free */
    double *distance;       /* n: from the start of the search */
    int32_t *parent;        /* n: line of the other side it was reached from */
    int64_t *parent_entry;  /* n: and the entry */
    int32_t *heap_position; /* n: -1 = unseen, -2 = settled */
    int must_match;
} side;

struct gm_lap {
    side row, col;
    int32_t *entry_row; /* per entry */
    const int32_t *entry_col;
    int64_t *col_start, *col_entry;
    int32_t *col_other;
    int32_t *match;
    int32_t *heap, *touched, *settled;
    int32_t n_heap, n_touched, n_settled;
    double value;
    char *memory;
};

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
    to->heap_position[top] = -2;
    return top;
}

/* ---- the search */

/* Relax all entries of a line that was reached at the given distance. */
static void scan(gm_lap *lap, side *from, side *to, int32_t line, double reached, double limit,
                 const double *cost)
{
    for (int64_t slot = from->start[line]; slot < from->start[line + 1]; slot++) {
        const int32_t next = from->other[slot];
        const int64_t entry = from->entry ? from->entry[slot] : slot;
        if (to->heap_position[next] == -2 || !isfinite(cost[entry]))
            continue;
        const double reduced = cost[entry] - from->dual[line] - to->dual[next];
        const double distance =
            reached + (reduced > 0.0 ? reduced : 0.0); /* below 0 by rounding only */
        if (distance >= limit)
            continue;
        if (to->heap_position[next] == -1) {
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

/* Match `line` of `to` and everything back along the search tree. */
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

/* Shortest augmenting path from a free line. GM_EINFEASIBLE when it must be matched and cannot. */
static int augment(gm_lap *lap, side *from, side *to, int32_t root, const double *cost)
{
    /* best way to end by leaving a line of our own side free, and which (root: nothing changes) */
    double limit = from->must_match ? INFINITY : -from->dual[root];
    int32_t leave = root, reach = -1;
    lap->n_heap = lap->n_touched = lap->n_settled = 0;
    from->distance[root] = 0.0;
    scan(lap, from, to, root, 0.0, limit, cost);
    while (lap->n_heap > 0) {
        const int32_t line = pop(lap, to);
        if (to->distance[line] >= limit)
            break;
        if (to->mate[line] < 0) {
            reach = line;
            limit = to->distance[line];
            break;
        }
        lap->settled[lap->n_settled++] = line;
        const int32_t next = opposite(lap, to, to->mate[line]);
        const double distance = to->distance[line];
        from->distance[next] = distance;
        if (!from->must_match && distance - from->dual[next] < limit) {
            limit = distance - from->dual[next];
            leave = next;
        }
        scan(lap, from, to, next, distance, limit, cost);
    }
    if (isfinite(limit)) {
        from->dual[root] += limit;
        for (int32_t k = 0; k < lap->n_settled; k++) {
            const int32_t line = lap->settled[k];
            const double shift = limit - to->distance[line];
            if (shift <= 0.0)
                continue;
            from->dual[opposite(lap, to, to->mate[line])] += shift;
            to->dual[line] -= shift;
        }
        if (reach >= 0) {
            flip(lap, from, to, reach);
        } else {
            if (leave != root) {
                const int32_t freed = opposite(lap, from, from->mate[leave]);
                from->mate[leave] = -1;
                flip(lap, from, to, freed);
            }
            from->dual[leave] = 0.0; /* exactly, whatever rounding says */
        }
    }
    for (int32_t k = 0; k < lap->n_touched; k++)
        to->heap_position[lap->touched[k]] = -1;
    return isfinite(limit) ? GM_OK : GM_EINFEASIBLE;
}

/* ---- setting up */

static void *take(char **memory, size_t n, size_t size)
{
    void *place = *memory;
    *memory += (n * size + 7) / 8 * 8;
    return place;
}

static void take_side(side *s, char **memory, int32_t n)
{
    const size_t m = (size_t)n;
    s->n = n;
    s->dual = take(memory, m, sizeof *s->dual);
    s->mate = take(memory, m, sizeof *s->mate);
    s->distance = take(memory, m, sizeof *s->distance);
    s->parent_entry = take(memory, m, sizeof *s->parent_entry);
    s->parent = take(memory, m, sizeof *s->parent);
    s->heap_position = take(memory, m, sizeof *s->heap_position);
    for (int32_t i = 0; i < n; i++) {
        s->dual[i] = 0.0;
        s->mate[i] = -1;
        s->heap_position[i] = -1;
    }
}

gm_lap *gm_lap_new(int32_t n_rows, int32_t n_cols, const int64_t *start, const int32_t *col)
{
    const size_t rows = (size_t)n_rows, cols = (size_t)n_cols, entries = (size_t)start[n_rows];
    const size_t most = rows > cols ? rows : cols;
    const size_t bytes = (rows + cols) * (4 * 8 + 2 * 4) + entries * (8 + 4 + 4) + (cols + 1) * 8 +
                         (rows + 3 * most) * 4 + 32 * 8;
    gm_lap *lap = calloc(1, sizeof *lap);
    char *memory = malloc(bytes);
    if (!lap || !memory) {
        free(lap);
        free(memory);
        return NULL;
    }
    lap->memory = memory;
    take_side(&lap->row, &memory, n_rows);
    take_side(&lap->col, &memory, n_cols);
    lap->col_start = take(&memory, cols + 1, sizeof *lap->col_start);
    lap->col_entry = take(&memory, entries, sizeof *lap->col_entry);
    lap->col_other = take(&memory, entries, sizeof *lap->col_other);
    lap->entry_row = take(&memory, entries, sizeof *lap->entry_row);
    lap->match = take(&memory, rows, sizeof *lap->match);
    lap->heap = take(&memory, most, sizeof *lap->heap);
    lap->touched = take(&memory, most, sizeof *lap->touched);
    lap->settled = take(&memory, most, sizeof *lap->settled);
    lap->entry_col = col;

    /* the transposed pattern, by counting */
    memset(lap->col_start, 0, (cols + 1) * sizeof *lap->col_start);
    for (size_t e = 0; e < entries; e++)
        lap->col_start[col[e] + 1]++;
    gm_csr_sum64(lap->col_start, n_cols);
    for (int32_t i = 0; i < n_rows; i++)
        for (int64_t e = start[i]; e < start[i + 1]; e++) {
            const int64_t slot = lap->col_start[col[e]]++;
            lap->col_entry[slot] = e;
            lap->col_other[slot] = i;
            lap->entry_row[e] = i;
        }
    gm_csr_rewind64(lap->col_start, n_cols);

    lap->row.start = start;
    lap->row.other = col;
    lap->col.start = lap->col_start;
    lap->col.other = lap->col_other;
    lap->col.entry = lap->col_entry;
    return lap;
}

void gm_lap_free(gm_lap *lap)
{
    if (lap)
        free(lap->memory);
    free(lap);
}

/* The two cheapest ways to match row i under the column duals; staying free costs 0 unless it must
 * not. */
typedef struct choice {
    double least, second;
    int64_t entry, second_entry; /* -1: stay free, or no way at all */
} choice;

static choice two_cheapest(const gm_lap *lap, int32_t i, const double *cost)
{
    const side *row = &lap->row;
    const double *v = lap->col.dual;
    choice best = {row->must_match ? INFINITY : 0.0, INFINITY, -1, -1};
    for (int64_t e = row->start[i]; e < row->start[i + 1]; e++) {
        const double reduced = cost[e] - v[row->other[e]];
        if (reduced < best.least) {
            best.second = best.least;
            best.second_entry = best.entry;
            best.least = reduced;
            best.entry = e;
        } else if (reduced < best.second) {
            best.second = reduced;
            best.second_entry = e;
        }
    }
    return best;
}

static void match_entry(gm_lap *lap, int32_t i, int64_t entry)
{
    lap->row.mate[i] = entry;
    lap->col.mate[lap->entry_col[entry]] = entry;
}

/* Row duals that make every reduced cost >= 0, and a first matching on tight entries, where the
 * matching of the previous solve goes first. Rows that stay free are listed in lap->settled. */
static int start_from_columns(gm_lap *lap, const double *cost, int warm)
{
    side *row = &lap->row, *col = &lap->col;
    for (int32_t j = 0; j < col->n; j++)
        col->mate[j] = -1;
    lap->n_settled = 0;
    for (int32_t i = 0; i < row->n; i++) {
        const int64_t previous = warm ? row->mate[i] : -1;
        const choice best = two_cheapest(lap, i, cost);
        if (!isfinite(best.least))
            return GM_EINFEASIBLE;
        row->dual[i] = best.least;
        row->mate[i] = -1;
        if (previous >= 0 && cost[previous] - col->dual[row->other[previous]] == best.least &&
            col->mate[row->other[previous]] < 0)
            match_entry(lap, i, previous);
        else if (best.entry >= 0 && col->mate[row->other[best.entry]] < 0)
            match_entry(lap, i, best.entry);
        else if (best.second == best.least && best.second_entry >= 0 &&
                 col->mate[row->other[best.second_entry]] < 0)
            match_entry(lap, i, best.second_entry);
        else if (best.entry >= 0)
            lap->settled[lap->n_settled++] = i;
    }
    return GM_OK;
}

/* Augmenting row reduction (Jonker and Volgenant 1987): a free row bids its best column's dual down
 * to where its second choice is as good, and displaces the owner, who bids next. */
static void reduce_rows(gm_lap *lap, const double *cost)
{
    side *row = &lap->row, *col = &lap->col;
    int64_t bids = 4 * (int64_t)row->n; /* rounding could make two rows bid for ever */
    for (int pass = 0; pass < 2; pass++) {
        const int32_t n_free = lap->n_settled;
        lap->n_settled = 0;
        for (int32_t k = 0; k < n_free; k++) {
            int32_t i = lap->settled[k];
            while (i >= 0) {
                const choice best = two_cheapest(lap, i, cost);
                const double slack = best.second - best.least;
                int64_t entry = best.entry;
                row->dual[i] = best.least;
                if (entry < 0 || bids-- <= 0 || !isfinite(best.second)) {
                    if (entry >= 0)
                        lap->settled[lap->n_settled++] = i;
                    break;
                }
                if (slack > 0.0) {
                    col->dual[row->other[entry]] -= slack;
                    row->dual[i] = best.second;
                } else if (col->mate[row->other[entry]] >= 0 && best.second_entry >= 0) {
                    entry = best.second_entry;
                }
                const int64_t owned = col->mate[row->other[entry]];
                const int32_t displaced = owned >= 0 ? lap->entry_row[owned] : -1;
                match_entry(lap, i, entry);
                if (displaced >= 0)
                    row->mate[displaced] = -1;
                if (displaced >= 0 &&
                    slack <= 0.0) { /* a tie: no progress now, the next pass may */
                    lap->settled[lap->n_settled++] = displaced;
                    break;
                }
                i = displaced;
            }
        }
    }
}

int gm_lap_solve(gm_lap *lap, const double *cost, int complete, int warm)
{
    side *row = &lap->row, *col = &lap->col;
    row->must_match = complete;
    if (!warm)
        memset(col->dual, 0, (size_t)col->n * sizeof *col->dual);
    int status = start_from_columns(lap, cost, warm);
    if (status == GM_OK)
        reduce_rows(lap, cost);
    for (int32_t i = 0; status == GM_OK && i < row->n; i++)
        if (row->mate[i] < 0 && (complete || row->dual[i] < 0.0))
            status = augment(lap, row, col, i, cost);
    for (int32_t j = 0; status == GM_OK && j < col->n; j++)
        if (col->mate[j] < 0 && col->dual[j] < 0.0)
            status = augment(lap, col, row, j, cost);
    lap->value = 0.0;
    for (int32_t i = 0; i < row->n; i++) {
        const int64_t entry = status == GM_OK ? row->mate[i] : -1;
        lap->match[i] = entry >= 0 ? row->other[entry] : -1;
        if (entry >= 0)
            lap->value += cost[entry];
    }
    if (status != GM_OK) /* duals of a failed solve are no warm start */
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
