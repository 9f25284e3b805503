#include "aj/room.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int32_t larger(int32_t x, int32_t y)
{
    return x > y ? x : y;
}

void aj_room_clear(aj_room *room)
{
    aj_bound_free(room->bound);
    free(room->candidates);
    free(room->entries);
    room->bound = NULL;
    room->candidates = room->entries = NULL;
}

int aj_room_fit(aj_room *room, const aj_problem *P)
{
    aj_room_clear(room);
    room->n = larger(P->n, room->n);
    room->m = P->m > room->m ? P->m : room->m;
    room->n_mu = larger(P->n_mu, room->n_mu);
    room->n_nu = larger(P->n_nu, room->n_nu);
    room->bound =
        aj_bound_new(room->n_nodes, P->n_labels, room->n, room->m, room->n_mu, room->n_nu);
    room->candidates = malloc((size_t)room->n + 1);
    room->entries = malloc((size_t)room->m + 1);
    return room->bound && room->candidates && room->entries ? GM_OK : GM_ENOMEM;
}

void aj_room_fill(aj_room *room, const aj_problem *P)
{
    memset(room->candidates, 1, (size_t)P->n);
    memset(room->entries, 1, (size_t)P->m);
}

void aj_room_decide(aj_room *room, const aj_problem *P, int32_t candidate)
{
    const int32_t node = P->node[candidate];
    for (int32_t q = P->node_start[node]; q < P->node_start[node + 1]; q++)
        room->candidates[q] &= (uint8_t)(q == candidate);
}

double aj_room_kept(const aj_room *room, const aj_problem *P)
{
    int64_t n = 0, m = 0;
    for (int32_t p = 0; p < P->n; p++)
        n += room->candidates[p];
    for (int64_t e = 0; e < P->m; e++)
        m += room->entries[e];
    return fmin((double)n / (double)P->n, P->m > 0 ? (double)m / (double)P->m : 1.0);
}
