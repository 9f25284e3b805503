/* Reader of the dd text format, which the study's instances come in. One pass over the text fills
 * arrays of the caller; a second one reads the optional lines.
 *
 *   c comment                       i0 <i> <x> <y>, i1 <s> <x> <y>   coordinates
 *   p <n1> <n2> <#a> <#e>           n0 <i> <j>, n1 <s> <l>           neighbours
 *   a <id> <i> <s> <cost>           e <id1> <id2> <cost>
 */
#include "gm.h"
#include "io/number.h"

#include <math.h>
#include <string.h>

enum {
    SHORTEST_A = 10, /* characters of "a 0 0 0 0\n" */
    SHORTEST_E = 8,  /* characters of "e 0 1 0\n" */
    MAX_NODES = 100000000
};

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
    const char *end = dd->text + dd->length;
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    return newline ? newline : end;
}

/* Notes an error in a field of the present line (0: the line as a whole). Returns NULL. */
static const char *fail(gm_dd *dd, int error, int field)
{
    dd->error = error;
    dd->field = field;
    return NULL;
}

/* ---- fields. All readers take the place in the text behind the field before and return that
 * behind their own; NULL, after an error, is passed on, so that a line's fields are read one after
 * the other and asked about once. */

/* The first character of the field, which at least one blank must precede. */
static const char *enter_field(gm_dd *dd, const char *p, int field)
{
    if (!p)
        return NULL;
    const char *start = skip_blanks(p);
    if (ends_line(dd, start))
        return fail(dd, GM_DD_FEW_FIELDS, field);
    return start == p ? fail(dd, GM_DD_NUMBER, field) : start;
}

/* Checks that a field ends at p. */
static const char *leave_field(gm_dd *dd, const char *p, int field)
{
    return is_blank(*p) || ends_line(dd, p) ? p : fail(dd, GM_DD_NUMBER, field);
}

/* Reads an integer in 0 .. limit - 1. */
static const char *read_index(gm_dd *dd, const char *p, int field, int64_t limit, int64_t *value)
{
    p = enter_field(dd, p, field);
    if (!p)
        return NULL;
    const int negative = *p == '-';
    p += negative;
    const char *digits = p;
    int64_t n = 0;
    for (; *p >= '0' && *p <= '9'; p++)
        n = n < INT64_MAX / 10 - 1 ? 10 * n + (*p - '0') : INT64_MAX / 10; /* no overflow */
    if (p == digits || !leave_field(dd, p, field))
        return fail(dd, GM_DD_NUMBER, field);
    if (negative || n >= limit)
        return fail(dd, GM_DD_RANGE, field);
    *value = n;
    return p;
}

/* Reads a finite number, or with allow_inf the word inf, which forbids an assignment. */
static const char *read_number(gm_dd *dd, const char *p, int field, int allow_inf, double *value)
{
    p = enter_field(dd, p, field);
    if (!p)
        return NULL;
    const char first = *p;
    p = gm_read_double(p, value);
    if (!p)
        return fail(dd, GM_DD_NUMBER, field);
    if (!leave_field(dd, p, field))
        return NULL;
    const int forbidden = allow_inf && *value > 0 && (first | 0x20) == 'i';
    return isfinite(*value) || forbidden ? p : fail(dd, GM_DD_FINITE, field);
}

/* ---- one function for each type of line; p stands behind the type's letters */

static const char *read_p(gm_dd *dd, const char *p)
{
    int64_t n1, n2, n_candidates, n_edges;
    p = read_index(dd, p, 1, MAX_NODES + 1, &n1);
    p = read_index(dd, p, 2, MAX_NODES + 1, &n2);
    p = read_index(dd, p, 3, INT64_MAX, &n_candidates);
    p = read_index(dd, p, 4, INT64_MAX, &n_edges);
    if (!p)
        return NULL;
    /* The announced numbers must fit in the rest of the text: checked before any allocation. */
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
    double cost;
    if (dd->seen_candidates == dd->n_candidates)
        return fail(dd, GM_DD_TOO_MANY, 0);
    p = read_index(dd, p, 1, dd->n_candidates, &id);
    p = read_index(dd, p, 2, dd->n1, &i);
    p = read_index(dd, p, 3, dd->n2, &s);
    p = read_number(dd, p, 4, 1, &cost);
    if (!p)
        return NULL;
    if (dd->left[id] >= 0)
        return fail(dd, GM_DD_REPEATED, 1);
    dd->cost[id] = cost;
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
    p = read_index(dd, p, 1, dd->n_candidates, &a);
    p = read_index(dd, p, 2, dd->n_candidates, &b);
    p = read_number(dd, p, 3, 0, &dd->edge_cost[k]);
    if (!p)
        return NULL;
    if (a == b)
        return fail(dd, GM_DD_LOOP, 2);
    dd->a[k] = (int32_t)a;
    dd->b[k] = (int32_t)b;
    dd->seen_edges++;
    return p;
}

