/* gm_munkres (gm.h) in memory of the caller, for kernels that solve many problems of one size. */
#ifndef GM_ASSIGNMENT_MUNKRES_H
#define GM_ASSIGNMENT_MUNKRES_H

#include "gm.h"

#include <stddef.h>

size_t gm_munkres_bytes(int32_t n_rows, int32_t n_cols);
/* memory: gm_munkres_bytes of them, aligned as malloc does. */
void gm_munkres_with(int32_t n_rows, int32_t n_cols, double *cost, int32_t *match, void *memory);

#endif
