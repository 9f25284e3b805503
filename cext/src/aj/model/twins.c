/* Finding twins: equal signatures first, then a look at every cost. */
#include "aj/model/twins.h"

#include "base/watch.h"

#include <stdlib.h>
#include <string.h>

/* One side of the problem: the slots of member x are slot[start[x]] .. slot[start[x + 1] - 1], by
 * ascending `other` end. */
typedef struct side {
    int32_t n;
    const int32_t *start, *slot;
    const int32_t *own, *other; /* of each slot: its member of this side, and of the other one */
} side;

/* Spreads bits: the finaliser of MurmurHash3. */
static uint64_t mix(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ULL;
    return x ^ (x >> 33);
}

static uint64_t cost_bits(double cost)
{
    uint64_t bits = 0;
    const double plain = cost + 0.0; /* -0 and 0 are the same */
    memcpy(&bits, &plain, sizeof bits);
    return bits;
}

/* Equal for twins: sums over all costs of a member, which do not distinguish the members of its own
 * side. */
static uint64_t signature(const gm_index *index, const side *one, int32_t x)
{
    uint64_t sum = 0;
    for (int32_t k = one->start[x]; k < one->start[x + 1]; k++) {
        const int32_t p = one->slot[k];
        const uint64_t here = mix((uint64_t)one->other[p] + 1);
        sum += mix(here ^ cost_bits(index->slot_cost[p]));
        for (int64_t e = index->adjacent_start[p]; e < index->adjacent_start[p + 1]; e++) {
            const uint64_t there = (uint64_t)one->other[index->adjacent_slot[e]] + 1;
            sum += mix(here * 3 + mix(there) + cost_bits(index->adjacent_cost[e]));
        }
    }
    return sum;
}

/* Neighbours of a slot of x that are compared at a time: those of y, or those of neither. */
enum kind { OF_NEITHER, OF_THE_TWIN };

/* The next neighbour of this kind from e on, or end. */
static int64_t skip(const gm_index *index, const int32_t *own, int64_t e, int64_t end, int32_t x,
                    int32_t y, enum kind kind)
{
    for (; e < end; e++) {
        const int32_t member = own[index->adjacent_slot[e]];
        if (kind == OF_THE_TWIN ? member == y : member != x && member != y)
            break;
    }
    return e;
}

/* Whether the neighbours of one kind of slot p of x are those of slot q of y after the exchange. */
static int same_of_kind(const gm_index *index, const side *one, int32_t p, int32_t q, int32_t x,
                        int32_t y, enum kind kind)
{
    const int64_t end_p = index->adjacent_start[p + 1], end_q = index->adjacent_start[q + 1];
    int64_t e = index->adjacent_start[p], f = index->adjacent_start[q];
    for (;; e++, f++) {
        e = skip(index, one->own, e, end_p, x, y, kind);
        f = skip(index, one->own, f, end_q, y, x, kind);
        if (e == end_p || f == end_q)
            return e == end_p && f == end_q;
        const int32_t r = index->adjacent_slot[e], s = index->adjacent_slot[f];
        const int same_slot = kind == OF_THE_TWIN ? one->other[r] == one->other[s] : r == s;
        if (!same_slot || index->adjacent_cost[e] != index->adjacent_cost[f])
            return 0;
    }
}

/* Whether the neighbours of slot p of x are those of slot q of y after the exchange of x and y. */
static int same_neighbours(const gm_index *index, const side *one, int32_t p, int32_t q, int32_t x,
                           int32_t y)
{
    const int64_t n_p = index->adjacent_start[p + 1] - index->adjacent_start[p];
    const int64_t n_q = index->adjacent_start[q + 1] - index->adjacent_start[q];
    return n_p == n_q && same_of_kind(index, one, p, q, x, y, OF_NEITHER) &&
           same_of_kind(index, one, p, q, x, y, OF_THE_TWIN);
}

/* Whether the exchange of x and y changes no cost. */
static int are_twins(const gm_index *index, const side *one, int32_t x, int32_t y)
{
    const int32_t n = one->start[x + 1] - one->start[x];
    int same = n == one->start[y + 1] - one->start[y];
    for (int32_t k = 0; same && k < n; k++) {
        const int32_t p = one->slot[one->start[x] + k], q = one->slot[one->start[y] + k];
        same = one->other[p] == one->other[q] && index->slot_cost[p] == index->slot_cost[q];
    }
    for (int32_t k = 0; same && k < n; k++)
        same = same_neighbours(index, one, one->slot[one->start[x] + k],
                               one->slot[one->start[y] + k], x, y);
    return same;
}

typedef struct signed_member {
    uint64_t signature;
    int32_t member;
} signed_member;

static int by_signature(const void *x, const void *y)
{
    const signed_member *p = x, *q = y;
    return p->signature != q->signature
               ? (p->signature > q->signature) - (p->signature < q->signature)
               : (p->member > q->member) - (p->member < q->member);
}

/* Numbers the classes of one side, in the order of their first members; returns how many, or 0 if
 * the run is over. */
static int32_t number_classes(const gm_index *index, const side *one, signed_member *order,
                              int32_t *class)
{
    for (int32_t x = 0; x < one->n; x++) {
        if (gm_watch_spend(index->watch, GM_WORK_PER_LOOK))
            return 0;
        order[x].signature = signature(index, one, x);
        order[x].member = x;
        class[x] = x;
    }
    qsort(order, (size_t)one->n, sizeof *order, by_signature);
    for (int32_t k = 0; k < one->n; k++) /* to the first class with this signature that fits */
        for (int32_t l = k - 1; l >= 0 && order[l].signature == order[k].signature; l--) {
            if (gm_watch_spend(index->watch, 1))
                return 0;
            if (class[order[l].member] == order[l].member &&
                are_twins(index, one, order[l].member, order[k].member)) {
                class[order[k].member] = order[l].member;
                break;
            }
        }
    int32_t n = 0;
    for (int32_t x = 0; x < one->n; x++) /* the first member of a class comes first */
        class[x] = class[x] == x ? n++ : class[class[x]];
    return n;
}

aj_twins *aj_twins_new(const gm_index *index)
{
    aj_twins *T = calloc(1, sizeof *T);
    gm_pool scratch = {0};
    const int32_t most = index->n1 > index->n2 ? index->n1 : index->n2;
    int32_t *slots;
    signed_member *order;
    if (!T)
        return NULL;
    GM_TAKE(&T->pool, index->n2, T->label_class);
    GM_TAKE(&T->pool, index->n1, T->node_class);
    GM_TAKE(&scratch, index->n_slots, slots);
    GM_TAKE(&scratch, most, order);
    int failed = T->pool.failed || scratch.failed;
    if (!failed) {
        for (int32_t p = 0; p < index->n_slots; p++)
            slots[p] = p;
        const side labels = {index->n2, index->label_start, index->label_slot, index->slot_label,
                             index->slot_node};
        const side nodes = {index->n1, index->node_start, slots, index->slot_node,
                            index->slot_label};
        T->n_label_classes = number_classes(index, &labels, order, T->label_class);
        number_classes(index, &nodes, order, T->node_class);
        failed = gm_watch_is_over(index->watch);
    }
    gm_pool_free(&scratch);
    if (failed) {
        aj_twins_free(T);
        return NULL;
    }
    return T;
}

void aj_twins_free(aj_twins *T)
{
    if (T)
        gm_pool_free(&T->pool);
    free(T);
}
