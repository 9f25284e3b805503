#include "aj/model/span.h"

#include <stdlib.h>
#include <string.h>

/* The equations as vertices of a graph: nodes first, then labels. A candidate is an edge that joins
 * its node with its label, or belongs to one of them alone. Elimination needs a spanning forest:
 * dependent[v] is the variable, an edge of the forest, for which equation v is solved. */
typedef struct elimination {
    int32_t n_vertices, n_nodes;
    int32_t *vertex_of_label;  /* or -1: no equation */
    int32_t *label_of_vertex;  /* of vertex n_nodes + k */
    int32_t *dependent;        /* -1: none yet, or the equation follows from the others */
    int32_t *order, n_ordered; /* vertices as they were reached */
    uint8_t *reached;
} elimination;

/* Adds an equation to the forest, to be solved for this variable. */
static void reach(elimination *E, int32_t vertex, int32_t variable)
{
    E->dependent[vertex] = variable;
    E->reached[vertex] = 1;
    E->order[E->n_ordered++] = vertex;
}

/* Breadth-first search from order[from ..]: each equation is solved for the candidate by which it
 * was reached. */
static void spread(elimination *E, const aj_problem *P, int32_t from)
{
    for (int32_t k = from; k < E->n_ordered; k++) {
        const int32_t vertex = E->order[k];
        if (vertex < E->n_nodes) {
            for (int32_t p = P->node_start[vertex]; p < P->node_start[vertex + 1]; p++) {
                const int32_t other = E->vertex_of_label[P->label[p]];
                if (other >= 0 && !E->reached[other])
                    reach(E, other, 1 + p);
            }
        } else {
            const int32_t l = E->label_of_vertex[vertex - E->n_nodes];
            for (int32_t q = P->label_start[l]; q < P->label_start[l + 1]; q++)
                if (!E->reached[P->node[P->by_label[q]]])
                    reach(E, P->node[P->by_label[q]], 1 + P->by_label[q]);
        }
    }
}

/* row -= other. */
static void subtract(double *row, const double *other, int32_t n)
{
    for (int32_t k = 0; k < n; k++)
        row[k] -= other[k];
}

/* The dependent variables in terms of the free ones, leaves of the forest first: all others of an
 * equation are known by then. */
static void eliminate(const elimination *E, const aj_problem *P, aj_span *S)
{
    const int32_t m = S->dimension;
    for (int32_t k = E->n_ordered - 1; k >= 0; k--) {
        const int32_t vertex = E->order[k], variable = E->dependent[vertex];
        if (variable < 0)
            continue;
        double *row = S->rows + (int64_t)variable * m;
        row[0] = 1.0;
        if (vertex < E->n_nodes) {
            for (int32_t p = P->node_start[vertex]; p < P->node_start[vertex + 1]; p++)
                if (1 + p != variable)
                    subtract(row, S->rows + (int64_t)(1 + p) * m, m);
            continue;
        }
        const int32_t l = E->label_of_vertex[vertex - E->n_nodes];
        for (int32_t q = P->label_start[l]; q < P->label_start[l + 1]; q++)
            if (1 + P->by_label[q] != variable)
                subtract(row, S->rows + (int64_t)(1 + P->by_label[q]) * m, m);
    }
}

/* Chooses the dependent variables: slacks and candidates that belong to one equation only are the
 * roots of the forest. */
static void choose_dependent(elimination *E, const aj_problem *P, const aj_span *S)
{
    for (int32_t l = 0; l < P->n_labels; l++)
        if (S->slack_of[l] > 0)
            reach(E, E->vertex_of_label[l], S->slack_of[l]);
    for (int32_t i = 0; i < P->n_nodes; i++)
        for (int32_t p = P->node_start[i]; p < P->node_start[i + 1] && !E->reached[i]; p++)
            if (E->vertex_of_label[P->label[p]] < 0)
                reach(E, i, 1 + p);
    spread(E, P, 0);
    for (int32_t i = 0; i < P->n_nodes; i++)
        if (!E->reached[i]) { /* without slacks one equation of a component follows from the others
                               */
            const int32_t from = E->n_ordered;
            reach(E, i, -1);
            spread(E, P, from);
        }
}

/* Which labels have an equation, and which of them a slack. */
static void list_equations(elimination *E, const aj_problem *P, aj_span *S)
{
    const int tight = aj_problem_n_used_labels(P) == P->n_nodes; /* every label must be taken */
    E->n_vertices = P->n_nodes;
    S->n_variables = 1 + P->n;
    for (int32_t l = 0; l < P->n_labels; l++) {
        const int32_t n = P->label_start[l + 1] - P->label_start[l];
        E->vertex_of_label[l] = -1;
        if (n == 0 || (n == 1 && !tight))
            continue;
        E->label_of_vertex[E->n_vertices - P->n_nodes] = l;
        E->vertex_of_label[l] = E->n_vertices++;
        if (!tight) {
            S->slack_label[S->n_slacks++] = l;
            S->slack_of[l] = S->n_variables++;
        }
    }
}

/* Numbers the free variables. */
static void number_free(const elimination *E, aj_span *S)
{
    int32_t *number = S->number; /* zero before */
    for (int32_t k = 0; k < E->n_ordered; k++)
        if (E->dependent[E->order[k]] >= 0)
            number[E->dependent[E->order[k]]] = -1;
    for (int32_t v = 0; v < S->n_variables; v++)
        if (number[v] == 0)
            number[v] = S->dimension++;
}

aj_span *aj_span_new(const aj_problem *P)
{
    aj_span *S = calloc(1, sizeof *S);
    gm_pool scratch = {0};
    elimination E = {.n_nodes = P->n_nodes};
    if (!S)
        return NULL;
    GM_TAKE(&S->pool, P->n_labels, S->slack_label);
    GM_TAKE(&S->pool, P->n_labels, S->slack_of);
    GM_TAKE(&S->pool, (int64_t)P->n + P->n_labels + 1, S->number);
    GM_TAKE(&scratch, P->n_labels, E.vertex_of_label);
    GM_TAKE(&scratch, P->n_labels, E.label_of_vertex);
    GM_TAKE(&scratch, (int64_t)P->n_nodes + P->n_labels, E.dependent);
    GM_TAKE(&scratch, (int64_t)P->n_nodes + P->n_labels, E.order);
    GM_TAKE(&scratch, (int64_t)P->n_nodes + P->n_labels, E.reached);
    int failed = S->pool.failed || scratch.failed;
    if (!failed) {
        list_equations(&E, P, S);
        choose_dependent(&E, P, S);
        number_free(&E, S);
        GM_TAKE(&S->pool, (int64_t)S->n_variables * S->dimension, S->rows);
        failed = S->pool.failed;
    }
    if (!failed) {
        for (int32_t v = 0; v < S->n_variables; v++)
            if (S->number[v] >= 0)
                S->rows[(int64_t)v * S->dimension + S->number[v]] = 1.0;
        eliminate(&E, P, S);
    }
    gm_pool_free(&scratch);
    if (failed) {
        aj_span_free(S);
        return NULL;
    }
    return S;
}

void aj_span_free(aj_span *span)
{
    if (span)
        gm_pool_free(&span->pool);
    free(span);
}
