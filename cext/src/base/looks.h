/* How long this thread worked between two looks at the clock. Only in builds with
 * -DGM_MEASURE_LOOKS, which benchmarks/bench_looks.py makes. */
#ifndef GM_BASE_LOOKS_H
#define GM_BASE_LOOKS_H

#include <stdint.h>

/* CPU time of one thread between two looks, and their places: as given to gm_looks_note; for looks
 * in C, their addresses in the module. */
typedef struct gm_interval {
    double seconds;
    int64_t from, to;
} gm_interval;

/* Forgets the longest interval and looks. */
void gm_looks_begin(void);

/* Looks, at a place that the caller numbers. */
void gm_looks_note(int64_t place);

/* Looks after a call of LAPACK, which cannot look and is measured apart. */
void gm_looks_note_call(int64_t place);

/* The longest interval of any thread since gm_looks_begin, and the longest call. */
gm_interval gm_looks_longest(void);
gm_interval gm_looks_longest_call(void);

/* For tests: the runs that look are over at this look from now on, and at all that follow; 0: by
 * their clock alone. */
void gm_looks_cut_at(int64_t look);
int gm_looks_are_cut(void);
/* How many there were since gm_looks_cut_at. */
int64_t gm_looks_count(void);

#endif
