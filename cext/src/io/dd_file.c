/* The dd text format of the study: one pass over the text, into arrays of the caller.
 *
 *   c comment                       i0 <i> <x> <y>, i1 <s> <x> <y>   coordinates
 *   p <n1> <n2> <#a> <#e>           n0 <i> <j>, n1 <s> <l>           neighbours
 *   a <id> <i> <s> <cost>           e <id1> <id2> <cost>
 */
#include "gm.h"
#include "io/number.h"

#include <math.h>
#include <string.h>

enum { SHORTEST_A = 10, SHORTEST_E = 8, MAX_NODES = 100000000 }; /* "a 0 0 0 0\n", "e 0 1 0\n" */

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static const char *skip_blanks(const char *p)
{
    while (is_blank(*p))
        p++;
    return p;
}

static int ends_line(const gm_dd *dd, const char *p)
{
    return *p == '\n' || p == dd->text + dd->length;
}

/* The end of the line that p is in: its newline, or the end of the text. */
static const char *line_end(const gm_dd *dd, const char *p)
{
    const char *end = dd->text + dd->length, *newline = memchr(p, '\n', (size_t)(end - p));
    return newline ? newline : end;
}

static const char *fail(gm_dd *dd, int error, int field)
{
    dd->error = error;
    dd->field = field;
    return NULL;
}

/* The field's first character, or NULL if the line is over. */
static const char *enter_field(gm_dd *dd, const char *p, int field)
{
    const char *start = skip_blanks(p);
    if (ends_line(dd, start))
        return fail(dd, GM_DD_FEW_FIELDS, field);
    return start == p ? fail(dd, GM_DD_NUMBER, field) : start;
}

static const char *leave_field(gm_dd *dd, const char *p, int field)
{
    return is_blank(*p) || ends_line(dd, p) ? p : fail(dd, GM_DD_NUMBER, field);
}

/* Reads an integer in 0 .. limit-1 after at least one blank. */
static const char *read_index(gm_dd *dd, const char *p, int field, int64_t limit, int64_t *value)
{
    if (!(p = enter_field(dd, p, field)))
        return NULL;
    const int negative = *p == '-';
    const char *digits = p += negative;
    int64_t n = 0;
    for (; *p >= '0' && *p <= '9'; p++)
        n = n < INT64_MAX / 10 - 1 ? 10 * n + (*p - '0') : INT64_MAX / 10;
    if (p == digits || !leave_field(dd, p, field))
        return fail(dd, GM_DD_NUMBER, field);
    if (negative || n >= limit)
        return fail(dd, GM_DD_RANGE, field);
    *value = n;
    return p;
}

/* Reads a number; +inf only where it means a forbidden assignment. */
static const char *read_number(gm_dd *dd, const char *p, int field, int allow_inf, double *value)
{
    if (!(p = enter_field(dd, p, field)))
        return NULL;
    const char first = *p;
    if (!(p = gm_read_double(p, value)))
        return fail(dd, GM_DD_NUMBER, field);
    if (!leave_field(dd, p, field))
        return NULL;
    const int forbidden = allow_inf && *value > 0 && (first | 0x20) == 'i';
    return isfinite(*value) || forbidden ? p : fail(dd, GM_DD_FINITE, field);
}

/* ---- one function per line type; p stands behind the type's letters */

static const char *read_p(gm_dd *dd, const char *p)
{
    int64_t n1, n2, n_candidates, n_edges;
    if (!(p = read_index(dd, p, 1, MAX_NODES + 1, &n1)) ||
        !(p = read_index(dd, p, 2, MAX_NODES + 1, &n2)) ||
        !(p = read_index(dd, p, 3, INT64_MAX, &n_candidates)) ||
        !(p = read_index(dd, p, 4, INT64_MAX, &n_edges)))
        return NULL;
    /* What is announced must fit in the rest of the text: checked before anybody allocates. */
    const int64_t rest = dd->text + dd->length - p;
    if (n_candidates > rest / SHORTEST_A || n_candidates > INT32_MAX)
        return fail(dd, GM_DD_TOO_LARGE, 3);
    if (n_edges > (rest - SHORTEST_A * n_candidates) / SHORTEST_E)
        return fail(dd, GM_DD_TOO_LARGE, 4);
    dd->n1 = (int32_t)n1;
    dd->n2 = (int32_t)n2;
    dd->n_candidates = (int32_t)n_candidates;
    dd->n_edges = n_edges;
    return p;
}

static const char *read_a(gm_dd *dd, const char *p)
{
    int64_t id, i, s;
    if (dd->seen_candidates == dd->n_candidates)
        return fail(dd, GM_DD_TOO_MANY, 0);
    if (!(p = read_index(dd, p, 1, dd->n_candidates, &id)) ||
        !(p = read_index(dd, p, 2, dd->n1, &i)) || !(p = read_index(dd, p, 3, dd->n2, &s)) ||
        !(p = read_number(dd, p, 4, 1, &dd->cost[id])))
        return NULL;
    if (dd->left[id] >= 0)
        return fail(dd, GM_DD_REPEATED, 1);
    dd->left[id] = (int32_t)i;
    dd->right[id] = (int32_t)s;
    dd->seen_candidates++;
    return p;
}

static const char *read_e(gm_dd *dd, const char *p)
{
    const int64_t k = dd->seen_edges;
    int64_t a, b;
    if (k == dd->n_edges)
        return fail(dd, GM_DD_TOO_MANY, 0);
    if (!(p = read_index(dd, p, 1, dd->n_candidates, &a)) ||
        !(p = read_index(dd, p, 2, dd->n_candidates, &b)) ||
        !(p = read_number(dd, p, 3, 0, &dd->edge_cost[k])))
        return NULL;
    if (a == b)
        return fail(dd, GM_DD_LOOP, 2);
    dd->a[k] = (int32_t)a;
    dd->b[k] = (int32_t)b;
    dd->seen_edges++;
    return p;
}

