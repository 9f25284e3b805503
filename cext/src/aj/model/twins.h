/* Twins: labels (or nodes) whose exchange changes no cost.
 *
 * Two labels s, t are twins if the exchange (i, s) <-> (i, t) for all nodes i is a symmetry of the
 * whole problem; nodes likewise. Being twins is an equivalence: the classes are numbered.
 *
 * Their use. Let every two twin nodes i < j satisfy
 *     class(label of i) <= class(label of j),    no label counting as the last class.       (C)
 * Any matching can be sorted into one of the same cost that does, so (C) loses no optimum. It only
 * speaks of classes, hence exchanging two twin labels that no decision has used maps the matchings
 * that agree with the decisions and with (C) onto themselves. So of a branching node's candidates
 * with twin labels one is enough, and a decision (i, s) deletes the candidates of the twins of i
 * that (C) excludes. Deletions by bounds do no harm: they only remove matchings that are not better
 * than the best known. */
#ifndef GM_AJ_MODEL_TWINS_H
#define GM_AJ_MODEL_TWINS_H

#include "model/index.h"

typedef struct aj_twins {
    int32_t n_label_classes; /* the last class + 1; unmatched has this number */
    int32_t *label_class;    /* n2 */
    int32_t *node_class;     /* n1 */
    gm_pool pool;
} aj_twins;

/* NULL when out of memory. */
aj_twins *aj_twins_new(const gm_index *index);
void aj_twins_free(aj_twins *twins);

#endif
