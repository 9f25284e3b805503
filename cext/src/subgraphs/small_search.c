/* The tree of the search for small graphs; see small_search.h. */
#include "base/lanes.h"
#include "subgraphs/common_search.h"
#include "subgraphs/stars.h"
#include "subgraphs/whole.h"
#include "subgraphs/word.h"

#include <string.h>

static const int64_t LOOK = 4096; /* steps between two looks at the clock */
enum { STAR_SLACK = 2 };          /* stars are looked at if no more nodes may be lost */

/* ---- classes */

INLINE int32_t most_pairs(const small_class *c)
{
    const int32_t left = count(c->left), right = count(c->right);
    return left < right ? left : right;
}

/* sum_c min(|L_c|, |R_c|) */
INLINE int32_t sum_of_most(const small_class *of, int32_t from, int32_t to)
{
    int32_t sum = 0;
    for (int32_t k = from; k < to; k++)
        sum += most_pairs(of + k);
    return sum;
}

/* No leaf adds more pairs: at most one for each node on the right if classes share some. */
INLINE int32_t bound_of(const small_class *of, int32_t from, int32_t to, int overlaps)
{
    const int32_t sum = sum_of_most(of, from, to);
    if (!overlaps)
        return sum;
    uint64_t any = 0;
    for (int32_t k = from; k < to; k++)
        any |= of[k].right;
    return count(any) < sum ? count(any) : sum;
}

/* Splits the classes from .. to - 1 by the pair (u, v), appends the parts, and returns their end.
 * plain, here and below: all edges are the same. */
INLINE int32_t split(small_search *s, int32_t from, int32_t to, int32_t u, int32_t v, int plain)
{
    small_class *of = s->of;
    int32_t end = to;
    for (int32_t k = from; k < to; k++) {
        const uint64_t left = of[k].left & ~only(u), right = of[k].right & ~only(v);
        const small_class apart = {left & ~s->left.touch[u], right & ~s->right.touch[v]};
        of[end] = apart;
        end += apart.left && apart.right;
        if (plain) {
            of[end] = (small_class){left & s->left.touch[u], right & s->right.touch[v]};
            end += of[end].left && of[end].right;
            continue;
        }
        for (int32_t code = 0; left & s->left.touch[u] && code < s->left.n_codes; code++) {
            small_class near = {left & s->left.near[code * SMALL_NODES + u], 0};
            for (uint64_t fit = near.left ? s->fits[code] : 0; fit; fit &= fit - 1)
                near.right |= right & s->right.near[first_of(fit) * SMALL_NODES + v];
            of[end] = near;
            end += near.left && near.right;
        }
    }
    return end;
}

INLINE small_class find_alive(const small_class *of, int32_t from, int32_t to)
{
    small_class alive = {0, 0};
    for (int32_t k = from; k < to; k++) {
        alive.left |= of[k].left;
        alive.right |= of[k].right;
    }
    return alive;
}

/* ---- twins */

/* Whether items x and y of one side have the same living neighbours but for each other. */
INLINE int same_neighbours(const small_side *side, int32_t x, int32_t y, uint64_t alive, int plain)
{
    const uint64_t others = alive & ~only(x) & ~only(y);
    if (plain)
        return !((side->touch[x] ^ side->touch[y]) & others);
    for (int32_t code = 0; code < side->n_codes; code++) {
        const uint64_t *near = side->near + code * SMALL_NODES;
        if ((near[x] ^ near[y]) & others)
            return 0;
        if ((near[x] & only(y)) >> y != (near[y] & only(x)) >> x)
            return 0;
    }
    return 1;
}

/* The items of `among` that are twins of x, without x. */
INLINE uint64_t twins_of(const small_side *side, int32_t x, uint64_t among, uint64_t alive,
                         int plain)
{
    const uint64_t near = side->touch[x] & alive;
    uint64_t twins = 0, rest = among & ~only(x);
    if (near) /* a twin is a neighbour, or shares the first neighbour */
        rest &= near | side->touch[first_of(near)];
    for (; rest; rest &= rest - 1)
        if (same_neighbours(side, x, first_of(rest), alive, plain))
            twins |= rest & -rest;
    return twins;
}