/* i0, i1: the coordinates are counted first, and stored once the caller has made room for them. */
static const char *read_i(gm_dd *dd, const char *p, int side)
{
    double xy[2];
    int64_t i;
    if (!(p = read_index(dd, p, 1, side ? dd->n2 : dd->n1, &i)) ||
        !(p = read_number(dd, p, 2, 0, &xy[0])) || !(p = read_number(dd, p, 3, 0, &xy[1])))
        return NULL;
    double *point = dd->points[side] ? dd->points[side] + 2 * i : NULL;
    if (point && !isnan(point[0]))
        return fail(dd, GM_DD_REPEATED, 1);
    if (point)
        memcpy(point, xy, sizeof xy);
    dd->n_points[side]++;
    return p;
}

static const char *read_n(gm_dd *dd, const char *p, int side)
{
    int64_t i, j;
    const int32_t n = side ? dd->n2 : dd->n1;
    if (!(p = read_index(dd, p, 1, n, &i)) || !(p = read_index(dd, p, 2, n, &j)))
        return NULL;
    if (dd->neighbours[side]) {
        int32_t *pair = dd->neighbours[side] + 2 * dd->n_neighbours[side];
        pair[0] = (int32_t)i;
        pair[1] = (int32_t)j;
    }
    dd->n_neighbours[side]++;
    return p;
}

/* Reads a line that is no comment; optional = 1 reads i0, i1, n0, n1 only, 0 everything else and
 * counts those. */
static const char *read_line(gm_dd *dd, const char *p, int optional)
{
    const char type = *p++;
    const int side = (type == 'i' || type == 'n') && (*p == '0' || *p == '1') ? *p++ - '0' : -1;
    if (!is_blank(*p) && !ends_line(dd, p))
        return fail(dd, GM_DD_TYPE, 0);
    switch (type) {
    case 'p': return fail(dd, GM_DD_SECOND_P, 0);
    case 'a': return optional ? line_end(dd, p) : read_a(dd, p);
    case 'e': return optional ? line_end(dd, p) : read_e(dd, p);
    case 'i': return side < 0 ? fail(dd, GM_DD_TYPE, 0) : read_i(dd, p, side);
    case 'n': return side < 0 ? fail(dd, GM_DD_TYPE, 0) : read_n(dd, p, side);
    default: return fail(dd, GM_DD_TYPE, 0);
    }
}

/* From the start of a line to the first character of content: neither blank nor in a comment.
 * Counts lines. */
static const char *next_content(gm_dd *dd, const char *p)
{
    const char *end = dd->text + dd->length;
    while (p < end) {
        dd->line++;
        dd->start = p - dd->text;
        p = skip_blanks(p);
        if (*p == 'c')
            p = line_end(dd, p);
        if (!ends_line(dd, p))
            return p;
        p += p < end;
    }
    return end;
}

/* The start of the next line, or NULL if this one has more fields than its type. */
static const char *finish_line(gm_dd *dd, const char *p)
{
    p = skip_blanks(p);
    return ends_line(dd, p) ? p + (p < dd->text + dd->length) : fail(dd, GM_DD_MANY_FIELDS, 0);
}

int gm_dd_open(gm_dd *dd)
{
    dd->error = GM_DD_FINE;
    dd->line = 0;
    dd->start = 0;
    const int bom = dd->length >= 3 && memcmp(dd->text, "\xef\xbb\xbf", 3) == 0;
    const char *p = next_content(dd, dd->text + (bom ? 3 : 0));
    if (p == dd->text + dd->length || *p != 'p')
        p = fail(dd, GM_DD_NO_P, 0);
    else if ((p = read_p(dd, p + 1)))
        p = finish_line(dd, p);
    dd->prologue_line = dd->line;
    dd->prologue_start = dd->start;
    dd->body = p ? p - dd->text : 0;
    return dd->error;
}

static int read_body(gm_dd *dd, int optional)
{
    const char *end = dd->text + dd->length, *p = dd->text + dd->body;
    dd->line = dd->prologue_line;
    memset(dd->n_points, 0, sizeof dd->n_points);
    memset(dd->n_neighbours, 0, sizeof dd->n_neighbours);
    while (p && (p = next_content(dd, p)) < end) {
        if ((p = read_line(dd, p, optional)))
            p = finish_line(dd, p);
    }
    return dd->error;
}

int gm_dd_read(gm_dd *dd)
{
    dd->seen_candidates = 0;
    dd->seen_edges = 0;
    for (int32_t k = 0; k < dd->n_candidates; k++)
        dd->left[k] = -1;
    if (read_body(dd, 0) == GM_DD_FINE &&
        (dd->seen_candidates < dd->n_candidates || dd->seen_edges < dd->n_edges)) {
        dd->line = dd->prologue_line;
        dd->start = dd->prologue_start;
        fail(dd, GM_DD_TOO_FEW, dd->seen_candidates < dd->n_candidates ? 3 : 4);
    }
    return dd->error;
}

int gm_dd_read_optional(gm_dd *dd)
{
    for (int64_t k = 0; dd->points[0] && k < 2 * (int64_t)dd->n1; k++)
        dd->points[0][k] = NAN;
    for (int64_t k = 0; dd->points[1] && k < 2 * (int64_t)dd->n2; k++)
        dd->points[1][k] = NAN;
    return read_body(dd, 1);
}
