/* Lists of lists in two arrays (compressed sparse rows): the members of list i stand at places
 * start[i] .. start[i + 1] - 1 of one array.
 *
 * A counting sort makes them in four steps: count the members of list i in start[i + 1]; turn the
 * counts into starts (gm_csr_sum); put each member of list i at place start[i]++, after which every
 * start has moved to the end of its list; move the starts back (gm_csr_rewind). The functions come
 * for starts of 32 and of 64 bits.
 */
#ifndef GM_BASE_CSR_H
#define GM_BASE_CSR_H

#include <stdint.h>

/* Counts in start[1 .. n] become starts in start[0 .. n]. */
void gm_csr_sum32(int32_t *start, int64_t n);
void gm_csr_sum64(int64_t *start, int64_t n);

/* Starts that filling has moved to the ends of their lists become starts again. */
void gm_csr_rewind32(int32_t *start, int64_t n);
void gm_csr_rewind64(int64_t *start, int64_t n);

/* wide[i] = start[i] for i = 0 .. n: starts of 32 bits as gm_lap_new takes them. */
void gm_csr_widen(int64_t n, const int32_t *start, int64_t *wide);

/* All four steps: list i of n gets every k < n_members with list[k] = i, ascending. start has room
 * for n + 1 numbers, member for n_members; both are overwritten. */
void gm_csr_group(int32_t n, int32_t n_members, const int32_t *list, int32_t *start,
                  int32_t *member);

/* The same if each k is in two lists, first[k] and second[k] (a link and its two nodes); member
 * has room for 2 n_members. */
void gm_csr_group_pairs(int32_t n, int32_t n_members, const int32_t *first, const int32_t *second,
                        int32_t *start, int32_t *member);

#endif
