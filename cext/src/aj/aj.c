/* The kernel of the exact method `aj`: options in, steps, the pieces of work for threads, and the
 * certificate. scheduler.h has the map of all files. */
#include "aj/scheduler.h"
#include "base/watch.h"
#include "model/slots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* GM_OK or GM_ENOMEM. */
static int set_up(aj_search *S, const gm_model *model, const gm_aj_options *options)
{
    aj_tree *T = &S->tree;
    S->index = gm_index_new(model, &S->run.own_watch);
    if (!S->index || gm_run_init(&S->run, model) != GM_OK)
        return GM_ENOMEM;
    S->grain = aj_grain_of(S->index, model->tolerance);
    if (options->certify && S->grain.error > 0.0)
        S->grain.size = S->grain.error = 0.0; /* a checker knows of exact divisors only */
    S->matchings.plain = options->plain;
    T->branch = T->semidefinite.branch = options->branch;
    T->fix = T->semidefinite.fix = options->fix;
    T->lift_limit = options->lift_limit;
    T->path.memory = 1e6 * (double)options->memory;
    T->certified.wanted = options->certify;
    T->semidefinite.lapack = options->lapack;
    S->helped = options->n_jobs > 1;
    T->semidefinite.mode = (enum aj_semidefinite_mode)options->sdp;
    T->semidefinite.deadline = gm_clock() + options->seconds;
    S->seed = (uint64_t)options->seed;
    S->probe.state = (uint64_t)options->probe;
    T->semidefinite.probe = options->probe > 0 ? &S->probe : NULL;
    T->kept_root = options->resume && options->resume->n > 0 ? options->root : NULL;
    aj_tree_init(T, S->index, S->grain.scale);
    /* certificates and tests want a proof by the root, not by mp */
    const int quickly =
        !options->certify && !options->plain && options->sdp != AJ_SDP_AT_ONCE && !T->kept_root;
    const int status = quickly ? aj_quick_begin(&S->quick, model, S->index) : GM_OK;
    /* most problems that mp can prove need no more memory */
    const int mp_alone = S->quick.mp && !options->init && !options->cutoff;
    if (status != GM_OK || (options->resume && aj_open_take(T, &S->run, options->resume) != GM_OK))
        return GM_ENOMEM;
    return mp_alone ? GM_OK : aj_search_begin(S);
}

gm_run *gm_aj_new(const gm_model *model, const gm_aj_options *options)
{
    aj_search *S = calloc(1, sizeof *S);
    if (!S)
        return NULL;
    if (set_up(S, model, options) != GM_OK) {
        gm_aj_free(&S->run);
        return NULL;
    }
    if (options->cutoff)
        aj_matchings_limit(&S->matchings, *options->cutoff);
    if (options->init) {
        gm_labels_to_slots(S->index, options->init, S->matchings.slots);
        aj_matchings_offer(&S->matchings, S->matchings.slots, -INFINITY);
    }
    return &S->run;
}

int gm_aj_step(gm_run *run, int64_t max_iterations, double seconds)
{
    aj_search *S = (aj_search *)run;
    const gm_lapack *lapack = S->tree.semidefinite.lapack;
    const int64_t last =
        run->iteration > INT64_MAX - max_iterations ? INT64_MAX : run->iteration + max_iterations;
    const double deadline = gm_clock() + seconds;
    int status = GM_OK;
    S->last = last;
    do {
        status = aj_search_advance(S);
    } while (status == GM_OK && !run->finished && run->iteration < last &&
             !(lapack && lapack->wanted) && !(S->helped && aj_search_n_pieces(S) > 0) &&
             !run->watch->is_over && !gm_is_late(deadline));
    return gm_run_leave(run, status);
}

int32_t gm_aj_n_pieces(const gm_run *run)
{
    const aj_search *S = (const aj_search *)run;
    return S->helped && !run->finished ? aj_search_n_pieces(S) : 0;
}

int gm_aj_piece(gm_run *run, int32_t piece, double seconds)
{
    const int left = aj_search_piece((aj_search *)run, piece, gm_clock() + seconds);
    return left < 0 ? gm_run_leave(run, left) : left; /* a run that was cut has nothing left */
}

