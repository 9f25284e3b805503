/* The four procedures of Jonker and Volgenant's algorithm LAPJV: column reduction, reduction
 * transfer, augmenting row reduction, augmentation by shortest paths. */
#include "assignment/jv.h"

#include "base/watch.h"

static const int64_t LARGE = INT64_MAX / 4; /* above all reduced costs */
static const int64_t STEPS_PER_ROW = 1000;  /* of row reduction, which may go on for ever else */
enum { STRIDED = 4 };                       /* work of reading a column of a matrix of rows */

/* COLUMN REDUCTION: each column's dual is its least cost, from the last column to the first. A row
 * that is least in several columns gets the one that comes first, times[] counts them all. */
static void reduce_columns(int32_t n, const int64_t *cost, int32_t *col_of, int32_t *row_of,
                           int64_t *v, int64_t *times, gm_watch *watch)
{
    for (int32_t i = 0; i < n; i++)
        times[i] = 0;
    for (int32_t j = n - 1; j >= 0 && !gm_watch_spend(watch, STRIDED * n); j--) {
        int32_t least = 0;
        for (int32_t i = 1; i < n; i++)
            if (cost[(int64_t)i * n + j] < cost[(int64_t)least * n + j])
                least = i;
        v[j] = cost[(int64_t)least * n + j];
        row_of[j] = -1;
        if (++times[least] == 1) {
            col_of[least] = j;
            row_of[j] = least;
        }
    }
}

/* REDUCTION TRANSFER: a row that was least in just one column lowers that column's dual by the
 * least reduced cost of its other columns. Lists the free rows; returns their number. */
static int32_t transfer_reduction(int32_t n, const int64_t *cost, const int32_t *col_of, int64_t *v,
                                  const int64_t *times, int64_t *free_row, gm_watch *watch)
{
    int32_t n_free = 0;
    for (int32_t i = 0; i < n && !gm_watch_spend(watch, n); i++) {
        if (times[i] == 0) {
            free_row[n_free++] = i;
        } else if (times[i] == 1) {
            int64_t slack = LARGE;
            for (int32_t j = 0; j < n; j++)
                if (j != col_of[i] && cost[(int64_t)i * n + j] - v[j] < slack)
                    slack = cost[(int64_t)i * n + j] - v[j];
            v[col_of[i]] -= slack;
        }
    }
    return n_free;
}

/* AUGMENTING ROW REDUCTION: each free row takes its best column, whose dual falls by the distance
 * to the second best; the row that loses the column is treated next, or in the next pass if it was
 * a tie. Two rows can displace each other one unit at a time, hence a limit of steps. Returns the
 * number of rows that are free now, listed in free_row. */
static int32_t augment_rows(int32_t n, const int64_t *cost, int32_t *col_of, int32_t *row_of,
                            int64_t *v, int64_t *free_row, int32_t n_before, gm_watch *watch)
{
    int32_t n_free = 0, k = 0;
    int64_t steps = 0;
    while (k < n_before && !gm_watch_spend(watch, n)) {
        const int32_t i = (int32_t)free_row[k++];
        int64_t best = cost[(int64_t)i * n] - v[0], second = LARGE;
        int32_t first_col = 0, second_col = 0;
        for (int32_t j = 1; j < n; j++) {
            const int64_t reduced = cost[(int64_t)i * n + j] - v[j];
            if (reduced >= second)
                continue;
            if (reduced >= best) {
                second = reduced;
                second_col = j;
            } else {
                second = best;
                second_col = first_col;
                best = reduced;
                first_col = j;
            }
        }
        int32_t displaced = row_of[first_col];
        if (best < second) {
            v[first_col] -= second - best;
        } else if (displaced >= 0) {
            first_col = second_col;
            displaced = row_of[first_col];
        }
        col_of[i] = first_col;
        row_of[first_col] = i;
        if (displaced < 0)
            continue;
        if (best < second && ++steps < STEPS_PER_ROW * n)
            free_row[--k] = displaced;
        else
            free_row[n_free++] = displaced;
    }
    return n_free;
}

