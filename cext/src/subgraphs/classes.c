/* Splitting and measuring classes: the inner loop of the search. */
#include "subgraphs/classes.h"
#include "base/lanes.h"
#include "subgraphs/bits.h"

#include <string.h>

void sub_classes_take(sub_classes *classes, gm_pool *pool, const sub_question *q, int64_t n)
{
    GM_TAKE(pool, n, classes->of);
    GM_TAKE(pool, n * q->left.words, classes->left);
    GM_TAKE(pool, n * q->right.words, classes->right);
}

/* sum_i (t_i - t_{i+1}) min(|left of at least t_i|, |right of at least t_i|) */
static double worth_by_levels(const sub_question *q, const uint64_t *left, const uint64_t *right)
{
    double most = 0.0;
    for (int32_t i = 0; i < q->n_levels; i++) {
        const uint64_t *of_left = q->left_level + (int64_t)i * q->left.words;
        const uint64_t *of_right = q->right_level + (int64_t)i * q->right.words;
        int32_t n_left = 0, n_right = 0;
        for (int32_t w = 0; w < q->left.words; w++)
            n_left += __builtin_popcountll(left[w] & of_left[w]);
        for (int32_t w = 0; w < q->right.words; w++)
            n_right += __builtin_popcountll(right[w] & of_right[w]);
        most += q->step[i] * (double)(n_left < n_right ? n_left : n_right);
    }
    return most;
}

GM_WIDE void sub_measure(const sub_question *q, sub_classes *classes, int64_t k)
{
    sub_class *c = classes->of + k;
    const uint64_t *left = classes->left + k * q->left.words;
    const uint64_t *right = classes->right + k * q->right.words;
    c->n_left = bits_count(left, q->left.words);
    c->n_right = bits_count(right, q->right.words);
    c->most = q->options.weight ? worth_by_levels(q, left, right)
                                : (double)(c->n_left < c->n_right ? c->n_left : c->n_right);
}

/* ---- splitting */

/* Keeps the class that was written to place `end` if both sides have members: returns the next
 * place. */
static inline int64_t keep(const sub_question *q, sub_classes *classes, int64_t end,
                           int32_t anchors, int32_t n_left, int32_t n_right, int32_t *matched)
{
    if (n_left == 0 || n_right == 0)
        return end;
    const int32_t fewer = n_left < n_right ? n_left : n_right;
    if (q->options.by_edges && anchors > 0) {
        const int32_t item = bits_next(classes->left + end * q->left.words, q->left.words, 0);
        if (anchors == 2 || q->left.tail[item] == q->left.head[item]) {
            *matched += fewer; /* both ends are mapped */
            return end;
        }
    }
    sub_class *c = classes->of + end;
    *c = (sub_class){n_left, n_right, anchors, (double)fewer};
    if (q->options.weight)
        c->most = worth_by_levels(q, classes->left + end * q->left.words,
                                  classes->right + end * q->right.words);
    return end + 1;
}

/* Appends the members of class k that part `p` of u holds, with those on the right that touch v in
 * a way that fits. */
static inline __attribute__((always_inline)) int64_t split_part(const sub_question *q,
                                                                sub_classes *classes, int64_t k,
                                                                int64_t end, int64_t p, int32_t v,
                                                                int32_t *matched, int32_t wl,
                                                                int32_t wr)
{
    const uint64_t *left = classes->left + k * wl, *right = classes->right + k * wr;
    uint64_t *to_left = classes->left + end * wl, *to_right = classes->right + end * wr;
    const uint64_t *part = q->left.parts.set + p * wl;
    int32_t n_left = 0, n_right = 0;
    for (int32_t w = 0; w < wl; w++) {
        to_left[w] = left[w] & part[w];
        n_left += __builtin_popcountll(to_left[w]);
    }
    if (n_left == 0)
        return end;
    for (int32_t w = 0; w < wr; w++)
        to_right[w] = 0;
    for (int64_t r = q->right.parts.start[v]; r < q->right.parts.start[v + 1]; r++) {
        if (!q->kinds_fit[q->left.parts.there[p] * q->kinds2 + q->right.parts.there[r]] ||
            !q->kinds_fit[q->left.parts.back[p] * q->kinds2 + q->right.parts.back[r]])
            continue;
        const uint64_t *other = q->right.parts.set + r * wr;
        for (int32_t w = 0; w < wr; w++)
            to_right[w] |= right[w] & other[w];
    }
    for (int32_t w = 0; w < wr; w++)
        n_right += __builtin_popcountll(to_right[w]);
    const int32_t anchors = q->options.by_edges ? classes->of[k].anchors + 1 : 1;
    return keep(q, classes, end, anchors, n_left, n_right, matched);
}

