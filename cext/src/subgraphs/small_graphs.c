/* The two graphs of a search for small graphs; see small_search.h. */
#include "subgraphs/bits.h"
#include "subgraphs/small_search.h"

enum {
    MOST_CODES = 64,    /* of a graph: a set of codes is one word */
    MOST_NEIGHBOURS = 7 /* of a node of a sparse graph: counts of stars have three bits */
};

/* The number of different codes of a side, at most one more than MOST_CODES; place[p] is the code
 * of part p if it is not NULL. */
static int32_t count_codes(const sub_side *side, int32_t *place)
{
    const sub_parts *parts = &side->parts;
    int32_t there[MOST_CODES], back[MOST_CODES], n = 0;
    for (int32_t p = 0; p < parts->start[side->n_nodes]; p++) {
        int32_t code = 0;
        while (code < n && (there[code] != parts->there[p] || back[code] != parts->back[p]))
            code++;
        if (code == n) {
            if (n == MOST_CODES)
                return MOST_CODES + 1;
            there[n] = parts->there[p];
            back[n++] = parts->back[p];
        }
        if (place)
            place[p] = code;
    }
    return n;
}

int small_takes(const sub_question *q)
{
    return !q->options.by_edges && !q->options.connected && !q->options.weight &&
           q->left.n_items <= SMALL_NODES && q->right.n_items <= SMALL_NODES &&
           count_codes(&q->left, NULL) <= MOST_CODES && count_codes(&q->right, NULL) <= MOST_CODES;
}

static void read_side(small_side *small, const sub_side *side, const int32_t *place)
{
    const sub_parts *parts = &side->parts;
    for (int32_t x = 0; x < side->n_items; x++) {
        const int32_t u = side->original[x];
        for (int32_t p = parts->start[u]; p < parts->start[u + 1]; p++) {
            small->near[place[p] * SMALL_NODES + x] = parts->set[p];
            small->touch[x] |= parts->set[p];
        }
        for (int32_t y = 0; y < side->n_items; y++)
            if (side->twin[side->original[y]] == side->twin[u])
                bits_add(small->twins + x, y);
    }
}

/* Which codes of the right fit each of the left. */
static void read_fits(small_search *small, const sub_question *q, const int32_t *place1,
                      const int32_t *place2)
{
    const sub_parts *one = &q->left.parts, *other = &q->right.parts;
    for (int32_t p = 0; p < one->start[q->left.n_nodes]; p++)
        for (int32_t r = 0; r < other->start[q->right.n_nodes]; r++)
            if (q->kinds_fit[one->there[p] * q->kinds2 + other->there[r]] &&
                q->kinds_fit[one->back[p] * q->kinds2 + other->back[r]])
                small->fits[place1[p]] |= UINT64_C(1) << place2[r];
}

int small_take(small_search *small, gm_pool *pool, const sub_question *q)
{
    const sub_side *sides[2] = {&q->left, &q->right};
    small_side *own[2] = {&small->left, &small->right};
    const int64_t frames = SMALL_NODES + 1;
    int32_t *place[2], most = 0;
    gm_pool scratch = {NULL, 0};
    for (int k = 0; k < 2; k++) {
        GM_TAKE(&scratch, sides[k]->parts.start[sides[k]->n_nodes], place[k]);
        if (scratch.failed)
            break;
        own[k]->n_codes = count_codes(sides[k], place[k]);
        GM_TAKE(pool, (int64_t)own[k]->n_codes * SMALL_NODES, own[k]->near);
    }
    GM_TAKE(pool, small->left.n_codes, small->fits);
    GM_TAKE(pool, frames, small->frame);
    GM_TAKE(pool, (frames + 1) * SMALL_NODES, small->of);
    GM_TAKE(pool, KNOWN_STATES, small->known);
    const int failed = scratch.failed || pool->failed;
    for (int k = 0; !failed && k < 2; k++) {
        read_side(own[k], sides[k], place[k]);
        for (int32_t x = 0; x < sides[k]->n_items; x++) {
            const int32_t degree = bits_count(own[k]->touch + x, 1);
            most = degree > most ? degree : most;
        }
    }
    if (!failed)
        read_fits(small, q, place[0], place[1]);
    small->is_sparse = most <= MOST_NEIGHBOURS;
    gm_pool_free(&scratch);
    if (most <= DUAL_NEAR && !q->overlaps)
        GM_TAKE(pool, 1, small->dual);
    if (failed || pool->failed)
        return GM_ENOMEM;
    if (small->dual)
        dual_begin(small->dual, small);
    return GM_OK;
}
