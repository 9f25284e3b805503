/* Texts to numbers. */
#ifndef GM_GM_TEXT_H
#define GM_GM_TEXT_H

#include "gm/model.h"

/* ---- the dd text format ----------------------------------------------------------------------
 * The caller sets text and length (text[length] must be 0), calls open for the sizes, provides the
 * arrays, and calls read. If that has counted coordinates or neighbours, the caller provides
 * their arrays, too, and calls read_optional. Each returns error; then line and field (1 = the
 * first after the type) are its place.
 */
enum gm_dd_error {
    GM_DD_FINE = 0,
    GM_DD_NO_P,      /* the first line of content is not a prologue */
    GM_DD_SECOND_P,  /* a second prologue */
    GM_DD_TOO_LARGE, /* the prologue announces more than the text can hold */
    GM_DD_TYPE,      /* unknown line type */
    GM_DD_FEW_FIELDS,
    GM_DD_MANY_FIELDS,
    GM_DD_NUMBER,   /* the field is not a number of its kind */
    GM_DD_RANGE,    /* an index out of range */
    GM_DD_FINITE,   /* NaN, or infinite although it may not be */
    GM_DD_REPEATED, /* an id that was there already */
    GM_DD_LOOP,     /* an edge from an assignment to itself */
    GM_DD_TOO_MANY, /* more lines of a type than announced */
    GM_DD_TOO_FEW   /* fewer; field names the count in the prologue */
};

typedef struct gm_dd {
    const char *text;
    int64_t length;
    int32_t n1, n2, n_candidates; /* from the prologue */
    int64_t n_edges;
    int32_t *left, *right;                /* n_candidates each */
    double *cost;                         /* n_candidates; +inf = forbidden */
    int32_t *a, *b;                       /* n_edges each */
    double *edge_cost;                    /* n_edges */
    int64_t n_points[2], n_neighbours[2]; /* lines i0, i1, n0, n1 */
    double *points[2];                    /* 2 n1, 2 n2, or NULL */
    int32_t *neighbours[2];               /* 2 n_neighbours, or NULL */
    int32_t seen_candidates;
    int64_t seen_edges;
    int64_t body;                          /* start of the lines after the prologue in the text */
    int64_t prologue_line, prologue_start; /* line and start of the prologue */
    int64_t line, start;                   /* number and start of the present line */
    int32_t error, field;
} gm_dd;

int gm_dd_open(gm_dd *dd);
int gm_dd_read(gm_dd *dd);
int gm_dd_read_optional(gm_dd *dd);

/* Reads the numbers of a text, separated by blanks, commas and line ends; text[length] must be 0.
 * Returns how many, or -1 at a word that is not a number, and position gets its start. With
 * numbers = NULL words are only counted. */
int64_t gm_read_numbers(const char *text, int64_t length, double *numbers, int64_t *position);

#endif
