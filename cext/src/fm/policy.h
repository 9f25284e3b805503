/* The tuned numbers of fusion moves and of block-coordinate ascent, each with its meaning.
 *
 * Chosen on the data sets of benchmarks/bench_fm.py (house, hotel, motor, car, caltech, opengm,
 * worms-like) unless another set is named. Work is estimated in nanoseconds of an ordinary machine,
 * since decisions must not depend on the clock; benchmarks/bench_work.py measures the estimates
 * again. */
#ifndef GM_FM_POLICY_H
#define GM_FM_POLICY_H

/* ---- fusion moves: proposals (fm/primal.c) */
#define FM_WHOLE_ODDS   8 /* one proposal in this many is a whole matching, the others a region */
#define FM_UNIFORM_ODDS 4 /* one region in this many has a size drawn uniformly */
#define FM_FORCED_ODDS  2 /* one region in this many starts from a random label */

/* ---- fusion moves: when to turn to tabu search, and to a fresh start. Tabu search counts in
 * proposals, too: a turn of it does the work of one. */
/* Proposals without improvement before tabu search. Few, whatever the size: independent regions of
 * a large problem get stuck independently, and fusing several starts chooses the best of each. */
#define FM_FIRST_PATIENCE  200
#define FM_PATIENCE_GROWTH 16    /* each fresh start adds one part in this many to the patience */
#define FM_FIRST_TABU      0.25  /* times the patience: turns of tabu search at first, */
#define FM_MOST_TABU       2.0   /* after a success, */
#define FM_LEAST_TABU      0.125 /* and at least; each time without improvement halves it */

/* ---- work of a proposal, in nanoseconds */
#define FM_PROPOSAL_ENTRY 2.4  /* per entry that a matching touches, */
#define FM_PROPOSAL_SLOT  2.0  /* per slot, */
#define FM_PROPOSAL_NODE  60.0 /* per node, */
#define FM_PROPOSAL_LINK  22.0 /* and per link */

/* ---- block-coordinate ascent: tables (fm/bca_table.c) */
#define FM_N_SMALLEST 8 /* messages known by rank, for the background of a row; at most 32 */

/* ---- block-coordinate ascent: the plain schedule diffuses (fm/bca.h) */
#define FM_DIFFUSION_PERIOD 3 /* in one of this many sweeps, */
#define FM_FIRST_DIFFUSION  1 /* first after this many */

/* ---- fm-bca: how much work of proposals follows a sweep, relative to the option primal_share */
#define FM_FIRST_PROPOSALS 20   /* proposals before the first sweep */
#define FM_EARLY_SWEEPS    100  /* sweeps with the whole of it; afterwards */
#define FM_LATER_PART      0.5  /* this part of it, */
#define FM_CLOSE_PART      0.1  /* or this part */
#define FM_CLOSE_GAP       1e-2 /* if the relative gap is at most this */

/* ---- fm-bca: when the dual starts again, and when the run ends */
#define FM_WINDOW       50   /* sweeps in which the bound must rise, else the dual starts again */
#define FM_LEAST_RISE   1e-3 /* by this part of the gap, */
#define FM_LEADING_RISE 2e-5 /* or by this if it is the best so far (caltech-small4, 11, 12) */

#endif
