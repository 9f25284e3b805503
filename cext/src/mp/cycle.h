/* Frustrated cycles by the k-projection graph (Sontag, Choe and Li, UAI 2012): they are searched if
 * few triangles are frustrated.
 *
 * A vertex of that graph is one state of one node against all its others. The edge between (u, a)
 * and (v, b) compares the least cell of link uv in which 'u takes a' and 'v takes b' are both true
 * or both false (they agree) with the least cell in which one is true (they differ). Its weight is
 * the difference of the two, and the edge is a 'differ' edge if those are cheaper. The cheaper case
 * cannot hold on every edge of a cycle with an odd number of 'differ' edges: triplets over such a
 * cycle raise the bound.
 */
#ifndef GM_MP_CYCLE_H
#define GM_MP_CYCLE_H

#include "mp/dual.h"

enum { MP_LONGEST_CYCLE = 24 }; /* nodes; longer ones are passed over */

typedef struct mp_cycle {
    double gain;    /* smallest weight on the cycle */
    int32_t length; /* at least 3 */
    int32_t node[MP_LONGEST_CYCLE];
} mp_cycle;

/* Finds up to `most` odd cycles through distinct nodes: by descending gain, none with a gain below
 * `least`. table is scratch for the largest link. Returns how many; 0 also when out of memory. */
int32_t mp_odd_cycles(const mp_dual *dual, double least, double *table, mp_cycle *cycles,
                      int32_t most);

#endif
