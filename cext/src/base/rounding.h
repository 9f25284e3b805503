/* The error of rounding: gm_rounding_error(n_roundings, magnitude), declared in gm.h, is the
 * safety margin of every bound. Why it suffices:
 *
 * A computed sum, difference or product is the true one times (1 + d), |d| <= u = 2^-53 (below the
 * normal numbers: the true one plus at most 2^-1075). So each operation errs by at most
 * u * |result|. Minima, comparisons and halves err by nothing. A bound is a sum of minima of sums;
 * sums and minima pass errors on without making them larger, so they add up:
 *
 *     |computed - true|  <=  sum over all operations of u * |result|.
 *
 * Group the operations by the term of the bound that they enter. If no term has seen more than
 * n_roundings operations, and `magnitude` is at least the sum over the terms of the largest number
 * on the way to each, the right side is at most n_roundings * u * magnitude. The function takes
 * 2 u instead of u. That covers the neglected terms: products of two d, the roundings in the
 * computed magnitude, and the one of subtracting the margin. For a plain sum of n numbers this is
 * the textbook bound: n roundings, the sum of the absolute values (Higham, Accuracy and Stability,
 * section 4.2).
 *
 * Where costs move between the terms, on the way to a dual bound, the sum of their largest numbers
 * stays of the size that it had for the given costs, since minima of them move. The
 * margin allows for twice that size (GM_MOVED).
 *
 * Sums of given numbers, without products, need no allowance below the normal numbers: sums and
 * differences are exact there, since all doubles are multiples of 2^-1074. gm_sum_error leaves it
 * out. A matching of denormal costs can so be distinguished from a worse one.
 *
 * Costs that are changed in every step, and never computed again, carry the roundings of all steps
 * so far: there n_roundings grows with the iterations.
 */
#ifndef GM_BASE_ROUNDING_H
#define GM_BASE_ROUNDING_H

#include "gm.h"

#define GM_ROUNDING 0x1p-52 /* 2 u: the margin of one rounding, relative */
#define GM_MOVED    2.0 /* magnitude of moved costs relative to that of the given ones, at most */

#endif
