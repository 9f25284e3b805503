/* Sweeps of block-coordinate ascent before the proof proper: a bound before there is a root, costs
 * that guide the search for matchings, and messages from which the root's ascent can start where it
 * has full tables. */
#ifndef GM_AJ_SWEEPS_H
#define GM_AJ_SWEEPS_H

#include "fm/bca.h"

typedef struct aj_sweeps {
    gm_bca *bca;         /* NULL: there are none, or no more */
    int going_on;        /* before the root; */
    int gains;           /* where they are over: still something, beside other work */
    int n;               /* done */
    double bound;        /* scaled: the best so far, */
    double window_bound; /* and the one at the last look back */
} aj_sweeps;

void aj_sweeps_init(aj_sweeps *sweeps);
/* GM_OK or GM_ENOMEM. */
int aj_sweeps_begin(aj_sweeps *sweeps, const gm_index *index);
/* One sweep; afterwards it is known whether another is worth it. `early`: the root is still to
 * come, and it is large. GM_OK or an error. */
int aj_sweeps_step(aj_sweeps *sweeps, double scale, double cutoff, int early);
/* One sweep after these, while a large root waits for the search for matchings. */
int aj_sweeps_step_beside(aj_sweeps *sweeps, double scale, double cutoff);
void aj_sweeps_end(aj_sweeps *sweeps);

/* For the search for matchings: NULL before the first sweep and after the last. */
gm_bca *aj_sweeps_guide(const aj_sweeps *sweeps);

#endif
