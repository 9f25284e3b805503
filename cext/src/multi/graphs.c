#include "multi/graphs.h"

#include "base/csr.h"
#include "base/sorted.h"

#include <string.h>

static void index_candidates(multi_pair *pair)
{
    const gm_model *model = pair->model;
    for (int32_t k = 0; k < model->n_candidates; k++) {
        pair->left_start[model->left[k] + 1]++;
        pair->right_start[model->right[k] + 1]++;
    }
    gm_csr_sum32(pair->left_start, model->n1);
    gm_csr_sum32(pair->right_start, model->n2);
    for (int32_t k = 0; k < model->n_candidates; k++)
        pair->by_left[pair->left_start[model->left[k]]++] = k;
    gm_csr_rewind32(pair->left_start, model->n1);
}

static void index_edges(multi_pair *pair)
{
    const gm_model *model = pair->model;
    for (int64_t e = 0; e < model->n_edges; e++) {
        pair->after[model->a[e] + 1]++;
        pair->before[model->b[e] + 1]++;
        pair->conflicts |= multi_conflict(model, model->a[e], model->b[e]);
    }
    gm_csr_sum64(pair->after, model->n_candidates);
    gm_csr_sum64(pair->before, model->n_candidates);
    for (int64_t e = 0; e < model->n_edges; e++)
        pair->earlier[pair->before[model->b[e]]++] = (int32_t)e;
    gm_csr_rewind64(pair->before, model->n_candidates);
}

static void pair_take(multi_pair *pair, gm_pool *pool, const gm_model *model)
{
    pair->model = model;
    GM_TAKE(pool, model->n1 + 1, pair->left_start);
    GM_TAKE(pool, model->n2 + 1, pair->right_start);
    GM_TAKE(pool, model->n_candidates, pair->by_left);
    GM_TAKE(pool, (int64_t)model->n_candidates + 1, pair->after);
    GM_TAKE(pool, (int64_t)model->n_candidates + 1, pair->before);
    GM_TAKE(pool, model->n_edges, pair->earlier);
    if (pool->failed)
        return;
    index_candidates(pair);
    index_edges(pair);
}

int multi_graphs_take(multi_graphs *graphs, gm_pool *pool, const gm_multi_model *model)
{
    graphs->d = model->d;
    graphs->n = model->n;
    graphs->n_pairs = model->d * (model->d - 1) / 2;
    GM_TAKE(pool, model->d + 1, graphs->base);
    GM_TAKE(pool, graphs->n_pairs, graphs->pairs);
    if (pool->failed)
        return GM_OK;
    for (int32_t g = 0; g < model->d; g++)
        graphs->base[g + 1] = graphs->base[g] + model->n[g];
    graphs->n_nodes = graphs->base[model->d];
    multi_pair *pair = graphs->pairs;
    for (int32_t g = 0; g < model->d; g++)
        for (int32_t h = g + 1; h < model->d; h++, pair++) {
            const gm_model *own = model->pairs + (pair - graphs->pairs);
            if (own->n_edges > INT32_MAX)
                return GM_ELIMIT;
            pair->g = g;
            pair->h = h;
            pair_take(pair, pool, own);
            if (pool->failed)
                return GM_OK;
        }
    return GM_OK;
}

int32_t multi_candidate(const multi_pair *pair, int32_t i, int32_t s)
{
    const int32_t *left = pair->model->left;
    const int32_t first = pair->right_start[s], end = pair->right_start[s + 1];
    if (i < end - first && left[first + i] == i)
        return first + i; /* all smaller nodes are candidates, too */
    const int32_t at = (int32_t)gm_lower_bound(left, first, end, i);
    return at < end && left[at] == i ? at : -1;
}

double multi_edge(const multi_pair *pair, int32_t p, int32_t q)
{
    const gm_model *model = pair->model;
    const int32_t first = p < q ? p : q, second = p < q ? q : p;
    const int64_t begin = pair->after[first], end = pair->after[first + 1];
    if (begin == end || multi_conflict(model, p, q))
        return 0.0;
    const int64_t at = gm_lower_bound(model->b, begin, end, second);
    return at < end && model->b[at] == second ? model->edge_cost[at] : 0.0;
}

void multi_matchings_take(multi_matchings *matchings, gm_pool *pool, const multi_graphs *graphs)
{
    GM_TAKE(pool, graphs->n_pairs, matchings->forward);
    GM_TAKE(pool, graphs->n_pairs, matchings->backward);
    for (int32_t p = 0; p < graphs->n_pairs && !pool->failed; p++) {
        const gm_model *model = graphs->pairs[p].model;
        GM_TAKE(pool, model->n1, matchings->forward[p]);
        GM_TAKE(pool, model->n2, matchings->backward[p]);
        for (int32_t i = 0; i < model->n1 && !pool->failed; i++)
            matchings->forward[p][i] = -1;
    }
}

void multi_matchings_invert(const multi_matchings *matchings, const multi_graphs *graphs)
{
    for (int32_t p = 0; p < graphs->n_pairs; p++) {
        const gm_model *model = graphs->pairs[p].model;
        const int32_t *forward = matchings->forward[p];
        int32_t *backward = matchings->backward[p];
        for (int32_t s = 0; s < model->n2; s++)
            backward[s] = -1;
        for (int32_t i = 0; i < model->n1; i++)
            if (forward[i] >= 0)
                backward[forward[i]] = i;
    }
}
