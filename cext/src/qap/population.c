#include "qap/population.h"

#include "moves/policy.h"
#include "qap/policy.h"

#include <math.h>
#include <string.h>

void qap_population_take(qap_population *population, gm_pool *pool, int32_t n, double unit)
{
    population->n = n;
    population->unit = unit;
    GM_TAKE(pool, QAP_POPULATION, population->member);
    for (int k = 0; k < QAP_POPULATION && !pool->failed; k++)
        GM_TAKE(pool, n, population->member[k].at);
}

void qap_member_set(qap_member *member, double cost, const int32_t *at, int32_t n)
{
    member->cost = cost;
    memcpy(member->at, at, sizeof *at * (size_t)n);
}

int qap_is_less(double cost, double than, double unit)
{
    return cost < than - GM_GAIN_TOLERANCE * fmax(fabs(than), unit);
}

/* Nodes whose labels differ. */
static int32_t distance(int32_t n, const int32_t *one, const int32_t *other)
{
    int32_t count = 0;
    for (int32_t i = 0; i < n; i++)
        count += one[i] != other[i];
    return count;
}

int qap_population_join(qap_population *population, const qap_member *matching)
{
    const int32_t n = population->n;
    qap_member *member = population->member;
    int32_t worst = 0, nearest = -1, least = n + 1;
    for (int32_t k = 0; k < population->n_members; k++) {
        const int32_t apart = distance(n, member[k].at, matching->at);
        if (apart < least) {
            least = apart;
            nearest = k;
        }
        if (member[k].cost > member[worst].cost)
            worst = k;
    }
    const int is_near = nearest >= 0 && least <= QAP_NEAR * n;
    if (!is_near && population->n_members < QAP_POPULATION) {
        qap_member_set(&member[population->n_members++], matching->cost, matching->at, n);
        return 1;
    }
    const int32_t place = is_near ? nearest : worst;
    if (!qap_is_less(matching->cost, member[place].cost, population->unit))
        return 0;
    qap_member_set(&member[place], matching->cost, matching->at, n);
    return 1;
}

const qap_member *qap_population_best(const qap_population *population)
{
    const qap_member *best = population->member;
    for (int32_t k = 1; k < population->n_members; k++)
        if (population->member[k].cost < best->cost)
            best = &population->member[k];
    return best;
}

void qap_population_cross(const qap_population *population, gm_random *random, const int32_t *block,
                          int32_t *at, int32_t *scratch)
{
    const int32_t n = population->n;
    const int32_t first = gm_random_below(random, population->n_members);
    int32_t second = gm_random_below(random, population->n_members - 1);
    second += second >= first;
    const int32_t *one = population->member[first].at, *other = population->member[second].at;
    int32_t *holder = scratch, *free_label = scratch;
    for (int32_t i = 0; i < n; i++) {
        holder[i] = -1;
        at[i] = -1;
    }
    for (int32_t i = 0; i < n; i++)
        if (one[i] == other[i]) {
            at[i] = one[i];
            holder[at[i]] = i;
        }
    const uint64_t draw = block ? gm_random_bits(random) : 0; /* the same for a whole block */
    for (int32_t i = 0; i < n; i++)
        if (at[i] < 0) {
            gm_random own = {draw + (block ? (uint64_t)block[i] : 0)};
            const int from_other = (int)(gm_random_bits(block ? &own : random) >> 63);
            const int32_t label = from_other ? other[i] : one[i];
            if (holder[label] < 0) {
                at[i] = label;
                holder[label] = i;
            }
        }
    /* free labels in random order for the nodes without one; they overwrite holders that have been
     * read, since n_free <= t */
    int32_t n_free = 0;
    for (int32_t t = 0; t < n; t++)
        if (holder[t] < 0)
            free_label[n_free++] = t;
    gm_random_shuffle(random, n_free, free_label);
    for (int32_t i = 0; i < n; i++)
        if (at[i] < 0)
            at[i] = free_label[--n_free];
}
