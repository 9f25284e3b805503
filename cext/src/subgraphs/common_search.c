/* The tree of the search for a common subgraph; see common_search.h. */
#include "subgraphs/common_search.h"
#include "subgraphs/bits.h"

#include <math.h>
#include <string.h>

static const int64_t LOOK = 1 << 16; /* words of work between two looks at the clock */

/* The fraction of a frame's tree in which its item stays out, if that costs no pair, and if it
 * costs one. */
static const double FREE_REST = 0.5, PAID_REST = 0.3;

/* ---- memory */

static int64_t fewer(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Frames: every one but the first has mapped another node. */
static int64_t most_frames(const gm_graph_pair *pair)
{
    return fewer(pair->first.n_nodes, pair->second.n_nodes) + 1;
}

/* Classes of all frames, and two lists of scratch: left sides are disjoint and not empty. By nodes
 * a frame has a member less than the one before it. */
static int64_t most_classes(const gm_graph_pair *pair, int by_edges)
{
    if (by_edges)
        return (int64_t)pair->first.n_edges * (most_frames(pair) + 2);
    const int64_t n = pair->first.n_nodes, frames = most_frames(pair);
    return frames * (n + 1) - frames * (frames - 1) / 2 + 2 * n + 2;
}

double sub_search_memory(const gm_graph_pair *pair, int by_edges)
{
    const int32_t left = by_edges ? pair->first.n_edges : pair->first.n_nodes;
    const int32_t right = by_edges ? pair->second.n_edges : pair->second.n_nodes;
    const double words = bits_words(left) + bits_words(right);
    const double closed = (double)pair->first.n_nodes * (double)pair->second.n_nodes;
    const double small = sizeof(sub_search) + sizeof(small_dual) +
                         SMALL_NODES * (SMALL_NODES + 2) * sizeof(small_class) +
                         KNOWN_STATES * sizeof(known_entry);
    return small + (double)most_classes(pair, by_edges) * (8.0 * words + sizeof(sub_class)) +
           (by_edges ? 8.2 * closed : 0.0);
}

int sub_search_take(sub_search *search, gm_pool *pool, const sub_question *question)
{
    const gm_graph_pair *pair = question->pair;
    const int by_edges = question->options.by_edges;
    const int64_t frames = most_frames(pair), n1 = pair->first.n_nodes;
    const int32_t wl = question->left.words, wr = question->right.words;
    search->question = question;
    search->words2 = bits_words(pair->second.n_nodes);
    search->is_small = small_takes(question);
    GM_TAKE(pool, n1, search->labels);
    GM_TAKE(pool, n1, search->own_labels);
    if (search->is_small)
        return small_take(&search->small, pool, question);
    sub_classes_take(&search->classes, pool, question, most_classes(pair, by_edges));
    GM_TAKE(pool, frames, search->frame);
    GM_TAKE(pool, frames * wr, search->partners);
    GM_TAKE(pool, n1, search->mapped);
    GM_TAKE(pool, search->words2, search->used);
    GM_TAKE(pool, by_edges ? n1 * search->words2 : 0, search->closed);
    GM_TAKE(pool, by_edges ? 2 * n1 * pair->second.n_nodes : 0, search->trail);
    GM_TAKE(pool, 2 * (wl > wr ? wl : wr), search->scratch);
    if (question->options.ring) {
        GM_TAKE(pool, n1, search->kept);
        sub_rings_take(&search->rings, pool, question);
    }
    return pool->failed ? GM_ENOMEM : GM_OK;
}

/* The classes and the frame of the root. */
static void begin_classes(sub_search *search)
{
    const sub_question *q = search->question;
    const size_t n = (size_t)q->n_classes;
    memcpy(search->classes.of, q->root.of, sizeof *q->root.of * n);
    memcpy(search->classes.left, q->root.left, sizeof *q->root.left * n * (size_t)q->left.words);
    memcpy(search->classes.right, q->root.right,
           sizeof *q->root.right * n * (size_t)q->right.words);
    search->frame[0] = (sub_frame){.to = q->n_classes, .chosen = -1, .end = 1.0};
}

void sub_search_begin(sub_search *search, int32_t *next_task)
{
    const sub_question *q = search->question;
    for (int32_t u = 0; u < q->left.n_nodes; u++)
        search->labels[u] = search->own_labels[u] = -1;
    if (search->is_small)
        small_begin(search);
    else
        begin_classes(search);
    search->depth = 1;
    search->task = search->n_mapped = 0;
    search->n_nodes = 0;
    search->best = search->own = 0.0;
    search->best_task = search->own_task = -1;
    search->next_task = next_task;
    search->claimed = next_task ? __atomic_fetch_add(next_task, 1, __ATOMIC_RELAXED) : 0;
    search->upper = q->most;
}

/* ---- better leaves */

void sub_keep_leaf(sub_search *search, double value, const int32_t *labels)
{
    search->best = search->own = value;
    search->best_task = search->own_task = search->task;
    memcpy(search->own_labels, labels, sizeof *labels * (size_t)search->question->left.n_nodes);
}

/* Keeps a leaf that would be the answer; of one with parts of rings, the rest. */
static void offer(sub_search *search, double value)
{
    const sub_question *q = search->question;
    if (!q->options.ring) {
        sub_keep_leaf(search, value, search->labels);
        return;
    }
    value = (double)sub_whole_rings(&search->rings, q, search->labels, search->kept);
    search->work += q->left.n_items;
    if (sub_improves(search, value))
        sub_keep_leaf(search, value, search->kept);
}

/* ---- mapping nodes */

static void map_nodes(sub_search *search, int32_t u, int32_t v)
{
    search->labels[u] = v;
    search->mapped[search->n_mapped++] = u;
    bits_add(search->used, v);
}

static void unmap_to(sub_search *search, int32_t n_mapped)
{
    while (search->n_mapped > n_mapped) {
        const int32_t u = search->mapped[--search->n_mapped];
        bits_drop(search->used, search->labels[u]);
        search->labels[u] = -1;
    }
}

static int may_map(const sub_search *search, int32_t u, int32_t v)
{
    return sub_nodes_fit(search->question, u, v) &&
           !bits_has(search->closed + (int64_t)u * search->words2, v);
}

static void reopen_to(sub_search *search, int64_t n_closed)
{
    while (search->n_closed > n_closed) {
        const int32_t *pair = search->trail + 2 * --search->n_closed;
        bits_drop(search->closed + (int64_t)pair[0] * search->words2, pair[1]);
    }
}

static void close_pair(sub_search *search, int32_t u, int32_t v)
{
    uint64_t *row = search->closed + (int64_t)u * search->words2;
    if (bits_has(row, v))
        return;
    bits_add(row, v);
    search->trail[2 * search->n_closed] = u;
    search->trail[2 * search->n_closed + 1] = v;
    search->n_closed++;
}

/* ---- children */

/* The unmapped end of an edge with one mapped end. */
static int32_t free_end_left(const sub_search *search, int32_t item)
{
    const sub_side *side = &search->question->left;
    return search->labels[side->tail[item]] < 0 ? side->tail[item] : side->head[item];
}

static int32_t free_end_right(const sub_search *search, int32_t item)
{
    const sub_side *side = &search->question->right;
    return bits_has(search->used, side->tail[item]) ? side->head[item] : side->tail[item];
}

static uint64_t *partners_of(sub_search *search, const sub_frame *frame)
{
    return search->partners + (frame - search->frame) * search->question->right.words;
}

/* Gives equal parts of the rest of a frame to the partners of its item, both ways round, but for
 * the tree in which the item stays out. */
static void measure_parts(const sub_search *search, sub_frame *frame)
{
    const sub_question *q = search->question;
    const sub_class *chosen = search->classes.of + frame->chosen;
    const int ways = q->options.by_edges && !q->pair->directed && !chosen->anchors ? 2 : 1;
    double rest = 0.0;
    if (chosen->n_left > chosen->n_right)
        rest = FREE_REST;
    else if (sub_improves(search, frame->bound - 1.0))
        rest = PAID_REST;
    frame->part = (frame->end - frame->done) * (1.0 - rest) / (double)(ways * chosen->n_right);
}

/* Chooses the class with the smallest larger side, of those the one with the first item. Of
 * connected subgraphs only the first pair may be in a class without anchors. 0: there is none. */
static int choose(sub_search *search, sub_frame *frame)
{
    const sub_question *q = search->question;
    const int anchored = q->options.connected && search->n_mapped > 0;
    int32_t smallest = INT32_MAX, first = INT32_MAX;
    frame->chosen = -1;
    for (int64_t k = frame->from; k < frame->to; k++) {
        const sub_class *c = search->classes.of + k;
        const int32_t size = c->n_left > c->n_right ? c->n_left : c->n_right;
        if ((anchored && !c->anchors) || size > smallest)
            continue;
        const int32_t item = bits_next(search->classes.left + k * q->left.words, q->left.words, 0);
        if (size < smallest || item < first) {
            frame->chosen = k;
            smallest = size;
            first = item;
        }
    }
    if (frame->chosen < 0)
        return 0;
    measure_parts(search, frame);
    frame->item = first;
    frame->turned = 0;
    frame->partner = -1;
    memcpy(partners_of(search, frame), search->classes.right + frame->chosen * q->right.words,
           sizeof(uint64_t) * (size_t)q->right.words);
    return 1;
}

/* Removes the partners that are equivalent to the one that was tried: exchanging twins turns a leaf
 * of theirs into one of its. */
static void drop_twins(sub_search *search, const sub_frame *frame)
{
    const sub_question *q = search->question;
    const sub_side *side = &q->right;
    const int32_t anchors = q->options.by_edges ? search->classes.of[frame->chosen].anchors : 1;
    const int32_t one = frame->partner;
    uint64_t *partners = partners_of(search, frame);
    for (int32_t m = bits_next(partners, side->words, one + 1); m >= 0;
         m = bits_next(partners, side->words, m + 1)) {
        int same;
        if (anchors && q->options.by_edges) {
            same = side->twin[free_end_right(search, m)] == side->twin[free_end_right(search, one)];
        } else {
            const int32_t a = side->twin[side->tail[one]], b = side->twin[side->head[one]];
            const int32_t c = side->twin[side->tail[m]], d = side->twin[side->head[m]];
            same = (a == c && b == d) || (!q->pair->directed && a == d && b == c);
        }
        if (same)
            bits_drop(partners, m);
    }
}

/* The next partner of the frame's item; 0: all have been tried. */
static int next_partner(sub_search *search, sub_frame *frame)
{
    const sub_question *q = search->question;
    if (frame->partner >= 0) {
        if (q->options.by_edges && !frame->turned && !q->pair->directed &&
            !search->classes.of[frame->chosen].anchors &&
            q->left.tail[frame->item] != q->left.head[frame->item]) {
            frame->turned = 1;
            return 1;
        }
        if (q->options.twins)
            drop_twins(search, frame);
    }
    uint64_t *partners = partners_of(search, frame);
    frame->turned = 0;
    frame->partner = bits_next(partners, q->right.words, frame->partner + 1);
    if (frame->partner < 0)
        return 0;
    bits_drop(partners, frame->partner);
    return 1;
}

/* Drops the classes of a frame that an item has left empty; the frame is measured again. */
static void leave_item_out(sub_search *search, sub_frame *frame)
{
    const sub_question *q = search->question;
    const int32_t item = frame->item;
    const int64_t k = frame->chosen;
    uint64_t *left = search->classes.left + k * q->left.words;
    bits_drop(left, item);
    if (!q->options.by_edges && q->options.twins) {
        /* a leaf without u and with a twin of u is one with u after an exchange */
        const int32_t twin = q->left.twin[q->left.original[item]];
        for (int32_t m = bits_next(left, q->left.words, 0); m >= 0;
             m = bits_next(left, q->left.words, m + 1))
            if (q->left.twin[q->left.original[m]] == twin)
                bits_drop(left, m);
    }
    if (q->options.by_edges && search->classes.of[k].anchors) {
        /* every leaf that maps the free end to one of these has the edge, and has been searched */
        const uint64_t *right = search->classes.right + k * q->right.words;
        const int32_t u = free_end_left(search, item);
        for (int32_t m = bits_next(right, q->right.words, 0); m >= 0;
             m = bits_next(right, q->right.words, m + 1))
            close_pair(search, u, free_end_right(search, m));
    }
    sub_measure(q, &search->classes, k);
    if (search->classes.of[k].n_left == 0) {
        const int64_t last = --frame->to; /* the last class takes its place */
        search->classes.of[k] = search->classes.of[last];
        memcpy(left, search->classes.left + last * q->left.words,
               sizeof *left * (size_t)q->left.words);
        memcpy(search->classes.right + k * q->right.words,
               search->classes.right + last * q->right.words,
               sizeof *left * (size_t)q->right.words);
    }
    frame->chosen = -1;
}

/* Moves the classes from .. to - 1 to place `to_place` before them. */
static void move_classes(sub_search *search, int64_t from, int64_t to, int64_t to_place)
{
    const size_t wl = (size_t)search->question->left.words;
    const size_t wr = (size_t)search->question->right.words;
    const size_t n = (size_t)(to - from);
    sub_classes *c = &search->classes;
    memmove(c->of + to_place, c->of + from, sizeof *c->of * n);
    memmove(c->left + (size_t)to_place * wl, c->left + (size_t)from * wl, sizeof *c->left * n * wl);
    memmove(c->right + (size_t)to_place * wr, c->right + (size_t)from * wr,
            sizeof *c->right * n * wr);
}

/* Splits classes by a pair of nodes as sub_split does. */
static int64_t split(sub_search *search, int64_t from, int64_t to, int64_t end, int32_t u,
                     int32_t v, int32_t *matched)
{
    const sub_question *q = search->question;
    const int64_t parts = q->left.parts.start[u + 1] - q->left.parts.start[u];
    search->work += (to - from) * (parts + 1) * (q->left.words + q->right.words);
    return sub_split(q, &search->classes, from, to, end, u, v, matched);
}

/* Maps the nodes of the chosen item to those of the partner and splits the classes behind those of
 * the frame: returns their end, or -1 if labels or closed pairs forbid it. *gain: the value of the
 * pairs. */
static int64_t match_item(sub_search *search, const sub_frame *frame, double *gain)
{
    const sub_question *q = search->question;
    const int32_t k = frame->item, m = frame->partner;
    const int64_t from = frame->from, to = frame->to;
    int32_t matched = 0;
    int64_t end;
    if (!q->options.by_edges) {
        const int32_t u = q->left.tail[k], v = q->right.tail[m];
        *gain = sub_pair_weight(q, u, v);
        map_nodes(search, u, v);
        return split(search, from, to, to, u, v, &matched);
    }
    if (search->classes.of[frame->chosen].anchors) {
        const int32_t u = free_end_left(search, k), v = free_end_right(search, m);
        if (!may_map(search, u, v))
            return -1;
        map_nodes(search, u, v);
        end = split(search, from, to, to, u, v, &matched);
    } else {
        const int32_t a = q->left.tail[k], b = q->left.head[k];
        const int32_t c = frame->turned ? q->right.head[m] : q->right.tail[m];
        const int32_t d = frame->turned ? q->right.tail[m] : q->right.head[m];
        if (!may_map(search, a, c) || !may_map(search, b, d))
            return -1;
        map_nodes(search, a, c);
        end = split(search, from, to, to, a, c, &matched);
        if (a != b) {
            map_nodes(search, b, d);
            const int64_t second = split(search, to, end, end, b, d, &matched);
            move_classes(search, end, second, to);
            end = to + second - end;
        }
    }
    *gain = (double)matched;
    return end;
}

/* Tries the partner of the frame: a new frame if its leaves can be better. done: the fraction of
 * the tree before it. */
static void descend(sub_search *search, sub_frame *frame, double done)
{
    const sub_question *q = search->question;
    const int32_t n_mapped = search->n_mapped;
    double gain = 0.0;
    int64_t end = match_item(search, frame, &gain);
    search->n_nodes++;
    search->work += 4 * (q->left.words + q->right.words);
    if (end < 0)
        return;
    const double value = frame->value + gain;
    if (sub_improves(search, value))
        offer(search, value);
    double bound = value + sub_most(q, &search->classes, frame->to, end, search->scratch);
    if (sub_improves(search, bound) && q->options.connected) {
        end = sub_keep_reachable(q, &search->classes, frame->to, end, search->scratch);
        search->work += 4 * (end - frame->to) * (q->left.words + q->right.words);
        bound = value + sub_most(q, &search->classes, frame->to, end, search->scratch);
    }
    if (!sub_improves(search, bound) || end == frame->to) {
        unmap_to(search, n_mapped);
        return;
    }
    search->frame[search->depth++] = (sub_frame){.from = frame->to,
                                                 .to = end,
                                                 .value = value,
                                                 .chosen = -1,
                                                 .n_mapped = n_mapped,
                                                 .done = done,
                                                 .end = frame->done,
                                                 .n_closed = search->n_closed};
}

int sub_is_own_task(sub_search *search)
{
    if (!search->next_task)
        return 1;
    if (search->task > search->claimed)
        search->claimed = __atomic_fetch_add(search->next_task, 1, __ATOMIC_RELAXED);
    return search->task == search->claimed;
}

/* One step: chooses, descends, leaves out or goes back. */
static void advance(sub_search *search)
{
    const sub_question *q = search->question;
    sub_frame *frame = search->frame + search->depth - 1;
    if (frame->chosen < 0) {
        const double bound =
            frame->value + sub_most(q, &search->classes, frame->from, frame->to, search->scratch);
        if (search->depth == 1)
            search->upper = bound;
        frame->bound = bound;
        if (!sub_improves(search, bound) || !choose(search, frame)) {
            unmap_to(search, frame->n_mapped);
            reopen_to(search, frame->n_closed);
            search->depth--;
            return;
        }
    }
    search->work += 4;
    if (search->depth == 1 && frame->partner >= 0)
        search->task++; /* the child before is over */
    if (!next_partner(search, frame)) {
        leave_item_out(search, frame);
        return;
    }
    const double done = frame->done;
    frame->done = fmin(done + frame->part, frame->end);
    if (search->depth == 1 && !sub_is_own_task(search))
        return;
    descend(search, frame, done);
}

double sub_search_progress(const sub_search *search)
{
    if (search->depth == 0)
        return 1.0;
    return search->is_small ? small_progress(search) : search->frame[search->depth - 1].done;
}

void sub_search_go(sub_search *search, int64_t max_work, int64_t max_nodes, double deadline)
{
    const int64_t last =
        search->n_nodes <= INT64_MAX - max_nodes ? search->n_nodes + max_nodes : INT64_MAX;
    if (search->is_small) {
        small_go(search, last, deadline);
        return;
    }
    while (search->depth > 0 && search->n_nodes < last && search->work < max_work) {
        advance(search);
        if (search->work >= search->next_look) {
            search->next_look = search->work + LOOK;
            if (gm_clock() >= deadline)
                return;
        }
    }
}
