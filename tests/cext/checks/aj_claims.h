#ifndef GM_CHECKS_AJ_CLAIMS_H
#define GM_CHECKS_AJ_CLAIMS_H

#include "gm/model.h"

/* What the fixing rules claim: the star bound of the whole model at random duals (seed
 * 0: all zero), tables = 1: with all links as full tables. forced[k] is a lower bound on every
 * matching with candidate k, pair[e] on every matching with both ends of edge e (-inf where the
 * relaxation has no such entry). */
int gm_aj_claims(const gm_model *model, int32_t tables, uint64_t seed, double *bound,
                 double *forced, double *pair);

#endif
