/* Munkres' algorithm (1957) with the scan order of the MATLAB originals (Buehren's
 * assignmentoptimal). If scores tie, that order decides the labelling, and with it some
 * published values, so the order of every scan is part of the contract:
 *
 *   1. replace infinite costs by a large number, subtract the least cost of each row;
 *   2. star the first zero of each row whose column has no star yet;
 *   3. cover all columns with a star; while fewer than n are: go through the uncovered columns in
 *      order, prime the first uncovered zero of each, and augment if its row has no star, else
 *      cover the row and uncover the column of its star; without an uncovered zero, make one.
 *
 * A scan is fast nevertheless: zeros are kept as one bit a row, so "the first uncovered zero of a
 * column" is a few operations on words, and passes over the matrix go down columns without
 * branches.
 */
#include "assignment/munkres.h"
#include "base/lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORD = 64,      /* bits */
    FEW_COVERED = 8 /* if fewer rows than 1 in this many change, they are changed one by one */
};

typedef struct board {
    int32_t n_rows, n_cols;
    size_t words;         /* of a bit set over the rows */
    double *D;            /* reduced costs, column-major */
    double *line;         /* two numbers a row, scratch */
    uint64_t *zero;       /* per column a bit set: rows where D is exactly 0 */
    uint64_t *row_free;   /* a bit set: rows that are not covered */
    uint64_t *bit;        /* 1, 2, 4, ...: WORD powers of two */
    int32_t *star_row;    /* column of the star in a row, or -1 */
    int32_t *star_col;    /* row of the star in a column, or -1 */
    int32_t *prime_row;   /* column of the prime in a row, or -1 */
    int32_t *covered_row; /* a list, with room for one more than there are rows */
    unsigned char *col_covered;
    unsigned char *forbidden; /* per cell */
} board;

static size_t words_of(int32_t n_rows)
{
    return ((size_t)n_rows + WORD - 1) / WORD;
}

static double *column(const board *w, int32_t j)
{
    return w->D + (size_t)j * (size_t)w->n_rows;
}

static uint64_t *zeros(const board *w, int32_t j)
{
    return w->zero + (size_t)j * w->words;
}

/* Step 1: forbidden entries become one large number, 10 * (largest finite) * rows * cols, or 10. */
static void replace_infinite(board *w)
{
    const int64_t n = (int64_t)w->n_rows * w->n_cols;
    double largest = -1.0;
    int64_t count = 0;
    for (int64_t k = 0; k < n; k++) {
        w->forbidden[k] = (unsigned char)!isfinite(w->D[k]);
        count += w->forbidden[k];
        if (!w->forbidden[k] && w->D[k] > largest)
            largest = w->D[k];
    }
    const double big = largest > 0 ? 10.0 * largest * (double)w->n_rows * (double)w->n_cols : 10.0;
    for (int64_t k = 0; count > 0 && k < n; k++)
        if (w->forbidden[k])
            w->D[k] = big;
}

GM_WIDE static void least_of_two(double *restrict least, const double *restrict d, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        least[i] = d[i] < least[i] ? d[i] : least[i];
}

GM_WIDE static void subtract(double *restrict d, const double *restrict from_each, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        d[i] -= from_each[i];
}

static double least_entry(const double *d, int32_t n)
{
    double least = INFINITY;
    for (int32_t i = 0; i < n; i++)
        least = d[i] < least ? d[i] : least;
    return least;
}

/* Step 1: subtracts the least entry of each row, or of each column if there are more rows. */
static void reduce(board *w)
{
    if (w->n_rows <= w->n_cols) {
        for (int32_t i = 0; i < w->n_rows; i++)
            w->line[i] = INFINITY;
        for (int32_t j = 0; j < w->n_cols; j++)
            least_of_two(w->line, column(w, j), w->n_rows);
        for (int32_t j = 0; j < w->n_cols; j++)
            subtract(column(w, j), w->line, w->n_rows);
    } else {
        for (int32_t j = 0; j < w->n_cols; j++) {
            double *d = column(w, j);
            const double least = least_entry(d, w->n_rows);
            for (int32_t i = 0; i < w->n_rows; i++)
                d[i] -= least;
        }
    }
}

