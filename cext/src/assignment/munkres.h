/* gm_munkres for kernels that bring their own memory. */
#ifndef GM_ASSIGNMENT_MUNKRES_H
#define GM_ASSIGNMENT_MUNKRES_H

#include "gm.h"

#include <stddef.h>

size_t gm_munkres_bytes(int32_t n_rows, int32_t n_cols);
/* memory: gm_munkres_bytes, aligned as malloc's. */
void gm_munkres_with(int32_t n_rows, int32_t n_cols, double *cost, int32_t *match, void *memory);

#endif
