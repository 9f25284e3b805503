/* A model as the classic baselines want it: square, every node matched, no positive cost. */
#ifndef GM_BASELINES_EXTENDED_H
#define GM_BASELINES_EXTENDED_H

#include "base/pool.h"
#include "gm.h"

/* Pairs with left >= row and right >= col are allowed for nothing and are no candidates. What
 * does not differ from the model it was made of is borrowed from that. */
typedef struct gm_extended {
    gm_model model; /* n1 = n2 */
    int32_t row, col;
    gm_pool pool;
} gm_extended;

/* The transforms `bijective` and `nonpositive` of core/transforms.py, to the last bit (but for the
 * constant that they take off). GM_OK or GM_ENOMEM; clear it either way. */
int gm_extend(gm_extended *extended, const gm_model *model);
void gm_extended_clear(gm_extended *extended);

#endif
