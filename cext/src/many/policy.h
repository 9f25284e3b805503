/* The tuned numbers of many small problems, each with its meaning; chosen on the problems of
 * benchmarks/bench_many.py (10 to 50 nodes). */
#ifndef GM_MANY_POLICY_H
#define GM_MANY_POLICY_H

#include <stddef.h>

/* Bytes that the allocator may keep: more than a problem of fifty nodes takes, and no more than
 * glibc heeds (32 MB). */
#define MANY_KEPT_BYTES ((size_t)31 << 20)
#define MANY_SLICE      0.05 /* seconds between two looks at whether to stop */
#define MANY_GRACE      0.01 /* seconds beyond the limit after which an iteration is cut */

#endif