/* The items of `among` that are in the same classes as x on the right. */
INLINE uint64_t in_same_classes(const small_class *of, int32_t from, int32_t to, int32_t x,
                                uint64_t among)
{
    for (int32_t k = from; k < to; k++)
        among &= of[k].right & only(x) ? of[k].right : ~of[k].right;
    return among;
}

/* The partners of a class on the right, one of each set of twins. */
INLINE uint64_t without_twins(const small_search *s, const small_frame *f, int overlaps, int plain)
{
    const uint64_t alive = find_alive(s->of, f->from, f->to).right;
    uint64_t kept = s->of[f->chosen].right;
    for (uint64_t rest = kept; rest; rest &= rest - 1) {
        const int32_t x = first_of(rest);
        const uint64_t later = rest & (rest - 1);
        uint64_t twins =
            s->is_sparse ? twins_of(&s->right, x, later, alive, plain) : s->right.twins[x] & later;
        if (overlaps && twins)
            twins = in_same_classes(s->of, f->from, f->to, x, twins);
        kept &= ~twins;
        rest &= ~twins;
    }
    return kept;
}

/* ---- isolated nodes */

INLINE uint64_t isolated(const small_side *side, uint64_t items, uint64_t alive)
{
    uint64_t found = 0;
    for (; items; items &= items - 1)
        if (!(side->touch[first_of(items)] & alive))
            found |= items & -items;
    return found;
}

INLINE void map_items(sub_search *search, int32_t u, int32_t v)
{
    search->small.left_item[search->n_mapped] = u;
    search->small.right_item[search->n_mapped++] = v;
}

/* Whether the rule holds, and pays. */
INLINE int maps_isolated(const sub_search *search)
{
    const sub_question *q = search->question;
    return search->small.is_sparse && q->options.twins && !q->overlaps;
}

/* Maps isolated nodes to each other, drops the classes that this empties, and returns the end of
 * the others. */
INLINE int32_t map_isolated(sub_search *search, int32_t from, int32_t to)
{
    small_search *s = &search->small;
    small_class *of = s->of;
    for (int again = 1; again;) {
        const small_class alive = find_alive(of, from, to);
        int32_t end = from;
        again = 0;
        for (int32_t k = from; k < to; k++) {
            small_class c = of[k];
            uint64_t left = isolated(&s->left, c.left, alive.left);
            uint64_t right = left ? isolated(&s->right, c.right, alive.right) : 0;
            for (; left && right; left &= left - 1, right &= right - 1) {
                map_items(search, first_of(left), first_of(right));
                c.left &= ~(left & -left);
                c.right &= ~(right & -right);
            }
            of[end] = c;
            if (c.left && c.right)
                end++;
            else
                again |= (c.left | c.right) != 0; /* neighbours of the rest may be isolated now */
        }
        to = end;
    }
    return to;
}

/* ---- the tree */

static void keep_map(sub_search *search)
{
    const small_search *s = &search->small;
    const sub_question *q = search->question;
    for (int32_t u = 0; u < q->left.n_nodes; u++)
        search->labels[u] = -1;
    for (int32_t k = 0; k < search->n_mapped; k++)
        search->labels[q->left.original[s->left_item[k]]] = q->right.original[s->right_item[k]];
    sub_keep_leaf(search, (double)search->n_mapped, search->labels);
}

INLINE void offer_map(sub_search *search)
{
    if (sub_improves(search, (double)search->n_mapped))
        keep_map(search);
}

/* Chooses the class with the smallest larger side; of several the one with an item that has most
 * living neighbours, of several the first. If the other graph is dense, the first item. */
INLINE void choose(sub_search *search, small_frame *f, int plain)
{
    small_search *s = &search->small;
    const sub_question *q = search->question;
    const uint64_t alive = find_alive(s->of, f->from, f->to).left;
    const uint64_t counted = q->left.ascending ? 0 : alive;
    int32_t smallest = INT32_MAX, most = -1;
    for (int32_t k = f->from; k < f->to; k++) {
        const small_class *c = s->of + k;
        const int32_t n_left = count(c->left), n_right = count(c->right);
        const int32_t size = n_left > n_right ? n_left : n_right;
        if (size > smallest)
            continue;
        if (size < smallest)
            most = -1;
        for (uint64_t rest = c->left; rest; rest &= rest - 1) {
            const int32_t x = first_of(rest), degree = count(s->left.touch[x] & counted);
            if (degree > most || (degree == most && x < f->item)) {
                smallest = size;
                most = degree;
                f->chosen = k;
                f->item = x;
            }
        }
    }
    f->is_begun = 0;
    f->partners = s->of[f->chosen].right;
    if (q->options.twins)
        f->partners = without_twins(s, f, q->overlaps, plain);
    f->part /= (double)(count(f->partners) + 1);
}

