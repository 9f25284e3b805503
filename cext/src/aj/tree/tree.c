/* The phases of a frame, which is a subproblem on the path from the root to the present one:
 *
 *   AJ_EVALUATE      the star bound at the duals of the ascent; proposes matchings
 *   AJ_DELETE        by that bound and the cutoff that follows; then the frame is
 *                      closed             if nothing better than the cutoff remains,
 *                      evaluated again    if much was deleted,
 *                    and if its bound has stalled it is
 *                      lifted             to full tables, if these are small, and evaluated,
 *                      AJ_SEMIDEFINITE    at the root,
 *                      AJ_BRANCH          otherwise;
 *   AJ_ASCEND        steps of PDHG until the next evaluation is due
 *   AJ_BRANCH        one child after the other becomes the next frame
 *   AJ_SEMIDEFINITE  steps and trees of the semidefinite phase; then rounds of its children, or
 *                    AJ_EVALUATE with the costs that it has changed */
#include "aj/tree/root.h"

#include <math.h>

void aj_tree_init(aj_tree *T, const gm_index *index, double scale)
{
    T->index = T->certified.index = index;
    T->scale = T->certified.scale = scale;
    T->certified.whole = 1;
    T->scratch.n_nodes = index->n1;
    /* counts before it is done: the search for matchings may have its part of it at once */
    T->spent = T->root_work = AJ_ROOT_WORK * (double)index->n_entries;
    aj_sweeps_init(&T->sweeps);
}

int aj_tree_begin(aj_tree *T)
{
    const gm_index *index = T->index;
    aj_path_take(&T->path, &T->pool, index);
    aj_proposals_take(&T->proposals, &T->pool, index);
    aj_semidefinite_take(&T->semidefinite, &T->pool, index->n1);
    GM_TAKE(&T->pool, index->n1, T->picks);
    int status = T->pool.failed ? GM_ENOMEM : GM_OK;
    /* a certificate comes from the root: on a small problem nothing may close the gap before */
    if (status == GM_OK && index->n_entries > 0 && T->semidefinite.mode != AJ_SDP_AT_ONCE &&
        (index->n1 > AJ_REGION || !T->certified.wanted) && !T->kept_root)
        status = aj_sweeps_begin(&T->sweeps, index);
    return status;
}

void aj_tree_clear(aj_tree *T)
{
    while (T->path.depth > 0)
        aj_path_pop(&T->path);
    aj_rounds_clear(&T->rounds);
    aj_semidefinite_clear(&T->semidefinite);
    aj_branching_clear(&T->branching);
    aj_scratch_clear(&T->scratch);
    aj_certified_clear(&T->certified);
    aj_sweeps_end(&T->sweeps);
    aj_leaves_clear(&T->leaves);
    gm_pool_free(&T->pool);
}

int aj_tree_expects_dense(const aj_tree *T)
{
    const aj_semidefinite *phase = &T->semidefinite;
    const gm_index *index = T->index;
    return phase->lapack && phase->mode != AJ_SDP_NEVER && !phase->tried && T->branch &&
           index->complete && index->n1 == index->n2 && index->n1 <= AJ_DENSE_NODES;
}

int aj_tree_is_done(const aj_tree *T)
{
    return T->opened && T->path.depth == 0;
}

static int is_root(const aj_tree *T)
{
    return T->path.depth == 1;
}

double aj_tree_lower(const aj_tree *T)
{
    return T->opened ? aj_path_lower(&T->path) : T->sweeps.bound;
}

/* The present subproblem holds nothing better than the cutoff. */
static int close_frame(aj_tree *T)
{
    aj_path_pop(&T->path);
    return AJ_PROVED;
}

/* ---- the phases of a frame: each does one unit of work and returns an enum aj_event or an error
 *
 * Evaluation: the bound, then (with the cutoff that follows) deletions and the next step. */

