/* A model in the form that the classic baselines need: as many labels as nodes, all of them
 * matched, and no positive cost. */
#ifndef GM_BASELINES_EXTENDED_H
#define GM_BASELINES_EXTENDED_H

#include "base/pool.h"
#include "gm.h"

/* Arrays that are the same as in the model that it was made of are borrowed from that. */
typedef struct gm_extended {
    gm_model model;   /* n1 = n2 */
    int32_t row, col; /* all pairs with left >= row and right >= col are allowed at cost 0 without
                         being candidates */
    gm_pool pool;
} gm_extended;

/* The result of the transforms `bijective` and `nonpositive` of core/transforms.py, to the last
 * bit; the constant that they subtract is not kept. GM_OK or GM_ENOMEM; clear it either way.
 */
int gm_extend(gm_extended *extended, const gm_model *model);
void gm_extended_clear(gm_extended *extended);

#endif
