/* The tuned numbers of the searches on two matrices, each with its meaning and the instances on
 * which it was chosen. */
#ifndef GM_QAP_POLICY_H
#define GM_QAP_POLICY_H

/* ---- dense matrices (search.c); chosen on QAPLIB (benchmarks/bench_qaplib.py) */
#define QAP_POPULATION 12  /* matchings */
#define QAP_NEAR       0.2 /* of the nodes: matchings that differ in no more are alike */
#define QAP_WEAKEST    3   /* nodes that a perturbation moves, at least */
#define QAP_STRONGEST  60  /* and at most; also no more than half of them */
#define QAP_SHORT      2   /* swaps per node without gain that end a round: after a perturbation, */
#define QAP_LONG       20  /* and after a crossing */
/* Which source of starts comes next: drawn by success per effort (in swaps) of either. */
#define QAP_MIN_SHARE      0.2    /* of the rounds, for either source */
#define QAP_MEMORY         0.99   /* weight of a round, one round later */
#define QAP_BEST_SUCCESS   4.0    /* success of a round: a new best of all, */
#define QAP_JOINED_SUCCESS 1.0    /* or a new member of the population */
#define QAP_FIRST_SUCCESS  1.0    /* successes of either source before the first round, */
#define QAP_FIRST_EFFORT   1000.0 /* and the effort for it */
/* If a few large entries dominate, chains of short rounds; chosen on tai80b, held against
 * tai50b, tai150b, tho40, tai64c. */
#define QAP_DOMINANCE  1.5 /* standard deviation over mean of A or B, at least, */
#define QAP_DOMINANT   .75 /* and the product of both: microarrays have flat flows */
#define QAP_DESCENT    4   /* n over this: swaps without improvement that end a round of a chain */
#define QAP_CHAIN_VAIN 200 /* perturbations without improvement that end a chain */
#define QAP_CHAINS     6   /* from random starts before some begin at crossings */
/* Bans last up to this many steps per node: longer than a round of a chain; in other rounds short
 * ones prevail, as in Taillard's own code. Chosen on tai50a and tai80a. */
#define QAP_LONGEST_BAN 8.0

/* Beams if a matrix is thin (beam.c); chosen on grids and cycles of benchmarks/qap_families.py,
 * held against esc128, chr25a, ste36a, tho40. */
#define QAP_THIN             0.35 /* share of entries that are not zero, at most */
#define QAP_WIDER            1.5  /* a beam than the one before it */
#define QAP_BEAM_SHARE       0.5  /* of the work, while the best matching came from a beam, */
#define QAP_LEAST_BEAM_SHARE 0.1  /* or did not */
#define QAP_GROWTH           20 /* work of a state's growths per spot, as much as this many links */

/* Blocks of nodes that are alike (blocks.c); chosen on trees of benchmarks/qap_families.py. */
#define QAP_OUTSTANDING 1.5 /* the distance to the next block over those within one, at least */
#define QAP_BLOCK_DEPTH 2.0 /* blocks that a node is in, in the mean, at least: they are nested */
#define QAP_EXCHANGES   6   /* of blocks in a perturbation, at most */
/* QAP_CHAIN_VAIN and QAP_CHAINS if there are blocks: chains reach farther. */
#define QAP_BLOCK_VAIN   600
#define QAP_BLOCK_CHAINS 3

/* ---- sparse matrices (align_search.c); chosen on benchmarks/bench_networks.py */
#define ALIGN_MOST_MOVES 4096 /* of a trial */
#define ALIGN_MOST_DRAWS 3    /* of a forced swap: the best of one to three */
#define ALIGN_MOST_LINKS 4    /* of an ejection chain: none to three after the forced swap */
#define ALIGN_SLACK      1.0  /* edges by which a trial may end worse than the best */

#endif
