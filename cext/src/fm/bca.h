/* The dual of fm-bca: block-coordinate ascent on the local-polytope relaxation with uniqueness.
 *
 * Factors: a unary vector per node (its slots, then the dummy: "unmatched"), a cost table per link,
 * and a factor per label saying that at most one node takes it. The bound is the sum of the
 * factors' minima; costs move between factors without changing any matching's cost, each move such
 * that the bound does not fall.
 *
 * Unaries and links: the *exchange* of MPLP++ (Tourani et al., ECCV 2018), link by link. The link
 * takes both unaries, A and B, and gives back U and V, after which its own minimum is 0:
 *
 *     U1(s) = 1/2 min_t (A(s) + theta(s,t) + B(t))
 *     V(t)  =     min_s (A(s) + theta(s,t) + B(t) - U1(s))
 *     U(s)  =     min_t (A(s) + theta(s,t) + B(t) - V(t))
 *
 * Sweeps alternate between forward and backward order. A *diffusing* sweep gives every link an even
 * share of the unaries as they were before the sweep, instead of the whole unaries of the moment.
 *
 * Unaries and label factors: an exact linear assignment, whose duals are moved and centred; or one
 * averaging step of either side, as in libmpopt.
 *
 * Every step is an ascent, but where ascent ends depends on the order of steps. There are three
 * schedules, taken in turn at each restart: plain sweeps with every third one diffusing and
 * averaging; diffusion with averaging, the schedule of the reference; diffusion with exact
 * assignment.
 */
#ifndef GM_FM_BCA_H
#define GM_FM_BCA_H

#include "model/index.h"
#include "moves/greedy.h"

typedef struct gm_bca gm_bca;

gm_bca *gm_bca_new(const gm_index *index); /* the index is borrowed; NULL when out of memory */
void gm_bca_free(gm_bca *bca);

/* One sweep over all links and the assignment. GM_OK or GM_EINFEASIBLE. */
int gm_bca_iterate(gm_bca *bca);

/* Forgets all messages and takes the next schedule; from the third restart on (every schedule had
 * its turn) links come in random order. */
void gm_bca_restart(gm_bca *bca, gm_random *random);

/* Estimated work of one iteration, in nanoseconds of an ordinary machine. */
double gm_bca_work(const gm_bca *bca);

/* The bound of the present reparametrisation, rounded down by its rounding error. */
double gm_bca_bound(const gm_bca *bca);

/* A bound on all matchings but the given one: each takes, at some node, a choice that costs more
 * than that node's minimum. It is higher than gm_bca_bound if all other choices cost more than
 * those of the matching, and then proves it to the last digit. */
double gm_bca_bound_of_others(const gm_bca *bca, const int32_t *labels);

/* Views of the present reparametrisation; costs that were moved to label factors are added back to
 * the unaries. */
gm_reparametrisation gm_bca_costs(gm_bca *bca);

#endif
