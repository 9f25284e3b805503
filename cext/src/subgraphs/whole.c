/* Partners of nodes that must be mapped; see whole.h. */
#include "subgraphs/whole.h"
#include "base/lanes.h"
#include "subgraphs/word.h"

/* Nodes of one side of a class that have the same counts of neighbours. */
typedef struct whole_group {
    uint64_t counts, members;
} whole_group;

typedef struct whole_side {
    const uint64_t *touch;
    uint64_t set[WHOLE_CLASSES]; /* of each class */
    uint64_t must;               /* nodes that must be mapped */
    uint64_t needed;             /* mask of the counts of classes that must be mapped */
    uint64_t partners[SMALL_NODES];
} whole_side;

typedef struct whole_test {
    whole_side left, right;
    int32_t n;
} whole_test;

/* ---- counts of neighbours */

INLINE uint64_t count_near(const whole_side *side, int32_t n, int32_t x)
{
    uint64_t counts = 0;
    for (int32_t k = 0; k < n; k++)
        counts |= (uint64_t)count(side->touch[x] & side->set[k]) << 4 * k;
    return counts;
}

INLINE int32_t group_nodes(const whole_side *side, int32_t n, uint64_t rest, whole_group *group)
{
    int32_t n_groups = 0;
    for (; rest; rest &= rest - 1) {
        const uint64_t counts = count_near(side, n, first_of(rest));
        int32_t k = 0;
        while (k < n_groups && group[k].counts != counts)
            k++;
        if (k == n_groups)
            group[n_groups++] = (whole_group){counts, 0};
        group[k].members |= rest & -rest;
    }
    return n_groups;
}

/* Sets the partners of the nodes of class k; 0 if a node that must be mapped has none. */
INLINE int find_partners(whole_test *t, int32_t k)
{
    whole_group left[SMALL_NODES], right[SMALL_NODES];
    uint64_t back[SMALL_NODES];
    const int32_t n_left = group_nodes(&t->left, t->n, t->left.set[k], left);
    const int32_t n_right = group_nodes(&t->right, t->n, t->right.set[k], right);
    for (int32_t h = 0; h < n_right; h++)
        back[h] = 0;
    for (int32_t g = 0; g < n_left; g++) {
        uint64_t partners = 0;
        for (int32_t h = 0; h < n_right; h++)
            if (all_at_most(left[g].counts & t->left.needed, right[h].counts) &&
                all_at_most(right[h].counts & t->right.needed, left[g].counts)) {
                partners |= right[h].members;
                back[h] |= left[g].members;
            }
        if (!partners && left[g].members & t->left.must)
            return 0;
        for (uint64_t rest = left[g].members; rest; rest &= rest - 1)
            t->left.partners[first_of(rest)] = partners;
    }
    for (int32_t h = 0; h < n_right; h++) {
        if (!back[h] && t->right.needed >> 4 * k & 1)
            return 0;
        for (uint64_t rest = right[h].members; rest; rest &= rest - 1)
            t->right.partners[first_of(rest)] |= back[h];
    }
    return 1;
}

/* ---- matchings */

/* Gives u a partner, if others can change theirs. */
static int find_place(const uint64_t *partners, uint64_t among, int32_t u, uint64_t *seen,
                      uint64_t *taken, int32_t *owner)
{
    const uint64_t open = partners[u] & among & ~*taken;
    if (open) {
        *taken |= open & -open;
        owner[first_of(open)] = u;
        return 1;
    }
    for (uint64_t rest; (rest = partners[u] & among & ~*seen) != 0;) {
        const int32_t v = first_of(rest);
        *seen |= only(v);
        if (find_place(partners, among, owner[v], seen, taken, owner)) {
            owner[v] = u;
            return 1;
        }
    }
    return 0;
}

/* Whether all `members` can have partners of their own in `among`. */
INLINE int can_match(const uint64_t *partners, uint64_t members, uint64_t among)
{
    int32_t owner[SMALL_NODES];
    uint64_t taken = 0;
    for (; members; members &= members - 1) {
        uint64_t seen = 0;
        if (!find_place(partners, among, first_of(members), &seen, &taken, owner))
            return 0;
    }
    return 1;
}

INLINE int can_match_all(const whole_test *t)
{
    for (int32_t k = 0; k < t->n; k++) {
        const uint64_t left = t->left.set[k], right = t->right.set[k];
        if (t->left.needed >> 4 * k & 1) {
            if (!can_match(t->left.partners, left, right))
                return 0;
        } else if (!can_match(t->right.partners, right, left)) {
            return 0;
        }
    }
    return 1;
}

/* ---- neighbours */

/* Whether every neighbour of x that must be mapped has a partner next to y. */
INLINE int neighbours_fit(const whole_side *own, const whole_side *other, int32_t x, int32_t y)
{
    for (uint64_t rest = own->touch[x] & own->must; rest; rest &= rest - 1)
        if (!(own->partners[first_of(rest)] & other->touch[y]))
            return 0;
    return 1;
}

/* Drops partners whose neighbours do not fit until nothing changes; 0 if a node that must be mapped
 * has none left. */
INLINE int refine_partners(whole_test *t, uint64_t living)
{
    for (int again = 1; again;) {
        again = 0;
        for (uint64_t rest = living; rest; rest &= rest - 1) {
            const int32_t u = first_of(rest);
            const uint64_t before = t->left.partners[u];
            for (uint64_t tried = before; tried; tried &= tried - 1) {
                const int32_t v = first_of(tried);
                if (neighbours_fit(&t->left, &t->right, u, v) &&
                    neighbours_fit(&t->right, &t->left, v, u))
                    continue;
                t->left.partners[u] &= ~only(v);
                t->right.partners[v] &= ~only(u);
                if (!t->right.partners[v] && t->right.must & only(v))
                    return 0;
            }
            if (!t->left.partners[u] && t->left.must & only(u))
                return 0;
            again |= t->left.partners[u] != before;
        }
    }
    return 1;
}

GM_WIDE int small_may_be_whole(const small_search *s, const small_class *of, int32_t n)
{
    whole_test t;
    uint64_t living = 0;
    t.n = n;
    t.left.touch = s->left.touch;
    t.right.touch = s->right.touch;
    t.left.must = t.right.must = t.left.needed = t.right.needed = 0;
    for (int32_t k = 0; k < n; k++) {
        const int32_t n_left = count(of[k].left);
        const int32_t n_right = count(of[k].right);
        t.left.set[k] = of[k].left;
        t.right.set[k] = of[k].right;
        t.left.needed |= (uint64_t)(n_left <= n_right ? 7 : 0) << 4 * k;
        t.right.needed |= (uint64_t)(n_right <= n_left ? 7 : 0) << 4 * k;
        t.left.must |= n_left <= n_right ? of[k].left : 0;
        t.right.must |= n_right <= n_left ? of[k].right : 0;
        for (uint64_t rest = of[k].right; rest; rest &= rest - 1)
            t.right.partners[first_of(rest)] = 0;
        living |= of[k].left;
    }
    for (int32_t k = 0; k < n; k++)
        if (!find_partners(&t, k))
            return 0;
    return can_match_all(&t) && refine_partners(&t, living) && can_match_all(&t);
}
