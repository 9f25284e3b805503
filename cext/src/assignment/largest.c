/* A matching with as many pairs as possible (Hopcroft and Karp 1973): breadth-first layers from the
 * free rows, then disjoint shortest augmenting paths through them, depth first; at most about
 * sqrt(n) times. The first matching is greedy. */
#include "base/pool.h"
#include "gm.h"

typedef struct search {
    int32_t n_rows;
    const int64_t *start;
    const int32_t *col;
    int32_t *match;  /* of rows: column or -1 */
    int32_t *row_of; /* of columns */
    int32_t *layer;  /* of rows; -1: not reached */
    int32_t *queue;
    int64_t *place; /* of rows: the entry that is tried next */
    int32_t *path;  /* rows */
} search;

/* Layers of the rows that alternating paths reach; 1 if one ends at a free column. */
static int make_layers(search *self)
{
    int32_t n_queue = 0, last = -1;
    for (int32_t i = 0; i < self->n_rows; i++) {
        self->layer[i] = self->match[i] < 0 ? 0 : -1;
        self->place[i] = self->start[i];
        if (self->match[i] < 0)
            self->queue[n_queue++] = i;
    }
    for (int32_t k = 0; k < n_queue; k++) {
        const int32_t i = self->queue[k];
        if (last >= 0 && self->layer[i] > last)
            break; /* shorter paths have been found */
        for (int64_t e = self->start[i]; e < self->start[i + 1]; e++) {
            const int32_t next = self->row_of[self->col[e]];
            if (next < 0) {
                last = self->layer[i];
            } else if (self->layer[next] < 0) {
                self->layer[next] = self->layer[i] + 1;
                self->queue[n_queue++] = next;
            }
        }
    }
    return last >= 0;
}

/* Augments along a path from a free row through the layers, if there is one left. */
static void augment(search *self, int32_t root)
{
    int32_t depth = 0;
    self->path[0] = root;
    while (depth >= 0) {
        const int32_t i = self->path[depth];
        if (self->place[i] == self->start[i + 1]) {
            self->layer[i] = -1; /* leads nowhere */
            depth--;
            continue;
        }
        const int32_t j = self->col[self->place[i]++], next = self->row_of[j];
        if (next < 0) {
            for (int32_t k = depth; k >= 0; k--) { /* each row takes the entry that it tried last */
                const int32_t row = self->path[k], taken = self->col[self->place[row] - 1];
                self->match[row] = taken;
                self->row_of[taken] = row;
            }
            return;
        }
        if (self->layer[next] == self->layer[i] + 1)
            self->path[++depth] = next;
    }
}

int gm_largest_matching(int32_t n_rows, int32_t n_cols, const int64_t *start, const int32_t *col,
                        int32_t *match)
{
    gm_pool pool = {NULL, 0};
    search self = {.n_rows = n_rows, .start = start, .col = col, .match = match};
    GM_TAKE(&pool, n_cols, self.row_of);
    GM_TAKE(&pool, n_rows, self.layer);
    GM_TAKE(&pool, n_rows, self.queue);
    GM_TAKE(&pool, n_rows, self.place);
    GM_TAKE(&pool, n_rows, self.path);
    if (pool.failed) {
        gm_pool_free(&pool);
        return GM_ENOMEM;
    }
    for (int32_t j = 0; j < n_cols; j++)
        self.row_of[j] = -1;
    for (int32_t i = 0; i < n_rows; i++) {
        match[i] = -1;
        for (int64_t e = start[i]; e < start[i + 1] && match[i] < 0; e++)
            if (self.row_of[col[e]] < 0) {
                match[i] = col[e];
                self.row_of[col[e]] = i;
            }
    }
    while (make_layers(&self))
        for (int32_t i = 0; i < n_rows; i++)
            if (match[i] < 0)
                augment(&self, i);
    gm_pool_free(&pool);
    return GM_OK;
}