/* Takes the item of a frame, and its twins, out of their class. */
INLINE void leave_item_out(sub_search *search, small_frame *f, int plain)
{
    small_search *s = &search->small;
    const sub_question *q = search->question;
    small_class *c = s->of + f->chosen;
    if (q->options.twins && !s->is_sparse)
        c->left &= ~s->left.twins[f->item];
    if (q->options.twins && s->is_sparse) {
        const uint64_t alive = find_alive(s->of, f->from, f->to).left;
        c->left &= ~twins_of(&s->left, f->item, c->left, alive, plain);
    }
    c->left &= ~only(f->item);
    if (!c->left)
        *c = s->of[--f->to];
    f->chosen = -1;
    if (maps_isolated(search)) {
        f->to = map_isolated(search, f->from, f->to);
        offer_map(search);
    }
}

/* Maps the item of the frame to its next partner: a new frame if its leaves can be better. */
INLINE void descend(sub_search *search, small_frame *f, int32_t v, int plain)
{
    small_search *s = &search->small;
    const sub_question *q = search->question;
    const int32_t n_mapped = search->n_mapped;
    map_items(search, f->item, v);
    int32_t end = split(s, f->from, f->to, f->item, v, plain);
    search->n_nodes++;
    offer_map(search);
    const int32_t most = search->n_mapped + bound_of(s->of, f->to, end, q->overlaps);
    if (sub_improves(search, (double)most) && maps_isolated(search)) {
        end = map_isolated(search, f->to, end);
        offer_map(search);
    }
    if (!sub_improves(search, (double)most) || end == f->to) {
        search->n_mapped = n_mapped;
        return;
    }
    if (s->dual)
        s->dual->allowed[search->depth] = s->dual->allowed[search->depth - 1];
    s->frame[search->depth++] = (small_frame){.from = f->to,
                                              .to = end,
                                              .n_mapped = n_mapped,
                                              .chosen = -1,
                                              .since = search->n_nodes,
                                              .patience = DUAL_FIRST,
                                              .done = f->done - f->part,
                                              .part = f->part};
}

/* Whether the classes of a frame are known to have no better leaf. The first ones of a frame are
 * noted in it. */
INLINE int is_known(sub_search *search, small_frame *f)
{
    small_search *s = &search->small;
    known_state state;
    if (s->n_asked > KNOWN_TRIALS && s->n_known * KNOWN_SHARE < s->n_asked)
        return 0; /* few states come back */
    if (!known_read(&state, s->of + f->from, f->to - f->from))
        return 0;
    const int32_t most = known_most(s->known, &state);
    s->n_asked++;
    if (!sub_improves(search, (double)(search->n_mapped + most))) {
        s->n_known++;
        return 1;
    }
    if (f->is_noted)
        return 0;
    f->state = state;
    f->n_before = search->n_mapped;
    f->is_noted = 1;
    return 0;
}

/* The pairs of nodes that are mapped at the frame of this depth. */
INLINE int32_t mapped_at(const sub_search *search, int32_t depth)
{
    return depth + 1 < search->depth ? search->small.frame[depth + 1].n_mapped : search->n_mapped;
}

/* Whether duals show that a frame has no better leaf. */
static int is_closed(sub_search *search, int32_t depth)
{
    small_search *s = &search->small;
    small_frame *f = s->frame + depth;
    const int32_t n_mapped = mapped_at(search, depth);
    const int32_t needed = (int32_t)search->best + !sub_improves(search, search->best) - n_mapped;
    const int32_t most =
        dual_most(s->dual, s, s->of + f->from, f->to - f->from, needed, s->dual->allowed + depth);
    f->patience *= 2;
    if (depth == 0 && search->upper > (double)(n_mapped + most))
        search->upper = (double)(n_mapped + most);
    return most < needed;
}