/* The master LAP's matching; at the root also x, rounded. */
static void propose(aj_tree *T, const aj_frame *F)
{
    const aj_problem *P = F->problem;
    aj_bound *B = T->scratch.bound;
    aj_propose(&T->proposals, P, B->match, is_root(T) ? -INFINITY : F->lower);
    if (!is_root(T) || F->pdhg->total == 0)
        return;
    double *reward = B->forced; /* as scratch: not used before aj_bound_force */
    for (int32_t p = 0; p < P->n; p++)
        reward[p] = -F->pdhg->xt[p];
    if (gm_lap_solve(P->lap, reward, 1, 0) != GM_OK)
        return;
    for (int32_t i = 0; i < P->n_nodes; i++)
        T->picks[i] = (int32_t)gm_lap_entry(P->lap)[i];
    aj_propose(&T->proposals, P, T->picks, -INFINITY);
}

static int evaluate(aj_tree *T, aj_frame *F, double cutoff)
{
    aj_bound *B = T->scratch.bound;
    T->n_units++;
    T->spent += AJ_EVALUATION_WORK * (double)F->problem->m;
    aj_bound_evaluate(B, F->problem, F->pdhg->wt);
    if (gm_watch_is_over(B->watch))
        return AJ_WENT_ON;
    if (B->value == INFINITY)
        return close_frame(T);
    if (is_root(T) && aj_certified_stars(&T->certified, F->problem, B, F->pdhg->wt) != GM_OK)
        return GM_ENOMEM;
    F->before = F->lower;
    F->lower = fmax(F->lower, B->value);
    if (F->lower < cutoff)
        propose(T, F);
    F->phase = AJ_DELETE;
    return AJ_NEEDS_CUTOFF;
}

/* Whether few pairs of candidates have a cost, for instance if the flow of a QAP is a tree. */
static int is_thin(const gm_index *index)
{
    const double n = index->n1, pairs = 0.5 * n * (n - 1.0) * n * (n - 1.0);
    return (double)index->n_entries < AJ_THIN * pairs;
}

/* Whether the semidefinite phase follows a root that stalls, and dense trees follow the phase. */
static int is_dense_root(const aj_tree *T)
{
    return is_root(T) && aj_tree_expects_dense(T) && !is_thin(T->index);
}

/* Whether enough evaluations in a row have gained little: the frame is lifted or branches. */
static int is_stalled(const aj_tree *T, const aj_frame *F)
{
    if (is_dense_root(T))
        return F->stalled >= AJ_DENSE_STALLED;
    return F->stalled >= (is_root(T) ? AJ_ROOT_STALLED : AJ_CHILD_STALLED);
}

/* The state of a frame's problem after deletions. FAILED: no memory, or no time. */
enum deletion { FAILED = GM_ENOMEM, EMPTIED = 0, UNCHANGED, SMALLER, MUCH_SMALLER };

/* Deletes the candidates that the bound excludes; rebuilds the problem when enough are gone. */
static enum deletion delete_by_bound(aj_tree *T, aj_frame *F, double cutoff)
{
    aj_scratch *scratch = &T->scratch;
    const aj_problem *P = F->problem;
    aj_bound_force(scratch->bound, P, cutoff - scratch->bound->value);
    if (gm_watch_is_over(P->watch))
        return FAILED;
    aj_scratch_keep_all(scratch, P);
    if (!T->fix || aj_fix(scratch->bound, P, cutoff, scratch->candidates, scratch->entries) == 0)
        return UNCHANGED;
    int rest = aj_scratch_propagate(scratch, P);
    if (rest != AJ_OPEN)
        return rest < 0 ? FAILED : EMPTIED;
    const double kept = aj_scratch_kept_part(scratch, P);
    if (kept >= (is_stalled(T, F) ? 1.0 : AJ_SHRINK))
        return UNCHANGED;
    const int64_t total = F->pdhg->total;
    T->certified.whole = 0;
    rest = aj_frame_reduce(F, P, F->pdhg, scratch, &T->proposals);
    if (rest != AJ_OPEN)
        return rest < 0 ? FAILED : EMPTIED;
    F->pdhg->total = total;
    return kept < AJ_CASCADE || is_stalled(T, F) ? MUCH_SMALLER : SMALLER;
}