int gm_aj_list_open(gm_run *run, gm_aj_open *open)
{
    aj_search *S = (aj_search *)run;
    const double cutoff = S->begun ? S->matchings.cutoff : INFINITY;
    const int cut = run->watch->is_over || aj_rounds_were_cut(&S->tree.rounds);
    return cut ? GM_ECUT : aj_open_list(&S->open, &S->tree, run, cutoff, open);
}

int gm_aj_lend_root(const gm_run *run, gm_aj_root *root)
{
    return aj_tree_lend_root(&((const aj_search *)run)->tree, root);
}

/* Whether the run can give subproblems away. */
static int is_divisible(const aj_search *S)
{
    const int cut = S->run.watch->is_over || aj_rounds_were_cut(&S->tree.rounds);
    return !cut && S->begun && !S->run.finished;
}

int gm_aj_branch_now(gm_run *run)
{
    aj_search *S = (aj_search *)run;
    return is_divisible(S) ? aj_tree_branch_now(&S->tree, S->matchings.cutoff) : GM_OK;
}

int32_t gm_aj_drop(gm_run *run, gm_aj_root *parent)
{
    aj_search *S = (aj_search *)run;
    parent->n = 0;
    if (!is_divisible(S))
        return 0;
    return aj_tree_drop(&S->tree, S->matchings.cutoff, parent);
}

void gm_aj_offer(gm_run *run, const int32_t *labels)
{
    aj_search *S = (aj_search *)run;
    if (!S->begun || run->finished)
        return;
    gm_labels_to_slots(S->index, labels, S->matchings.slots);
    aj_matchings_offer(&S->matchings, S->matchings.slots, -INFINITY);
}

void gm_aj_free(gm_run *run)
{
    aj_search *S = (aj_search *)run;
    if (!S)
        return;
    aj_quick_end(&S->quick);
    aj_tree_clear(&S->tree);
    aj_matchings_clear(&S->matchings);
    aj_open_clear(&S->open);
    gm_index_free(S->index);
    gm_pool_free(&S->pool);
    gm_run_clear(run);
    free(S);
}

/* Points the proof to the arrays of a certificate, or to nothing. */
static void lend_certificate(const aj_certificate *C, int32_t n_labels, gm_aj_proof *proof)
{
    memset(proof, 0, sizeof *proof);
    if (!C)
        return;
    proof->n_pairs = C->n_pairs;
    proof->a = C->a;
    proof->b = C->b;
    proof->split = C->split;
    proof->n_stars = C->n_stars;
    proof->star = C->star;
    proof->star_label = C->star_label;
    proof->star_dual = C->star_dual;
    proof->n_labels = n_labels;
    proof->label_dual = C->label_dual;
    proof->n_variables = C->n_variables;
    proof->n_slacks = C->n_slacks;
    proof->variable = C->variable;
    proof->Z = C->Z;
    proof->slack_dual = C->slack_dual;
    proof->n_gone = C->n_gone;
    proof->gone = C->gone;
    proof->n_gone_duals = C->n_gone_duals;
    proof->gone_star = C->gone_star;
    proof->gone_label = C->gone_label;
    proof->gone_dual = C->gone_dual;
    proof->n_gone_pairs = C->n_gone_pairs;
    proof->pair_a = C->pair_a;
    proof->pair_b = C->pair_b;
}

void gm_aj_certificate(const gm_run *run, gm_aj_proof *proof)
{
    const aj_search *S = (const aj_search *)run;
    lend_certificate(S->tree.certified.best, S->index->n2, proof);
}

int32_t gm_aj_n_stages(const gm_run *run, double *cutoff)
{
    const aj_search *S = (const aj_search *)run;
    *cutoff = S->tree.certified.cutoff / S->grain.scale;
    return S->tree.certified.complete ? S->tree.certified.n_stages : 0;
}

void gm_aj_stage(const gm_run *run, int32_t stage, gm_aj_proof *proof)
{
    const aj_search *S = (const aj_search *)run;
    lend_certificate(S->tree.certified.stages[stage], S->index->n2, proof);
}
