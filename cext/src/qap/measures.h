/* Numbers about the matrices of a quadratic assignment, by which the search is chosen. */
#ifndef GM_QAP_MEASURES_H
#define GM_QAP_MEASURES_H

#include "gm.h"

/* Whether a few large products dominate the cost. Large entries of one matrix do not, if all
 * entries of the other are about the same. */
int qap_is_dominated(const gm_qap *qap);

/* The cost of a matching if all terms were positive: n^2 products of mean size, and the mean of
 * the allowed unary costs for every node. */
double qap_magnitude(const gm_qap *qap);

#endif
