/* Counts of neighbours and losses; see stars.h. */
#include "subgraphs/stars.h"
#include "base/lanes.h"
#include "subgraphs/word.h"

/* One side of the classes of a frame: set k is the one of class k. */
typedef struct star_side {
    const uint64_t *touch;
    const small_class *of;
    int32_t is_right;
    uint64_t counts[SMALL_NODES]; /* of the neighbours of an item in each set, four bits each */
    uint64_t counted;             /* items whose counts are known */
    uint64_t must;                /* items of the sets that must be mapped */
    uint64_t needed;              /* mask of the counts of these sets */
    uint64_t taken;               /* items of the losses so far */
} star_side;

/* The counts of item x, of n classes. */
INLINE uint64_t count_near(star_side *side, int32_t n, int32_t x)
{
    if (side->counted & only(x))
        return side->counts[x];
    uint64_t counts = 0;
    for (int32_t k = 0; k < n; k++) {
        const uint64_t set = side->is_right ? side->of[k].right : side->of[k].left;
        counts |= (uint64_t)count(side->touch[x] & set) << 4 * k;
    }
    side->counts[x] = counts;
    side->counted |= only(x);
    return counts;
}

/* Whether the star of item x, whose partners are `others`, loses nodes that no loss so far has. */
INLINE int is_loss(star_side *own, star_side *other, int32_t n, int32_t x, uint64_t others)
{
    const uint64_t near = only(x) | (own->touch[x] & own->must);
    if (near & own->taken)
        return 0;
    const uint64_t counts = count_near(own, n, x);
    uint64_t reasons = 0;
    for (; others; others &= others - 1) {
        const int32_t y = first_of(others);
        const uint64_t their_counts = count_near(other, n, y);
        if (!all_at_most(counts & own->needed, their_counts))
            continue;
        if (all_at_most(their_counts & other->needed, counts))
            return 0;
        reasons |= other->touch[y] & other->must;
    }
    if (reasons & other->taken)
        return 0;
    own->taken |= near;
    other->taken |= reasons;
    return 1;
}

INLINE void require(star_side *side, uint64_t items, uint64_t mask)
{
    side->must |= items;
    side->needed |= mask;
}

INLINE void begin_star_side(star_side *side, const uint64_t *touch, const small_class *of,
                            int right)
{
    side->touch = touch;
    side->of = of;
    side->is_right = right;
    side->counted = side->must = side->needed = side->taken = 0;
}

GM_WIDE int small_loses_more(const small_search *s, const small_class *of, int32_t n, int32_t slack)
{
    star_side left, right;
    int32_t lost = 0;
    begin_star_side(&left, s->left.touch, of, 0);
    begin_star_side(&right, s->right.touch, of, 1);
    for (int32_t k = 0; k < n; k++) {
        const int32_t n_left = count(of[k].left), n_right = count(of[k].right);
        const uint64_t mask = UINT64_C(7) << 4 * k;
        /* each class has one side that must be mapped; both if no node may be lost */
        if (n_left <= n_right)
            require(&left, of[k].left, mask);
        if (n_right < n_left || (n_right == n_left && slack == 0))
            require(&right, of[k].right, mask);
    }
    for (int32_t k = n - 1; k >= 0; k--) {
        const uint64_t mask = UINT64_C(7) << 4 * k, both[2] = {of[k].left, of[k].right};
        for (uint64_t rest = left.needed & mask ? both[0] : 0; rest; rest &= rest - 1)
            if (is_loss(&left, &right, n, first_of(rest), both[1]) && ++lost > slack)
                return 1;
        for (uint64_t rest = right.needed & mask ? both[1] : 0; rest; rest &= rest - 1)
            if (is_loss(&right, &left, n, first_of(rest), both[0]) && ++lost > slack)
                return 1;
    }
    return 0;
}