/* Flips the path that ends at column `end`: each row on it gets the column that follows it. */
static void flip(int32_t end, int32_t root, const int64_t *before, int32_t *col_of, int32_t *row_of)
{
    int32_t i = -1;
    for (int32_t j = end; i != root;) {
        i = (int32_t)before[j];
        row_of[j] = i;
        const int32_t next = col_of[i];
        col_of[i] = j;
        j = next;
    }
}

/* AUGMENT: the shortest path from a free row to a free column. list holds all columns in three
 * parts: ready ones list[0 .. low - 1], whose distance is final and whose row has been scanned;
 * nearest ones list[low .. up - 1], at the least distance; and the others. */
static void augment_path(int32_t n, const int64_t *cost, int32_t *col_of, int32_t *row_of,
                         int64_t *v, int32_t root, int64_t *distance, int64_t *before,
                         int64_t *list, gm_watch *watch)
{
    int32_t low = 0, up = 0, end = -1;
    int32_t n_ready = 0; /* columns nearer than `least`, whose duals change */
    int64_t least = 0;   /* distance of the nearest columns */
    for (int32_t j = 0; j < n; j++) {
        distance[j] = cost[(int64_t)root * n + j] - v[j];
        before[j] = root;
        list[j] = j;
    }
    while (end < 0) {
        if (gm_watch_spend(watch, n - low))
            return;
        if (up == low) { /* none is near: all of the others at the least distance */
            n_ready = low;
            least = distance[list[up++]];
            for (int32_t k = up; k < n; k++) {
                const int64_t j = list[k];
                if (distance[j] > least)
                    continue;
                if (distance[j] < least) {
                    up = low;
                    least = distance[j];
                }
                list[k] = list[up];
                list[up++] = j;
            }
            for (int32_t k = low; k < up && end < 0; k++)
                if (row_of[list[k]] < 0)
                    end = (int32_t)list[k];
            if (end >= 0)
                break;
        }
        /* the row of a nearest column: shorter ways to the others */
        const int64_t from = list[low++];
        const int32_t i = row_of[from];
        const int64_t shift = cost[(int64_t)i * n + from] - v[from] - least;
        for (int32_t k = up; k < n && end < 0; k++) {
            const int64_t j = list[k];
            const int64_t reached = cost[(int64_t)i * n + j] - v[j] - shift;
            if (reached >= distance[j])
                continue;
            before[j] = i;
            if (reached == least) {
                if (row_of[j] < 0) {
                    end = (int32_t)j;
                } else {
                    list[k] = list[up];
                    list[up++] = j;
                }
            }
            distance[j] = reached;
        }
    }
    for (int32_t k = 0; k < n_ready; k++)
        v[list[k]] += distance[list[k]] - least;
    flip(end, root, before, col_of, row_of);
}

int gm_jv(int32_t n, const int64_t *cost, int32_t *col_of, int32_t *row_of, int64_t *u, int64_t *v,
          int64_t *scratch, gm_watch *watch)
{
    int64_t *times = scratch;
    int64_t *free_row = times + n + 1;
    int64_t *distance = free_row + n + 1;
    int64_t *before = distance + n + 1;
    int64_t *list = before + n + 1;
    reduce_columns(n, cost, col_of, row_of, v, times, watch);
    int32_t n_free = transfer_reduction(n, cost, col_of, v, times, free_row, watch);
    for (int pass = 0; pass < 2 && n > 1; pass++)
        n_free = augment_rows(n, cost, col_of, row_of, v, free_row, n_free, watch);
    for (int32_t k = 0; k < n_free; k++)
        augment_path(n, cost, col_of, row_of, v, (int32_t)free_row[k], distance, before, list,
                     watch);
    if (gm_watch_is_over(watch))
        return GM_ECUT;
    for (int32_t i = 0; i < n; i++)
        u[i] = cost[(int64_t)i * n + col_of[i]] - v[col_of[i]];
    return GM_OK;
}