/* i0, i1: coordinates of a node; stored if the caller has made room for them, and counted. */
static const char *read_i(gm_dd *dd, const char *p, int side)
{
    double xy[2];
    int64_t i;
    p = read_index(dd, p, 1, side ? dd->n2 : dd->n1, &i);
    p = read_number(dd, p, 2, 0, &xy[0]);
    p = read_number(dd, p, 3, 0, &xy[1]);
    if (!p)
        return NULL;
    double *point = dd->points[side] ? dd->points[side] + 2 * i : NULL;
    if (point && !isnan(point[0]))
        return fail(dd, GM_DD_REPEATED, 1);
    if (point)
        memcpy(point, xy, sizeof xy);
    dd->n_points[side]++;
    return p;
}

/* n0, n1: two neighbours; stored and counted likewise. */
static const char *read_n(gm_dd *dd, const char *p, int side)
{
    int64_t i, j;
    const int32_t n = side ? dd->n2 : dd->n1;
    p = read_index(dd, p, 1, n, &i);
    p = read_index(dd, p, 2, n, &j);
    if (!p)
        return NULL;
    if (dd->neighbours[side]) {
        int32_t *pair = dd->neighbours[side] + 2 * dd->n_neighbours[side];
        pair[0] = (int32_t)i;
        pair[1] = (int32_t)j;
    }
    dd->n_neighbours[side]++;
    return p;
}

/* Reads a line of content. With optional = 0 lines i0, i1, n0, n1 are counted only, as they have no
 * memory yet; with optional = 1 they are stored, and lines a and e passed over. */
static const char *read_line(gm_dd *dd, const char *p, int optional)
{
    const char type = *p++;
    int side = -1;
    if ((type == 'i' || type == 'n') && (*p == '0' || *p == '1'))
        side = *p++ - '0';
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

/* From the start of a line to the next character of content, which is neither blank nor in a
 * comment, or to the end of the text. Counts lines. */
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
static const char *next_line(gm_dd *dd, const char *p)
{
    p = skip_blanks(p);
    return ends_line(dd, p) ? p + (p < dd->text + dd->length) : fail(dd, GM_DD_MANY_FIELDS, 0);
}

int gm_dd_open(gm_dd *dd)
{
    dd->error = GM_DD_FINE;
    dd->line = 0;
    dd->start = 0;
    /* some editors put a byte order mark first */
    const int bom = dd->length >= 3 && memcmp(dd->text, "\xef\xbb\xbf", 3) == 0;
    const char *p = next_content(dd, dd->text + (bom ? 3 : 0));
    if (p == dd->text + dd->length || *p != 'p')
        p = fail(dd, GM_DD_NO_P, 0);
    else
        p = read_p(dd, p + 1);
    if (p)
        p = next_line(dd, p);
    dd->prologue_line = dd->line;
    dd->prologue_start = dd->start;
    dd->body = p ? p - dd->text : 0;
    return dd->error;
}

/* All lines behind the prologue. */
static int read_body(gm_dd *dd, int optional)
{
    const char *end = dd->text + dd->length, *p = dd->text + dd->body;
    dd->line = dd->prologue_line;
    memset(dd->n_points, 0, sizeof dd->n_points);
    memset(dd->n_neighbours, 0, sizeof dd->n_neighbours);
    while (p) {
        p = next_content(dd, p);
        if (p == end)
            break;
        p = read_line(dd, p, optional);
        if (p)
            p = next_line(dd, p);
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
