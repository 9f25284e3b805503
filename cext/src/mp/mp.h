/* mp for kernels that have read the model already. */
#ifndef GM_MP_MP_H
#define GM_MP_MP_H

#include "model/index.h"

/* gm_mp_new on a model's index, which must outlive the run; it is part of the run that the index
 * was made for. */
gm_run *mp_new_on(const gm_model *model, gm_index *index, const gm_mp_options *options);
/* Begins a round of smoothing now, unless one is going on; plain sweeps had their chance. */
void mp_begin_smoothing(gm_run *run);

#endif
