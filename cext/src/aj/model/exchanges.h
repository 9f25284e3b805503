/* Exchanges of the labels among each other, or of the nodes, that change no entry of a matrix over
 * pairs (node, label): each is its own inverse, and any two of them come to the same in either
 * order (the reflections of a grid, the shifts of a hypercube).
 *
 * Their use. A matrix that they leave alone is block diagonal in other coordinates of the side: on
 * an orbit, the sums of its members with the signs of a character of the group, divided by the root
 * of their number. The coordinates with the same signs under every exchange are a class, and
 * the matrix has no entry between two classes. */
#ifndef GM_AJ_MODEL_EXCHANGES_H
#define GM_AJ_MODEL_EXCHANGES_H

#include <stdint.h>

enum { AJ_MOST_MEMBERS = 64 }; /* of a side */
enum { AJ_MOST_EXCHANGES = 5, AJ_MOST_CLASSES = 32 };
enum { AJ_MOST_TERMS = 2048 }; /* members of all coordinates */

typedef struct aj_exchanges {
    int32_t n;           /* members of the side */
    int32_t n_exchanges; /* of which all others are made: 2^n_exchanges in all */
    /* of exchange m: those whose bits are set in m, one after the other */
    uint8_t image[AJ_MOST_CLASSES][AJ_MOST_MEMBERS];
    int32_t class_start[AJ_MOST_CLASSES + 1]; /* first coordinate of each class */
    /* a coordinate is the sum of coefficient[k] * member[k] over start[c] <= k < start[c + 1] */
    int32_t start[AJ_MOST_MEMBERS + 1];
    uint8_t member[AJ_MOST_TERMS];
    double coefficient[AJ_MOST_TERMS];
    /* of a class on the orbit of a member that is the first of its orbit, or -1 */
    int16_t coordinate[AJ_MOST_CLASSES][AJ_MOST_MEMBERS];
} aj_exchanges;

/* Finds exchanges of nodes and of labels that leave `matrix` and `allowed` alone, both of the
 * variables (constant, n x n pairs of node and label, node by node); n <= AJ_MOST_MEMBERS.
 * Backtracking of limited length: some may be missed. */
void aj_exchanges_find(aj_exchanges *nodes, aj_exchanges *labels, int32_t n, const double *matrix,
                       const uint8_t *allowed);

/* The mean of a symmetric matrix of the same variables and its images under all exchanges. */
void aj_exchanges_average(const aj_exchanges *nodes, const aj_exchanges *labels, double *matrix);

#endif