/* Bit i of the result says whether d[i] is 0. The bits come from a table, since compilers make
 * vector code of a loop without shifts. */
GM_WIDE static uint64_t zero_bits(const double *restrict d, const uint64_t *restrict bit, int32_t n)
{
    uint64_t word = 0;
    for (int32_t i = 0; i < n; i++)
        word |= -(uint64_t)(d[i] == 0.0) & bit[i];
    return word;
}

/* The bit set of column j. */
static void note_zeros(board *w, int32_t j)
{
    for (int32_t begin = 0; begin < w->n_rows; begin += WORD) {
        const int32_t rest = w->n_rows - begin;
        zeros(w, j)[begin / WORD] =
            zero_bits(column(w, j) + begin, w->bit, rest < WORD ? rest : WORD);
    }
}

/* The first row that is in both sets, or -1. */
static int32_t first_common(const uint64_t *u, const uint64_t *v, size_t words)
{
    for (size_t k = 0; k < words; k++)
        if (u[k] & v[k])
            return (int32_t)(k * WORD) + __builtin_ctzll(u[k] & v[k]);
    return -1;
}

static void star(board *w, int32_t i, int32_t j)
{
    w->star_row[i] = j;
    w->star_col[j] = i;
}

static void free_all_rows(board *w)
{
    memset(w->row_free, 0xff, sizeof *w->row_free * w->words);
}

static void cover_row(board *w, int32_t i)
{
    w->row_free[i / WORD] &= ~(UINT64_C(1) << (i % WORD));
}

static int row_is_free(const board *w, int32_t i)
{
    return (int)(w->row_free[i / WORD] >> (i % WORD) & 1);
}

/* Step 2: line by line, stars the first zero whose other line has no star yet. */
static void greedy_stars(board *w)
{
    if (w->n_rows <= w->n_cols) {
        for (int32_t i = 0; i < w->n_rows; i++)
            for (int32_t j = 0; j < w->n_cols; j++)
                if (zeros(w, j)[i / WORD] >> (i % WORD) & 1 && w->star_col[j] < 0) {
                    star(w, i, j);
                    break;
                }
    } else {
        for (int32_t j = 0; j < w->n_cols; j++) { /* row_free: here the rows without a star */
            const int32_t i = first_common(zeros(w, j), w->row_free, w->words);
            if (i >= 0) {
                star(w, i, j);
                cover_row(w, i);
            }
        }
        free_all_rows(w);
    }
}

/* Step 3: along the alternating path from the primed zero (i, j), primes become stars. */
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

/* Step 3: returns the number of covered columns. */
static int32_t cover_starred_columns(board *w)
{
    int32_t covered = 0;
    for (int32_t j = 0; j < w->n_cols; j++) {
        w->col_covered[j] = (unsigned char)(w->star_col[j] >= 0);
        covered += w->col_covered[j];
    }
    return covered;
}

/* Step 3: primes uncovered zeros, column by column, until an augmenting path is found (returns 1)
 * or there are none (returns 0). */
static int prime_and_augment(board *w)
{
    int primed = 1;
    while (primed) {
        primed = 0;
        for (int32_t j = 0; j < w->n_cols; j++) {
            if (w->col_covered[j])
                continue;
            const int32_t i = first_common(zeros(w, j), w->row_free, w->words);
            if (i < 0)
                continue;
            w->prime_row[i] = j;
            if (w->star_row[i] < 0) {
                augment(w, i, j);
                return 1;
            }
            cover_row(w, i);
            w->col_covered[w->star_row[i]] = 0;
            primed = 1;
        }
    }
    return 0;
}

/* d = (d + raise) - h, rounded twice as in the two passes of the original: D + h - h differs from
 * D.
 */
GM_WIDE static void raise_and_lower(double *restrict d, const double *restrict raise, double h,
                                    int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        d[i] = (d[i] + raise[i]) - h;
}

/* least = min(least, d) on free rows; never is 0 there and +inf on covered rows. */
GM_WIDE static void least_free(double *restrict least, const double *restrict d,
                               const double *restrict never, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        const double value = d[i] + never[i];
        least[i] = value < least[i] ? value : least[i];
    }
}

