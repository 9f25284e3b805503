/* A proof by deletions that others can check: the stages of the semidefinite root.
 *
 * A stage is a semidefinite bound of the problem after the earlier stages, and a list of candidates
 * and pairs that it deletes. Only those are deleted that follow from the reduced costs l of the
 * master problem and r of the stars in one step: a pair by l_p + l_q + r_pq + r_qp, a candidate by
 * looking ahead, for which the stage keeps the column duals. docs/certificates.md has the argument.
 */
#ifndef GM_AJ_SDP_STAGES_H
#define GM_AJ_SDP_STAGES_H

#include "aj/lp/certificate.h"
#include "aj/scratch.h"

/* Clears in the masks of the scratch (all set) the candidates that the last evaluation excludes,
 * and records them in the present stage. Returns how many were cleared, or GM_ENOMEM. ahead_cost:
 * 2m, scratch. */
int64_t aj_stages_delete(aj_certified *certified, aj_scratch *scratch, const aj_problem *problem,
                         double cutoff, double *ahead_cost);
/* The present stage becomes part of the proof; `last`: below the cutoff nothing remains. GM_OK or
 * GM_ENOMEM. */
int aj_stages_add(aj_certified *certified, double cutoff, int last);

#endif
