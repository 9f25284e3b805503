/* Scratch of a subproblem's evaluation: its bound, and masks of what may stay. */
#ifndef GM_AJ_ROOM_H
#define GM_AJ_ROOM_H

#include "aj/aj.h"

typedef struct aj_room {
    int32_t n_nodes;       /* of the whole model */
    int32_t n, n_mu, n_nu; /* there is room for so many candidates and rows, */
    int64_t m;             /* and so many entries */
    aj_bound *bound;
    uint8_t *candidates, *entries; /* 1 = may stay */
} aj_room;

/* Room for this problem and for all that had room before. GM_OK or GM_ENOMEM. */
int aj_room_fit(aj_room *room, const aj_problem *problem);
void aj_room_clear(aj_room *room);

/* Everything may stay. */
void aj_room_fill(aj_room *room, const aj_problem *problem);
/* Of this candidate's node nothing else may stay. */
void aj_room_decide(aj_room *room, const aj_problem *problem, int32_t candidate);
/* How much of the problem may stay: the smaller part of its candidates and of its entries. */
double aj_room_kept(const aj_room *room, const aj_problem *problem);

#endif