/* Step 3, if no zero is uncovered: adds the least uncovered entry h to all covered rows,
 * subtracts it from all uncovered columns. Returns 0 if there is no such entry (NaN in the costs).
 */
static int shift(board *w)
{
    const int32_t n = w->n_rows;
    double *raise = w->line, *least = w->line + n;
    double *never = raise; /* the same memory, before raise is known */
    for (int32_t i = 0; i < n; i++) {
        never[i] = row_is_free(w, i) ? 0.0 : INFINITY;
        least[i] = INFINITY;
    }
    for (int32_t j = 0; j < w->n_cols; j++)
        if (!w->col_covered[j])
            least_free(least, column(w, j), never, n);
    const double h = least_entry(least, n);
    if (!isfinite(h))
        return 0;
    int32_t *covered_row = w->covered_row, n_covered = 0;
    for (int32_t i = 0; i < n; i++) {
        const int free = row_is_free(w, i);
        raise[i] = free ? 0.0 : h;
        covered_row[n_covered] = i;
        n_covered += !free;
    }
    for (int32_t j = 0; j < w->n_cols; j++) {
        double *d = column(w, j);
        if (!w->col_covered[j]) {
            raise_and_lower(d, raise, h, n);
            note_zeros(w, j);
            continue;
        }
        if (n_covered > n / FEW_COVERED)
            raise_and_lower(d, raise, 0.0, n);
        else
            for (int32_t k = 0; k < n_covered; k++)
                d[covered_row[k]] += h;
        /* covered rows are above 0 now, the others are as they were */
        for (size_t k = 0; k < w->words; k++)
            zeros(w, j)[k] &= w->row_free[k];
    }
    return 1;
}

/* ---- memory: doubles first, then bit sets, then int32, then bytes, so that all are aligned */

size_t gm_munkres_bytes(int32_t n_rows, int32_t n_cols)
{
    const size_t rows = (size_t)n_rows, cols = (size_t)n_cols, words = words_of(n_rows);
    return sizeof(double) * 2 * rows + sizeof(uint64_t) * (words * (cols + 1) + WORD) +
           sizeof(int32_t) * (3 * rows + cols + 1) + cols + rows * cols;
}

void gm_munkres_with(int32_t n_rows, int32_t n_cols, double *cost, int32_t *match, void *memory)
{
    const size_t rows = (size_t)n_rows, cols = (size_t)n_cols;
    board w = {
        .n_rows = n_rows, .n_cols = n_cols, .words = words_of(n_rows), .D = cost, .line = memory};
    w.zero = (uint64_t *)(w.line + 2 * rows);
    w.row_free = w.zero + w.words * cols;
    w.bit = w.row_free + w.words;
    for (int32_t k = 0; k < WORD; k++)
        w.bit[k] = UINT64_C(1) << k;
    w.star_row = (int32_t *)(w.bit + WORD);
    w.prime_row = w.star_row + rows;
    w.star_col = w.prime_row + rows;
    w.covered_row = w.star_col + cols;
    w.col_covered = (unsigned char *)(w.covered_row + rows + 1);
    w.forbidden = w.col_covered + cols;
    memset(w.star_row, 0xff, sizeof *w.star_row * (2 * rows + cols)); /* all -1 */

    replace_infinite(&w);
    reduce(&w);
    for (int32_t j = 0; j < n_cols; j++)
        note_zeros(&w, j);
    free_all_rows(&w);
    greedy_stars(&w);
    const int32_t wanted = n_rows < n_cols ? n_rows : n_cols;
    int32_t covered = cover_starred_columns(&w);
    while (covered < wanted) {
        if (prime_and_augment(&w)) {
            memset(w.prime_row, 0xff, sizeof *w.prime_row * rows);
            free_all_rows(&w);
            covered = cover_starred_columns(&w);
        } else if (!shift(&w)) {
            break;
        }
    }
    for (int32_t i = 0; i < n_rows; i++) {
        const int32_t j = w.star_row[i];
        match[i] = j >= 0 && !w.forbidden[i + (int64_t)j * n_rows] ? j : -1;
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