/* Counts evaluations that gained little. */
static void note_progress(const aj_tree *T, aj_frame *F, double cutoff)
{
    const double value = T->scratch.bound->value;
    /* a fixed node upsets the duals: climbing back is progress, too */
    const double gain = fmax(F->lower - F->before, value - F->last);
    double progress = AJ_PROGRESS;
    if (F->lifted)
        progress = is_root(T) ? AJ_ROOT_PROGRESS : AJ_CHILD_PROGRESS;
    if (F->lifted && is_dense_root(T))
        progress = AJ_DENSE_PROGRESS;
    F->last = value;
    if (F->pdhg->total >= AJ_SETTLED && gain < progress * (cutoff - F->before))
        F->stalled++;
    else if (!is_stalled(T, F))
        F->stalled = 0;
}

/* Steps of ADMM: branching comes first for as much work, and at least for as much as the root took.
 * Chosen on esc32e and esc32g, and on caltech-small10, caltech-large6 and two edit distances. */
static const double CHANCE_COMPLETE = 5.0, CHANCE_PARTIAL = 40.0;
/* After this part of that work branching is given up, if it is expected to take this many times all
 * of it. Chosen on caltech-small6, caltech-small11 and esc32e. */
static const double TRIAL = 0.17, EXCESS = 16.0;

/* Whether branching, which has its chance, has closed so little of the tree that it would take many
 * times as long. */
static int is_branching_hopeless(const aj_tree *T)
{
    const double chance = T->chance - T->chance_from, spent = T->spent - T->chance_from;
    return spent > TRIAL * chance && spent > EXCESS * chance * (1.0 - aj_path_weight(&T->path));
}

/* Branching ends many problems in less time than the semidefinite phase begins, so it has a chance
 * first, except if dense trees wait for the phase and the costs are dense, too. */
static int is_semidefinite_turn(aj_tree *T, const aj_frame *root)
{
    if (!aj_semidefinite_fits(&T->semidefinite, root->problem))
        return 0;
    if (!T->branch || is_dense_root(T))
        return 1;
    if (T->chance == 0.0) {
        const double step = aj_semidefinite_step_work(root->problem->n);
        const double steps = T->index->complete ? CHANCE_COMPLETE : CHANCE_PARTIAL;
        T->chance_from = T->spent;
        T->chance = T->spent + fmax(steps * step, T->spent);
    }
    return T->spent > T->chance || is_branching_hopeless(T);
}

/* The root goes over to the semidefinite phase; not yet if LAPACK must be asked for. */
static int begin_semidefinite(aj_tree *T, aj_frame *F)
{
    if (aj_semidefinite_begin(&T->semidefinite, F->problem, F->lower, &T->scratch) != GM_OK)
        return GM_ENOMEM;
    if (T->semidefinite.n_nodes > 0)
        F->phase = AJ_SEMIDEFINITE;
    return AJ_WENT_ON;
}

/* Whether a frame is lifted to full tables before it branches. */
static int is_worth_lifting(const aj_tree *T, const aj_frame *F)
{
    if (F->lifted)
        return 0;
    const int64_t entries = aj_problem_lifted_entries(F->problem, AJ_LINKED);
    return entries <= AJ_LIFT_AT_ONCE && entries <= T->lift_limit;
}

static int lift(aj_tree *T, aj_frame *F)
{
    F->phase = AJ_EVALUATE;
    return aj_frame_lift(F, &T->scratch) == GM_OK ? AJ_PROVED : GM_ENOMEM;
}

static int branch(aj_tree *T, aj_frame *F, double cutoff)
{
    const int adopts = is_root(T) && T->leaves.n > 0;
    const int status =
        adopts ? aj_children_adopt(&F->children, &T->leaves, F->lower)
               : aj_branching_choose(&T->branching, T->index, F, T->scratch.bound, cutoff);
    F->phase = AJ_BRANCH;
    return status == GM_OK ? AJ_PROVED : status;
}

