#include "aj/tree/lookahead.h"

#include "base/csr.h"

#include <math.h>
#include <string.h>

int aj_ahead_fit(aj_ahead *A, const aj_problem *P)
{
    aj_ahead_clear(A);
    GM_TAKE(&A->pool, P->n_mu, A->row_owner);
    GM_TAKE(&A->pool, P->n_mu, A->row_node);
    GM_TAKE(&A->pool, P->n_nodes + 1, A->by_node_start);
    GM_TAKE(&A->pool, P->n_mu, A->by_node);
    GM_TAKE(&A->pool, P->n + 1, A->link_start);
    GM_TAKE(&A->pool, 2 * P->m, A->entry);
    GM_TAKE(&A->pool, P->n, A->own);
    GM_TAKE(&A->pool, P->n, A->pay);
    GM_TAKE(&A->pool, P->n_nodes, A->least);
    GM_TAKE(&A->pool, P->n_nodes, A->linked);
    GM_TAKE(&A->pool, P->n_nodes, A->touched);
    GM_TAKE(&A->pool, P->n_nodes, A->is_touched);
    GM_TAKE(&A->pool, P->n, A->increase);
    if (A->pool.failed)
        return GM_ENOMEM;
    for (int32_t p = 0; p < P->n; p++)
        for (int32_t r = P->mu_start[p]; r < P->mu_start[p + 1]; r++)
            A->row_owner[r] = p;
    for (int64_t e = 0; e < P->m; e++) {
        A->row_node[P->mu_a[e]] = P->node[P->b[e]];
        A->row_node[P->mu_b[e]] = P->node[P->a[e]];
        A->link_start[P->a[e] + 1]++;
        A->link_start[P->b[e] + 1]++;
    }
    gm_csr_sum64(A->link_start, P->n);
    for (int64_t e = 0; e < P->m; e++) {
        A->entry[A->link_start[P->a[e]]++] = e;
        A->entry[A->link_start[P->b[e]]++] = e;
    }
    gm_csr_rewind64(A->link_start, P->n);
    gm_csr_group(P->n_nodes, P->n_mu, A->row_node, A->by_node_start, A->by_node);
    return GM_OK;
}

void aj_ahead_clear(aj_ahead *A)
{
    gm_pool_free(&A->pool);
    memset(A, 0, sizeof *A);
}

/* The cost of a free row: rows of full tables are never free. */
static double free_cost(const aj_problem *P, const aj_bound *B, int32_t r)
{
    return P->mu_equal[r] ? INFINITY : fmax(-B->row_dual[r], 0.0);
}

/* The least that a candidate of node j with another label pays. */
static double least_at(const aj_problem *P, const double *pay, int32_t j, int32_t label)
{
    double least = INFINITY;
    for (int32_t q = P->node_start[j]; q < P->node_start[j + 1]; q++)
        if (P->label[q] != label && pay[q] < least)
            least = pay[q];
    return least;
}

/* Notes that the cost of node j depends on the candidate that is taken. */
static void touch(aj_ahead *A, int32_t j)
{
    if (!A->is_touched[j])
        A->touched[A->n_touched++] = j;
    A->is_touched[j] = 1;
}

/* own, least and linked of node i. */
static void begin_node(aj_ahead *A, const aj_problem *P, const aj_bound *B, int32_t i)
{
    A->n_linked = 0;
    for (int32_t k = A->by_node_start[i]; k < A->by_node_start[i + 1]; k++) {
        const int32_t r = A->by_node[k], q = A->row_owner[r], j = P->node[q];
        A->own[q] = A->pay[q] = B->reduced[q] + free_cost(P, B, r);
        if (!A->is_touched[j])
            A->linked[A->n_linked++] = j;
        A->is_touched[j] = 1;
    }
    for (int32_t k = 0; k < A->n_linked; k++) {
        A->least[A->linked[k]] = least_at(P, A->own, A->linked[k], -1);
        A->is_touched[A->linked[k]] = 0;
    }
}

/* Both costs are the reduced costs again. */
static void end_node(aj_ahead *A, const aj_bound *B, int32_t i)
{
    for (int32_t k = A->by_node_start[i]; k < A->by_node_start[i + 1]; k++) {
        const int32_t q = A->row_owner[A->by_node[k]];
        A->own[q] = A->pay[q] = B->reduced[q];
    }
}

/* The cost of the other nodes if p, at the node that was begun, is taken. Nodes that are neither
 * linked nor touched pay nothing: the least reduced cost of a node is 0. */
static double others_pay(aj_ahead *A, const aj_problem *P, const aj_bound *B, int32_t p)
{
    const int32_t l = P->label[p];
    A->n_touched = 0;
    for (int32_t k = P->label_start[l]; k < P->label_start[l + 1]; k++)
        if (P->node[P->by_label[k]] != P->node[p])
            touch(A, P->node[P->by_label[k]]);
    for (int32_t r = P->mu_start[p]; r < P->mu_start[p + 1]; r++) {
        const int32_t j = A->row_node[r];
        const double free = free_cost(P, B, r);
        for (int32_t q = P->node_start[j]; q < P->node_start[j + 1]; q++)
            A->pay[q] += free;
        touch(A, j);
    }
    for (int64_t k = A->link_start[p]; k < A->link_start[p + 1]; k++) {
        const int64_t e = A->entry[k];
        const int32_t q = P->a[e] == p ? P->b[e] : P->a[e];
        A->pay[q] = B->reduced[q] + B->half[P->half_a[e]] + B->half[P->half_b[e]];
    }
    double sum = 0.0;
    for (int32_t k = 0; k < A->n_linked; k++)
        if (!A->is_touched[A->linked[k]])
            sum += A->least[A->linked[k]];
    for (int32_t k = 0; k < A->n_touched; k++) {
        const int32_t j = A->touched[k];
        sum += least_at(P, A->pay, j, l);
        for (int32_t q = P->node_start[j]; q < P->node_start[j + 1]; q++)
            A->pay[q] = A->own[q];
        A->is_touched[j] = 0;
    }
    return sum;
}

void aj_ahead_look(aj_ahead *A, const aj_problem *P, const aj_bound *B)
{
    memcpy(A->own, B->reduced, sizeof *A->own * (size_t)P->n);
    memcpy(A->pay, B->reduced, sizeof *A->pay * (size_t)P->n);
    for (int32_t i = 0; i < P->n_nodes; i++) {
        begin_node(A, P, B, i);
        for (int32_t p = P->node_start[i]; p < P->node_start[i + 1]; p++) {
            const int64_t links = A->link_start[p + 1] - A->link_start[p];
            if (gm_watch_spend(B->watch, 4 * links + A->n_linked))
                return;
            const double sum = B->reduced[p] + others_pay(A, P, B, p);
            A->increase[p] = sum * (1.0 - AJ_EPS * (double)(P->n_nodes + 4));
        }
        end_node(A, B, i);
    }
}
