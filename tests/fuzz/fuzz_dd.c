/* A text through the dd reader, as io/dd.py calls it. */
#include "gm.h"

#include <stdlib.h>
#include <string.h>

/* Both passes of the reader and the sorting, into arrays of just the size that was counted. */
static int read_all(gm_dd *dd)
{
    const size_t n = (size_t)dd->n_candidates, m = (size_t)dd->n_edges;
    int32_t *rank = malloc(n * sizeof *rank + 1), repeated[2];
    int64_t distinct;
    dd->left = malloc(n * sizeof *dd->left + 1);
    dd->right = malloc(n * sizeof *dd->right + 1);
    dd->cost = malloc(n * sizeof *dd->cost + 1);
    dd->a = malloc(m * sizeof *dd->a + 1);
    dd->b = malloc(m * sizeof *dd->b + 1);
    dd->edge_cost = malloc(m * sizeof *dd->edge_cost + 1);
    int status = gm_dd_read(dd);
    const int small = dd->n1 < 1000000 && dd->n2 < 1000000; /* io/files.py refuses the others */
    if (status == GM_DD_FINE && small) {
        for (int side = 0; side < 2; side++) {
            const size_t nodes = (size_t)(side ? dd->n2 : dd->n1);
            if (dd->n_points[side])
                dd->points[side] = malloc(2 * nodes * sizeof(double));
            if (dd->n_neighbours[side])
                dd->neighbours[side] = malloc(2 * (size_t)dd->n_neighbours[side] * sizeof(int32_t));
        }
        status = gm_dd_read_optional(dd);
        if (status == GM_DD_FINE &&
            gm_sort_candidates(dd->n1, dd->n2, dd->n_candidates, dd->left, dd->right, dd->cost,
                               rank, repeated) == GM_OK &&
            repeated[0] < 0)
            gm_sort_edges(dd->n_candidates, dd->n_edges, rank, dd->a, dd->b, dd->edge_cost,
                          &distinct);
    }
    for (int side = 0; side < 2; side++) {
        free(dd->points[side]);
        free(dd->neighbours[side]);
    }
    free(dd->left);
    free(dd->right);
    free(dd->cost);
    free(dd->a);
    free(dd->b);
    free(dd->edge_cost);
    free(rank);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1); /* of exactly this size: the sanitizer sees reads behind it */
    memcpy(text, data, size);
    text[size] = 0;
    gm_dd dd = {.text = text, .length = (int64_t)size};
    if (gm_dd_open(&dd) == GM_DD_FINE)
        read_all(&dd);
    if (dd.error != GM_DD_FINE && (dd.start < 0 || dd.start > dd.length))
        abort();
    free(text);
    return 0;
}
