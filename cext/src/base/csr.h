/* Lists of lists in two arrays: list i is what stands at start[i] .. start[i + 1] - 1.
 *
 * They are made by counting: start[i + 1] counts the members of list i; gm_csr_sum makes starts of
 * the counts; filling puts each member of list i at start[i]++, which leaves every start at the end
 * of its list; gm_csr_rewind moves them back. Each comes for 32 and for 64 bits.
 */
#ifndef GM_BASE_CSR_H
#define GM_BASE_CSR_H

#include <stdint.h>

/* Counts in start[1 .. n] become starts in start[0 .. n]. */
void gm_csr_sum32(int32_t *start, int64_t n);
void gm_csr_sum64(int64_t *start, int64_t n);

/* The starts again, after each has moved to the end of its list. */
void gm_csr_rewind32(int32_t *start, int64_t n);
void gm_csr_rewind64(int64_t *start, int64_t n);

/* All at once: list i gets every k < n_members with list[k] = i, ascending. start (n + 1) may hold
 * anything. */
void gm_csr_group(int32_t n, int32_t n_members, const int32_t *list, int32_t *start,
                  int32_t *member);

/* The same where each k is in two lists, first[k] and second[k]: the links of each node. */
void gm_csr_group_pairs(int32_t n, int32_t n_members, const int32_t *first, const int32_t *second,
                        int32_t *start, int32_t *member);

#endif
