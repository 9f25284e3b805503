/* Munkres' algorithm with the scan order of the MATLAB originals (Buehren's assignmentoptimal).
 * Where scores tie, that order decides the labelling, and with it some published values, so the
 * order of every scan below is part of the contract. */
#include "munkres.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct board {
    int32_t n_rows, n_cols;
    double *D;            /* reduced costs, column-major */
    int32_t *star_row;    /* column of the star in a row, or -1 */
    int32_t *star_col;    /* row of the star in a column, or -1 */
    int32_t *prime_row;   /* column of the prime in a row, or -1 */
    unsigned char *row_covered, *col_covered;
} board;

static double *column(board *w, int32_t j)
{
    return w->D + (int64_t)j * w->n_rows;
}

/* Forbidden entries become one large number: 10 * (largest finite) * rows * cols, or 10. */
static void replace_infinite(board *w, unsigned char *forbidden)
{
    const int64_t n = (int64_t)w->n_rows * w->n_cols;
    double largest = -1.0;
    int64_t count = 0;
    for (int64_t k = 0; k < n; k++) {
        forbidden[k] = (unsigned char)!isfinite(w->D[k]);
        count += forbidden[k];
        if (!forbidden[k] && w->D[k] > largest)
            largest = w->D[k];
    }
    const double big = largest > 0 ? 10.0 * largest * (double)w->n_rows * (double)w->n_cols : 10.0;
    for (int64_t k = 0; count > 0 && k < n; k++)
        if (forbidden[k])
            w->D[k] = big;
}

/* Subtract each line's minimum: rows when there are at most as many rows as columns. */
static void reduce(board *w)
{
    if (w->n_rows <= w->n_cols) {
        for (int32_t i = 0; i < w->n_rows; i++) {
            double least = INFINITY;
            for (int32_t j = 0; j < w->n_cols; j++)
                if (column(w, j)[i] < least)
                    least = column(w, j)[i];
            for (int32_t j = 0; j < w->n_cols; j++)
                column(w, j)[i] -= least;
        }
    } else {
        for (int32_t j = 0; j < w->n_cols; j++) {
            double *d = column(w, j), least = INFINITY;
            for (int32_t i = 0; i < w->n_rows; i++)
                if (d[i] < least)
                    least = d[i];
            for (int32_t i = 0; i < w->n_rows; i++)
                d[i] -= least;
        }
    }
}

static void star(board *w, int32_t i, int32_t j)
{
    w->star_row[i] = j;
    w->star_col[j] = i;
}

/* First stars: line by line, the first zero whose other line has none yet. */
static void greedy_stars(board *w)
{
    if (w->n_rows <= w->n_cols) {
        for (int32_t i = 0; i < w->n_rows; i++)
            for (int32_t j = 0; j < w->n_cols; j++)
                if (column(w, j)[i] == 0.0 && w->star_col[j] < 0) {
                    star(w, i, j);
                    break;
                }
    } else {
        for (int32_t j = 0; j < w->n_cols; j++)
            for (int32_t i = 0; i < w->n_rows; i++)
                if (column(w, j)[i] == 0.0 && w->star_row[i] < 0) {
                    star(w, i, j);
                    break;
                }
    }
}

/* Turn the alternating path that ends at the primed zero (i, j) over. */
static void augment(board *w, int32_t i, int32_t j)
{
    for (;;) {
        const int32_t previous = w->star_col[j];
        star(w, i, j);
        if (previous < 0)
            break;
        i = previous;
        j = w->prime_row[i];
    }
}

static int32_t cover_starred_columns(board *w)
{
    int32_t covered = 0;
    for (int32_t j = 0; j < w->n_cols; j++) {
        w->col_covered[j] = (unsigned char)(w->star_col[j] >= 0);
        covered += w->col_covered[j];
    }
    return covered;
}

/* Sweep the uncovered columns for zeros, priming them; 1 when an augmenting path was found. */
static int prime_and_augment(board *w)
{
    int primed = 1;
    while (primed) {
        primed = 0;
        for (int32_t j = 0; j < w->n_cols; j++) {
            if (w->col_covered[j])
                continue;
            const double *d = column(w, j);
            for (int32_t i = 0; i < w->n_rows; i++) {
                if (w->row_covered[i] || d[i] != 0.0)
                    continue;
                w->prime_row[i] = j;
                if (w->star_row[i] < 0) {
                    augment(w, i, j);
                    return 1;
                }
                w->row_covered[i] = 1;
                w->col_covered[w->star_row[i]] = 0;
                primed = 1;
                break;
            }
        }
    }
    return 0;
}

/* No uncovered zero left: make one. 0 when nothing is uncovered (NaN input). */
static int shift(board *w)
{
    double h = INFINITY;
    for (int32_t j = 0; j < w->n_cols; j++)
        if (!w->col_covered[j])
            for (int32_t i = 0; i < w->n_rows; i++)
                if (!w->row_covered[i] && column(w, j)[i] < h)
                    h = column(w, j)[i];
    if (!isfinite(h))
        return 0;
    /* two separate passes, as rounding in D + h - h differs from D */
    for (int32_t j = 0; j < w->n_cols; j++) {
        double *d = column(w, j);
        for (int32_t i = 0; i < w->n_rows; i++)
            if (w->row_covered[i])
                d[i] += h;
        if (!w->col_covered[j])
            for (int32_t i = 0; i < w->n_rows; i++)
                d[i] -= h;
    }
    return 1;
}

size_t gm_munkres_bytes(int32_t n_rows, int32_t n_cols)
{
    const size_t rows = (size_t)n_rows, cols = (size_t)n_cols;
    return sizeof(int32_t) * (2 * rows + cols) + rows * cols + rows + cols;
}

void gm_munkres_with(int32_t n_rows, int32_t n_cols, double *cost, int32_t *match, void *memory)
{
    const size_t rows = (size_t)n_rows, cols = (size_t)n_cols;
    board w = {.n_rows = n_rows, .n_cols = n_cols, .D = cost};
    int32_t *marks = memory;
    unsigned char *forbidden = (unsigned char *)(marks + 2 * rows + cols);
    w.star_row = marks;
    w.prime_row = marks + rows;
    w.star_col = marks + 2 * rows;
    w.row_covered = forbidden + rows * cols;
    w.col_covered = w.row_covered + rows;
    memset(marks, 0xff, sizeof *marks * (2 * rows + cols)); /* all -1 */

    replace_infinite(&w, forbidden);
    reduce(&w);
    greedy_stars(&w);
    const int32_t wanted = n_rows < n_cols ? n_rows : n_cols;
    memset(w.row_covered, 0, rows);
    int32_t covered = cover_starred_columns(&w);
    while (covered < wanted) {
        if (prime_and_augment(&w)) {
            memset(w.prime_row, 0xff, sizeof *marks * rows);
            memset(w.row_covered, 0, rows);
            covered = cover_starred_columns(&w);
        } else if (!shift(&w)) {
            break;
        }
    }
    for (int32_t i = 0; i < n_rows; i++) {
        const int32_t j = w.star_row[i];
        match[i] = j >= 0 && !forbidden[i + (int64_t)j * n_rows] ? j : -1;
    }
}

int gm_munkres(int32_t n_rows, int32_t n_cols, double *cost, int32_t *match)
{
    if (n_rows < 1 || n_cols < 1)
        return GM_EARGUMENT;
    void *memory = malloc(gm_munkres_bytes(n_rows, n_cols));
    if (!memory)
        return GM_ENOMEM;
    gm_munkres_with(n_rows, n_cols, cost, match, memory);
    free(memory);
    return GM_OK;
}