enum { STALLED_FOR_GOOD = 20 }; /* evaluations in a row: converged, if branching is disabled */

/* Chooses the next step of a frame. `fresh`: the reduced costs are those of its problem as it is;
 * only then can it branch. */
static int choose_next(aj_tree *T, aj_frame *F, int fresh, double cutoff)
{
    const int stalled = is_stalled(T, F);
    if (stalled && is_worth_lifting(T, F))
        return lift(T, F);
    if (stalled && fresh && is_root(T) && is_semidefinite_turn(T, F)) {
        F->phase = AJ_EVALUATE;
        return begin_semidefinite(T, F);
    }
    if (stalled && fresh && T->branch)
        return branch(T, F, cutoff);
    if (F->stalled >= STALLED_FOR_GOOD) {
        F->phase = AJ_EVALUATE;
        return AJ_CONVERGED;
    }
    aj_frame_schedule(F);
    return AJ_PROVED;
}

static int delete_and_choose(aj_tree *T, aj_frame *F, double cutoff)
{
    if (F->lower >= cutoff)
        return close_frame(T);
    const enum deletion deletion = delete_by_bound(T, F, cutoff);
    switch (deletion) {
    case FAILED: return GM_ENOMEM;
    case EMPTIED: return close_frame(T);
    case MUCH_SMALLER: F->phase = AJ_EVALUATE; return AJ_PROVED; /* at once */
    default: note_progress(T, F, cutoff); return choose_next(T, F, deletion == UNCHANGED, cutoff);
    }
}

/* Ascent, branching, and the semidefinite phase. */

static int ascend(aj_tree *T, aj_frame *F)
{
    aj_frame_ascend(F);
    T->n_units++;
    T->entries_done += F->problem->m;
    T->spent += AJ_STEP_WORK * (double)F->problem->m;
    return AJ_WENT_ON;
}

/* The next child becomes the present frame. */
static int open_child(aj_tree *T, aj_frame *F, double cutoff)
{
    /* sorted: the others are not better */
    if (F->children.next >= F->children.n || F->children.lower[F->children.next] >= cutoff)
        return close_frame(T);
    const int restored =
        F->problem ? AJ_OPEN : aj_path_restore(&T->path, &T->scratch, &T->proposals);
    if (restored != AJ_OPEN)
        return restored < 0 ? restored : close_frame(T);
    const aj_problem *P = F->problem;
    const int32_t k = F->children.next++;
    int32_t p;
    T->n_units++;
    aj_scratch_keep_all(&T->scratch, P);
    /* a problem that was restored, or that leaves come to, may lack a candidate: no matching of
     * interest takes it */
    if (aj_frame_decide(F, k, T->index, P, &T->scratch, &p) != AJ_OPEN)
        return AJ_PROVED;
    aj_frame *child = &T->path.frames[T->path.depth];
    if (!F->children.leaves) /* a leaf is all that agrees with its decisions */
        aj_branching_exclude(&T->branching, T->index, P, p, T->scratch.candidates);
    int rest = aj_scratch_propagate(&T->scratch, P);
    if (rest == AJ_OPEN)
        rest = aj_frame_reduce(child, P, F->pdhg, &T->scratch, &T->proposals);
    if (rest == AJ_OPEN) {
        aj_frame_begin(child, F->children.lower[k], F->children.weight[k], F->lifted);
        T->path.depth++;
        aj_path_put_aside(&T->path);
    }
    return rest < 0 ? rest : AJ_PROVED;
}

static const double TOLERATED = 0.25; /* from cutoff to value: costs with more error are dropped */

/* The root goes on in the ordinary search with the problem and the costs of the phase. */
static int end_semidefinite(aj_tree *T, aj_frame *F)
{
    if (!T->branch)
        return AJ_CONVERGED; /* the root is all that was asked for */
    aj_problem *rest = aj_semidefinite_release(&T->semidefinite, TOLERATED * T->width);
    if (aj_frame_take(F, rest) != GM_OK)
        return GM_ENOMEM;
    aj_frame_begin(F, F->lower, 1.0, 1);
    T->certified.whole = 0; /* other costs than the model's */
    return AJ_WENT_ON;
}

