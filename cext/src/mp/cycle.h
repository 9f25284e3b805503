/* Odd cycles in the projected graph (Sontag, Choe and Li 2012): where triangles are not frustrated,
 * longer cycles may be.
 *
 * A vertex stands for one state of one node against all its others. An edge between (u, a) and (v,
 * b) weighs what it costs the link uv that 'u takes a' and 'v takes b' differ, less what it costs
 * that they agree: its sign says what the link wants, its size how much. A cycle with an odd number
 * of 'differ' edges cannot have its way everywhere, and a chain of triplets over it raises the
 * bound.
 */
#ifndef GM_MP_CYCLE_H
#define GM_MP_CYCLE_H

#include "mp/dual.h"

enum { MP_LONGEST_CYCLE = 24 };

typedef struct mp_cycle {
    double gain; /* smallest weight on the cycle */
    int32_t length;
    int32_t node[MP_LONGEST_CYCLE];
} mp_cycle;

/* Up to most odd cycles through distinct nodes, those with the largest smallest weight first, none
 * below least. table is scratch for the largest link. Returns how many; allocates and frees. */
int32_t mp_odd_cycles(const mp_dual *dual, double least, double *table, mp_cycle *cycles,
                      int32_t most);

#endif
