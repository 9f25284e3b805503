/* The first matching of linear assignment on candidate lists: column by column, then augmenting row
 * reduction (Jonker and Volgenant 1987). */
#include "assignment/lap_state.h"

#include <math.h>

/* Steps of the row reduction, per row: rounding could make two rows displace each other for ever.
 */
enum { ROW_REDUCTIONS = 4 };

/* The two cheapest choices of a row under the column duals: entries, or to stay free for 0 unless
 * the row must be matched. */
typedef struct choice {
    double least, second;        /* reduced costs, +inf: not allowed */
    int64_t entry, second_entry; /* -1: to stay free, or none */
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

/* Row duals that make every reduced cost >= 0, and a first matching on entries of reduced cost 0,
 * which prefers that of the previous solve. Rows that want a column and found none are listed in
 * free_row. GM_OK, GM_EINFEASIBLE or GM_ECUT. */
static int start_from_columns(gm_lap *lap, const double *cost, int warm)
{
    side *row = &lap->row, *col = &lap->col;
    for (int32_t j = 0; j < col->n; j++)
        col->mate[j] = -1;
    lap->n_free = 0;
    for (int32_t i = 0; i < row->n; i++) {
        const int64_t previous = warm ? row->mate[i] : -1;
        const choice best = two_cheapest(lap, i, cost);
        if (!isfinite(best.least))
            return GM_EINFEASIBLE;
        if (spend_line(lap, row, i) != GM_OK)
            return GM_ECUT;
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
            lap->free_row[lap->n_free++] = i;
    }
    return GM_OK;
}

/* Row i takes its best column, whose dual falls by the slack between its two choices, so that the
 * second choice is as good. Without slack it takes the second column if the first has an owner.
 * Returns the row that loses its column, or -1. */
static int32_t take_best_column(gm_lap *lap, int32_t i, choice best)
{
    side *row = &lap->row, *col = &lap->col;
    const double slack = best.second - best.least;
    int64_t entry = best.entry;
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
    return displaced;
}

/* Augmenting row reduction (Jonker and Volgenant 1987): each free row takes its best column, then
 * the row that lost it does the same. */
static void reduce_rows(gm_lap *lap, const double *cost)
{
    int64_t steps = ROW_REDUCTIONS * (int64_t)lap->row.n;
    for (int pass = 0; pass < 2; pass++) {
        const int32_t n_free = lap->n_free;
        lap->n_free = 0;
        for (int32_t k = 0; k < n_free; k++) {
            int32_t i = lap->free_row[k];
            while (i >= 0 && spend_line(lap, &lap->row, i) == GM_OK) {
                const choice best = two_cheapest(lap, i, cost);
                lap->row.dual[i] = best.least;
                if (best.entry < 0)
                    break;
                if (steps-- <= 0 || !isfinite(best.second)) {
                    lap->free_row[lap->n_free++] = i;
                    break;
                }
                const int32_t displaced = take_best_column(lap, i, best);
                const int tie = best.second - best.least <= 0.0;
                if (displaced >= 0 && tie) { /* no progress: wait for the next pass */
                    lap->free_row[lap->n_free++] = displaced;
                    break;
                }
                i = displaced;
            }
        }
    }
}

int gm_lap_start(gm_lap *lap, const double *cost, int warm)
{
    const int status = start_from_columns(lap, cost, warm);
    if (status == GM_OK && lap->n_free > lap->free_limit)
        return GM_ECUT;
    if (status == GM_OK)
        reduce_rows(lap, cost);
    return status;
}
