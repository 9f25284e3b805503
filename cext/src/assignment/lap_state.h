/* The state of linear assignment on candidate lists, shared by its search (lap.c) and its first
 * matching (lap_start.c). */
#ifndef GM_ASSIGNMENT_LAP_STATE_H
#define GM_ASSIGNMENT_LAP_STATE_H

#include "base/watch.h"

/* One side of the bipartite graph: its lines, their entries, duals and matched entries. */
typedef struct side {
    int32_t n;
    const int64_t *start;   /* n + 1: the places of each line in the two lists that follow */
    const int32_t *other;   /* per place: the line of the other side */
    const int64_t *entry;   /* per place: the entry; NULL for rows, for which they are the same */
    double *dual;           /* n, at most 0 unless the side must be complete */
    int64_t *mate;          /* n: matched entry, -1 = free */
    double *distance;       /* n: from the start of the search */
    int32_t *parent;        /* n: the line of the other side that it was reached from, */
    int64_t *parent_entry;  /* n: and by which entry */
    int32_t *heap_position; /* n: UNSEEN, SETTLED, or the place in the heap */
    int must_match;
} side;

struct gm_lap {
    side row, col;
    int32_t *entry_row;             /* per entry */
    const int32_t *entry_col;       /* per entry */
    int64_t *col_start, *col_entry; /* the lists of side col, */
    int32_t *col_other;             /* which are ours; */
    int has_columns;                /* 1 if they are made */
    int32_t *match;                 /* per row: column, -1 = free */
    int32_t *heap, n_heap;          /* lines of the other side by distance */
    int32_t *touched, n_touched;    /* those that the search has seen */
    int32_t *settled, n_settled;    /* those whose distance is final */
    int32_t *free_row, n_free;      /* rows that reduce_rows is to match; the memory of settled */
    double value;
    gm_watch *watch;
    int64_t work_limit, work; /* of a solve, in entries; limit 0: none */
    int32_t free_limit;       /* of the rows that the first matching leaves free */
    char *memory;
};

/* 1 if the work of this solve is beyond its limit, or the run is over. */
static inline int is_cut(const gm_lap *lap)
{
    return (lap->work_limit > 0 && lap->work > lap->work_limit) || gm_watch_is_over(lap->watch);
}

/* Spends the work on one line: GM_ECUT if the solve is cut. */
static inline int spend_line(gm_lap *lap, const side *s, int32_t line)
{
    const int64_t work = s->start[line + 1] - s->start[line] + 1;
    lap->work += work;
    gm_watch_spend(lap->watch, work);
    return is_cut(lap) ? GM_ECUT : GM_OK;
}

/* Makes duals whose reduced costs are >= 0, and a first matching on entries of reduced cost 0: from
 * the column duals, and if warm preferring the previous matching. GM_OK, GM_EINFEASIBLE or GM_ECUT.
 */
int gm_lap_start(gm_lap *lap, const double *cost, int warm);

#endif