/* Whether a frame has a leaf that may be better, as far as bounds say. */
INLINE int is_open(sub_search *search, small_frame *f)
{
    small_search *s = &search->small;
    const int overlaps = search->question->overlaps;
    const int32_t most = search->n_mapped + bound_of(s->of, f->from, f->to, overlaps);
    if (search->depth == 1)
        search->upper = (double)most;
    if (f->from == f->to || !sub_improves(search, (double)most))
        return 0;
    const int32_t n = f->to - f->from;
    if (!s->is_sparse || n > STAR_CLASSES)
        return 1;
    if (is_known(search, f))
        return 0;
    const int32_t sum = search->n_mapped + sum_of_most(s->of, f->from, f->to);
    const int32_t needed = (int32_t)search->best + !sub_improves(search, search->best);
    const int32_t slack = sum - needed;
    if (slack <= STAR_SLACK && small_loses_more(s, s->of + f->from, n, slack))
        return 0;
    return slack > 0 || small_may_be_whole(s, s->of + f->from, n);
}

/* Leaves a frame all of whose leaves have been searched. */
INLINE void go_back(sub_search *search, const small_frame *f)
{
    if (f->state.n > 0 && search->depth > 1) /* other searches have children of the root, too */
        known_keep(search->small.known, &f->state, (int32_t)search->best - f->n_before);
    search->n_mapped = f->n_mapped;
    search->depth--;
}

/* Closes the first frame whose subtree has taken long, if its bound says so. */
static void look_at_frames(sub_search *search)
{
    small_search *s = &search->small;
    s->dual->next_look = search->n_nodes + DUAL_LOOK;
    for (int32_t k = 0; k < search->depth; k++) {
        if (search->n_nodes - s->frame[k].since <= s->frame[k].patience)
            continue;
        if (!is_closed(search, k))
            return;
        search->n_mapped = mapped_at(search, k);
        search->depth = k + 1;
        go_back(search, s->frame + k);
        return;
    }
}

/* One step: chooses, descends, leaves out or goes back. */
INLINE void advance(sub_search *search, int plain)
{
    small_frame *f = search->small.frame + search->depth - 1;
    if (f->chosen < 0) {
        if (!is_open(search, f)) {
            go_back(search, f);
            return;
        }
        choose(search, f, plain);
    }
    if (search->depth == 1 && f->is_begun)
        search->task++; /* the child before is over */
    if (search->small.dual)
        f->partners &= search->small.dual->allowed[search->depth - 1].of[f->item];
    if (!f->partners) {
        leave_item_out(search, f, plain);
        return;
    }
    const int32_t v = first_of(f->partners);
    f->partners &= f->partners - 1;
    f->is_begun = 1;
    f->done += f->part;
    if (search->depth == 1 && !sub_is_own_task(search))
        return;
    descend(search, f, v, plain);
}

void small_begin(sub_search *search)
{
    const sub_question *q = search->question;
    small_search *s = &search->small;
    for (int32_t k = 0; k < (int32_t)q->n_classes; k++)
        s->of[k] = (small_class){q->root.left[k], q->root.right[k]};
    if (s->dual)
        memset(s->dual->allowed, -1, sizeof *s->dual->allowed);
    s->frame[0] = (small_frame){
        .to = (int32_t)q->n_classes, .chosen = -1, .patience = DUAL_FIRST, .part = 1.0};
}

double small_progress(const sub_search *search)
{
    return search->small.frame[search->depth - 1].done;
}

INLINE void go(sub_search *search, int64_t last, double deadline, int plain)
{
    while (search->depth > 0 && search->n_nodes < last) {
        advance(search, plain);
        if (search->small.dual && search->n_nodes >= search->small.dual->next_look)
            look_at_frames(search);
        if (++search->work >= search->next_look) {
            search->next_look = search->work + LOOK;
            if (gm_clock() >= deadline)
                return;
        }
    }
}

GM_WIDE void small_go(sub_search *search, int64_t last, double deadline)
{
    const small_search *s = &search->small;
    if (s->left.n_codes == 1 && s->right.n_codes == 1 && s->fits[0])
        go(search, last, deadline, 1);
    else
        go(search, last, deadline, 0);
}
