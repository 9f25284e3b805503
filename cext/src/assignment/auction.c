/* Rows bid for columns one after the other. A row takes the column that is cheapest for it, cost
 * minus dual, and lowers its dual until the column is as expensive as its second choice, and by eps
 * more; the former owner bids again. Large eps end quickly with poor duals, small ones slowly
 * unless the duals are good: eps falls from phase to phase, each of which begins with the duals of
 * the last one and without owners.
 *
 * If columns may stay free, a dual that fell in an early phase would have to rise again. Such an
 * assignment has one phase only. */
#include "assignment/auction.h"

#include "base/watch.h"

#include <math.h>
#include <string.h>

/* Chosen on random sparse matrices and on neighbours of points,
 * 200 to 30,000 rows */
static const double FIRST_EPS = 0.005; /* of the range of costs */
static const double FALL = 0.1;        /* of eps from phase to phase */
static const double LAST_EPS = 0.02;   /* of the mean difference between the choices of a row */
enum { BIDS_PER_ROW = 200 };           /* in a phase, on average */

/* The cheapest column of row i, or -1 to stay free; the costs of the first and second choice. */
static int32_t choose(const gm_auction *auction, int32_t i, double *first, double *second)
{
    int32_t best = -1;
    *first = auction->complete ? INFINITY : 0.0;
    *second = INFINITY;
    for (int64_t e = auction->start[i]; e < auction->start[i + 1]; e++) {
        const double now = auction->cost[e] - auction->v[auction->col[e]];
        if (now < *first) {
            *second = *first;
            *first = now;
            best = auction->col[e];
        } else if (now < *second) {
            *second = now;
        }
    }
    return best;
}

/* Returns 1 if every row has a column, 0 if that takes too long. */
static int hold_phase(const gm_auction *auction, double eps, double range, gm_watch *watch)
{
    int64_t bids = BIDS_PER_ROW * (int64_t)auction->n_rows;
    for (int32_t j = 0; j < auction->n_cols; j++)
        auction->owner[j] = -1;
    for (int32_t i = 0; i < auction->n_rows; i++) {
        for (int32_t bidder = i; bidder >= 0;) {
            const int64_t work = auction->start[bidder + 1] - auction->start[bidder] + 1;
            if (bids-- <= 0 || gm_watch_spend(watch, work))
                return 0;
            double first, second;
            const int32_t j = choose(auction, bidder, &first, &second);
            if (j < 0)
                break;
            auction->v[j] -= (second < INFINITY ? second - first : range) + eps;
            const int32_t displaced = auction->owner[j];
            auction->owner[j] = bidder;
            bidder = displaced;
        }
    }
    return 1;
}

int gm_auction_solve(const gm_auction *auction, gm_watch *watch)
{
    const int64_t n_entries = auction->start[auction->n_rows];
    double low = auction->complete ? INFINITY : 0.0, high = auction->complete ? -INFINITY : 0.0;
    for (int64_t e = 0; e < n_entries; e++) {
        low = auction->cost[e] < low ? auction->cost[e] : low;
        high = auction->cost[e] > high ? auction->cost[e] : high;
    }
    memset(auction->v, 0, sizeof *auction->v * (size_t)auction->n_cols);
    double gaps = 0.0;
    for (int32_t i = 0; i < auction->n_rows; i++) {
        double first, second;
        choose(auction, i, &first, &second);
        gaps += second < INFINITY ? second - first : 0.0;
    }
    const double range = high - low, last = LAST_EPS * gaps / (auction->n_rows + 1.0);
    const int has_phases = auction->complete && auction->n_rows == auction->n_cols;
    double eps = has_phases ? FIRST_EPS * range : last;
    while (last > 0.0 && hold_phase(auction, eps, range, watch) && eps > last)
        eps = fmax(eps * FALL, last);
    return gm_watch_is_over(watch) ? GM_ECUT : GM_OK;
}