static inline __attribute__((always_inline)) int64_t split_all(const sub_question *q,
                                                               sub_classes *classes, int64_t from,
                                                               int64_t to, int64_t end, int32_t u,
                                                               int32_t v, int32_t *matched,
                                                               int32_t wl, int32_t wr)
{
    const uint64_t *cover_left = q->left.cover + (int64_t)u * wl;
    const uint64_t *cover_right = q->right.cover + (int64_t)v * wr;
    for (int64_t k = from; k < to; k++) {
        const uint64_t *left = classes->left + k * wl, *right = classes->right + k * wr;
        uint64_t *to_left = classes->left + end * wl, *to_right = classes->right + end * wr;
        int32_t n_left = 0, n_right = 0;
        for (int32_t w = 0; w < wl; w++) {
            to_left[w] = left[w] & ~cover_left[w];
            n_left += __builtin_popcountll(to_left[w]);
        }
        for (int32_t w = 0; w < wr; w++) {
            to_right[w] = right[w] & ~cover_right[w];
            n_right += __builtin_popcountll(to_right[w]);
        }
        const int32_t anchors = classes->of[k].anchors;
        if (n_left && n_right) { /* they do not touch: no new anchor */
            sub_class *c = classes->of + end;
            *c = (sub_class){n_left, n_right, anchors,
                             (double)(n_left < n_right ? n_left : n_right)};
            if (q->options.weight)
                c->most = worth_by_levels(q, to_left, to_right);
            end++;
        }
        for (int64_t p = q->left.parts.start[u]; p < q->left.parts.start[u + 1]; p++)
            end = split_part(q, classes, k, end, p, v, matched, wl, wr);
    }
    return end;
}

GM_WIDE int64_t sub_split(const sub_question *q, sub_classes *classes, int64_t from, int64_t to,
                          int64_t end, int32_t u, int32_t v, int32_t *matched)
{
    if (q->left.words == 1 && q->right.words == 1) /* no loops over words */
        return split_all(q, classes, from, to, end, u, v, matched, 1, 1);
    return split_all(q, classes, from, to, end, u, v, matched, q->left.words, q->right.words);
}

/* ---- bounds */

/* The value of the pairs if no right member is in two of them. */
static double most_without_repetition(const sub_question *q, const sub_classes *classes,
                                      int64_t from, int64_t to, uint64_t *any)
{
    const int32_t words = q->right.words;
    memset(any, 0, sizeof *any * (size_t)words);
    for (int64_t k = from; k < to; k++)
        for (int32_t w = 0; w < words; w++)
            any[w] |= classes->right[k * words + w];
    if (!q->options.weight)
        return (double)bits_count(any, words);
    double most = 0.0;
    for (int32_t i = 0; i < q->n_levels; i++) {
        const uint64_t *level = q->right_level + (int64_t)i * words;
        int32_t n = 0;
        for (int32_t w = 0; w < words; w++)
            n += __builtin_popcountll(any[w] & level[w]);
        most += q->step[i] * (double)n;
    }
    return most;
}

double sub_most(const sub_question *q, const sub_classes *classes, int64_t from, int64_t to,
                uint64_t *scratch)
{
    double most = 0.0;
    for (int64_t k = from; k < to; k++)
        most += classes->of[k].most;
    if (!q->overlaps)
        return most;
    const double apart = most_without_repetition(q, classes, from, to, scratch);
    return apart < most ? apart : most;
}

/* ---- connected subgraphs */

/* The items of one side that chains of neighbours connect with mapped nodes. */
static void find_reachable(const sub_side *side, const sub_classes *classes, const uint64_t *sets,
                           int64_t from, int64_t to, uint64_t *reached, uint64_t *alive)
{
    const int32_t words = side->words;
    memset(reached, 0, sizeof *reached * (size_t)words);
    memset(alive, 0, sizeof *alive * (size_t)words);
    for (int64_t k = from; k < to; k++)
        for (int32_t w = 0; w < words; w++) {
            if (classes->of[k].anchors)
                reached[w] |= sets[k * words + w];
            else
                alive[w] |= sets[k * words + w];
        }
    for (int32_t w = 0; w < words; w++)
        alive[w] &= ~reached[w]; /* not reached yet */
    /* items that are reached later may have smaller numbers: again until there are none */
    for (int again = 1; again;) {
        again = 0;
        for (int32_t item = bits_next(reached, words, 0); item >= 0;
             item = bits_next(reached, words, item + 1)) {
            const uint64_t *tail = sub_touch(side, side->tail[item]);
            const uint64_t *head = sub_touch(side, side->head[item]);
            for (int32_t w = 0; w < words; w++) {
                const uint64_t more = (tail[w] | head[w]) & alive[w];
                again |= more != 0;
                reached[w] |= more;
                alive[w] &= ~more;
            }
        }
    }
}

int64_t sub_keep_reachable(const sub_question *q, sub_classes *classes, int64_t from, int64_t to,
                           uint64_t *scratch)
{
    const int32_t wl = q->left.words, wr = q->right.words;
    for (int again = 1; again;) {
        int64_t end = from;
        again = 0;
        for (int side = 0; side < 2; side++) {
            uint64_t *sets = side ? classes->right : classes->left;
            const int32_t words = side ? wr : wl;
            find_reachable(side ? &q->right : &q->left, classes, sets, from, to, scratch,
                           scratch + words);
            for (int64_t k = from * words; k < to * words; k++)
                sets[k] &= scratch[(k - from * words) % words];
        }
        for (int64_t k = from; k < to; k++) {
            const sub_class before = classes->of[k];
            classes->of[end].anchors = before.anchors;
            memmove(classes->left + end * wl, classes->left + k * wl,
                    sizeof(uint64_t) * (size_t)wl);
            memmove(classes->right + end * wr, classes->right + k * wr,
                    sizeof(uint64_t) * (size_t)wr);
            sub_measure(q, classes, end);
            const sub_class *c = classes->of + end;
            if (c->n_left && c->n_right)
                end++;
            else
                again = 1; /* nodes that were reached through the other side may have become
                              unreachable */
        }
        to = end;
    }
    return to;
}