/* A round of the root's children: its beginning, a unit of one of them, or its end. */
static int advance_in_rounds(aj_tree *T, aj_frame *F, double cutoff)
{
    aj_rounds *R = &T->rounds;
    if (aj_rounds_were_cut(R)) {
        T->index->watch->is_over = 1;
        return AJ_WENT_ON;
    }
    if (aj_rounds_are_over(R, &T->semidefinite, cutoff)) {
        aj_semidefinite_clear(&T->semidefinite);
        return close_frame(T);
    }
    if (!R->going_on) {
        const int begun = aj_rounds_begin(R, &T->semidefinite, &T->scratch, &T->proposals, T->index,
                                          T->path.memory, cutoff, T->units_remaining);
        return begun == GM_OK ? AJ_WENT_ON : GM_ENOMEM;
    }
    const int32_t task = aj_rounds_next(R);
    if (task >= 0) {
        aj_rounds_unit(R, task);
        return AJ_WENT_ON;
    }
    const int status = aj_rounds_end(R, &T->semidefinite, &T->proposals, &T->spent, &T->n_units);
    F->lower = fmax(F->lower, R->lower);
    return status == GM_OK ? AJ_PROVED : status;
}

/* A unit of work of the semidefinite phase. */
static int semidefinite(aj_tree *T, aj_frame *F, double cutoff)
{
    if (T->leaves.n > 0 && aj_semidefinite_adopt(&T->semidefinite, &T->leaves) != GM_OK)
        return GM_ENOMEM;
    if (aj_semidefinite_has_branched(&T->semidefinite))
        return advance_in_rounds(T, F, cutoff);
    const int event = aj_semidefinite_advance(&T->semidefinite, &T->scratch, &T->proposals,
                                              &T->certified, cutoff);
    T->n_units += !T->waiting && !T->semidefinite.out_of_time;
    T->spent += T->semidefinite.spent;
    F->lower = fmax(F->lower, T->semidefinite.lower);
    switch (event) {
    case AJ_SDP_GOES_ON: return AJ_PROVED;
    case AJ_SDP_NEEDS_CUTOFF: return AJ_NEEDS_CUTOFF;
    case AJ_SDP_PROVEN: return close_frame(T);
    case AJ_SDP_ENDS: return end_semidefinite(T, F);
    default: return event;
    }
}

/* ---- one unit of work */

enum { LIFT_AFTER = 500000000 }; /* entries of all steps: then branching without tables gives up */

static int advance(aj_tree *T, double cutoff)
{
    if (T->sweeps.going_on)
        return aj_root_sweep(T, cutoff);
    if (!T->opened)
        return T->kept_root ? aj_root_restore(T) : aj_root_open(T, cutoff);
    if (T->sweeps.bca)
        aj_root_end_sweeps(T);
    if (T->entries_done > LIFT_AFTER && !T->path.frames[0].lifted && !is_root(T))
        return aj_root_lift(T);
    if (T->chance > 0.0 && is_semidefinite_turn(T, &T->path.frames[0])) {
        aj_root_return(T);
        return begin_semidefinite(T, &T->path.frames[0]);
    }
    aj_frame *F = aj_path_top(&T->path);
    if (T->semidefinite.mode == AJ_SDP_AT_ONCE && is_root(T) &&
        aj_semidefinite_fits(&T->semidefinite, F->problem))
        return begin_semidefinite(T, F);
    switch (F->phase) {
    case AJ_EVALUATE: return evaluate(T, F, cutoff);
    case AJ_DELETE: return delete_and_choose(T, F, cutoff);
    case AJ_ASCEND: return ascend(T, F);
    case AJ_BRANCH: return open_child(T, F, cutoff);
    default: return semidefinite(T, F, cutoff);
    }
}

int aj_tree_advance(aj_tree *T, double cutoff)
{
    const int event = advance(T, cutoff);
    T->waiting = event == AJ_NEEDS_CUTOFF;
    return event;
}
