/* Sweeps of block-coordinate ascent before the proof proper: a bound before there is a root, costs
 * that guide the search for matchings, and messages from which the root's ascent can start if it
 * has full tables. */
#ifndef GM_AJ_LP_SWEEPS_H
#define GM_AJ_LP_SWEEPS_H

#include "fm/bca.h"

typedef struct aj_sweeps {
    gm_bca *bca;  /* NULL: there are none, or no more */
    int going_on; /* the next unit of the proof is a sweep */
    int gains;    /* after these: sweeps between steps of the search for matchings still gain */
    int n;        /* sweeps done */
    double bound; /* scaled: the best so far */
    double window_bound; /* scaled: at the beginning of the present window */
} aj_sweeps;

void aj_sweeps_init(aj_sweeps *sweeps);
/* Makes them possible. GM_OK or GM_ENOMEM. */
int aj_sweeps_begin(aj_sweeps *sweeps, const gm_index *index);
/* One sweep; going_on says afterwards whether another sweep is worth it. `early`: the root is still
 * to come, and it is large. GM_OK or an error. */
int aj_sweeps_step(aj_sweeps *sweeps, double scale, double cutoff, int early);
/* One sweep after these, while a large root waits for the search for matchings; gains says
 * afterwards whether another sweep is worth it. GM_OK or an error. */
int aj_sweeps_step_beside(aj_sweeps *sweeps, double scale, double cutoff);
void aj_sweeps_end(aj_sweeps *sweeps);

/* Costs that guide the search for matchings: NULL before the first sweep and after the last. */
gm_bca *aj_sweeps_guide(const aj_sweeps *sweeps);

#endif
