#include "aj/model/exchanges.h"

#include <math.h>
#include <string.h>

/* ---- colours */

typedef struct colours {
    uint64_t of[AJ_MOST_MEMBERS][AJ_MOST_MEMBERS];
} colours;

static uint64_t mix(uint64_t hash, uint64_t bits)
{
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15ULL;
    return hash ^ hash >> 29;
}

/* Pairs of members that some exchange carries onto each other have equal colours. */
static void find_colours(int32_t n, const double *matrix, const uint8_t *allowed, colours *nodes,
                         colours *labels)
{
    const int64_t N = 1 + (int64_t)n * n;
    memset(nodes, 0, sizeof *nodes);
    memset(labels, 0, sizeof *labels);
    for (int32_t i = 0; i < n; i++)
        for (int32_t s = 0; s < n; s++)
            for (int32_t j = 0; j < n; j++)
                for (int32_t t = 0; t < n; t++) {
                    const int64_t cell = (1 + (int64_t)i * n + s) * N + 1 + (int64_t)j * n + t;
                    const double entry = matrix[cell] + 0.0; /* -0 and 0 are the same */
                    uint64_t bits;
                    memcpy(&bits, &entry, sizeof bits);
                    bits = bits << 1 ^ bits >> 63 ^ allowed[cell];
                    nodes->of[i][j] = mix(nodes->of[i][j], bits);
                    labels->of[s][t] = mix(labels->of[s][t], bits);
                }
}

/* ---- an exchange */

enum { UNKNOWN = 255 };       /* an image that is not given yet */
enum { MOST_TRIALS = 20000 }; /* images tried for one exchange */

/* An exchange that is being looked for. Those found before carry it onto itself. */
typedef struct trial {
    const aj_exchanges *found;
    const colours *colours;
    uint8_t image[AJ_MOST_MEMBERS];
    int32_t left; /* images that may still be tried */
} trial;

/* Whether the colours of x with all that has an image stay the same. */
static int keeps_colours(const trial *T, int32_t x)
{
    const int32_t y = T->image[x];
    for (int32_t z = 0; z < T->found->n; z++) {
        const int32_t w = T->image[z];
        if (w != UNKNOWN && (T->colours->of[x][z] != T->colours->of[y][w] ||
                             T->colours->of[z][x] != T->colours->of[w][y]))
            return 0;
    }
    return 1;
}

/* Exchanges x and y, and their images under the exchanges that were found before. Returns 0 if that
 * contradicts images or colours. */
static int exchange(trial *T, int32_t x, int32_t y)
{
    const int32_t n_found = 1 << T->found->n_exchanges;
    for (int32_t m = 0; m < n_found; m++) {
        const uint8_t a = T->found->image[m][x], b = T->found->image[m][y];
        if ((T->image[a] != UNKNOWN && T->image[a] != b) ||
            (T->image[b] != UNKNOWN && T->image[b] != a))
            return 0;
        T->image[a] = b;
        T->image[b] = a;
    }
    for (int32_t m = 0; m < n_found; m++)
        if (!keeps_colours(T, T->found->image[m][x]) || !keeps_colours(T, T->found->image[m][y]))
            return 0;
    return 1;
}

/* Whether the exchange is one of those found before, or made of them. */
static int is_known(const trial *T)
{
    for (int32_t m = 0; m < 1 << T->found->n_exchanges; m++)
        if (memcmp(T->image, T->found->image[m], (size_t)T->found->n) == 0)
            return 1;
    return 0;
}

/* Gives all members from x on an image, another one than itself if possible. */
static int extend(trial *T, int32_t x)
{
    const int32_t n = T->found->n;
    while (x < n && T->image[x] != UNKNOWN)
        x++;
    if (x == n)
        return !is_known(T);
    uint8_t before[AJ_MOST_MEMBERS];
    memcpy(before, T->image, sizeof before);
    for (int32_t step = 1; step <= n - x && T->left > 0; step++) {
        const int32_t y = step < n - x ? x + step : x;
        if (T->image[y] != UNKNOWN)
            continue;
        T->left--;
        if (exchange(T, x, y) && extend(T, x + 1))
            return 1;
        memcpy(T->image, before, sizeof before);
    }
    return 0;
}

/* The number of the variable that an exchange of nodes and one of labels carry v to. */
static int64_t carried(const uint8_t *nodes, const uint8_t *labels, int32_t n, int64_t v)
{
    return v == 0 ? 0 : 1 + (int64_t)nodes[(v - 1) / n] * n + labels[(v - 1) % n];
}

/* Whether the two leave everything alone: colours may be equal by chance. */
static int changes_nothing(const uint8_t *nodes, const uint8_t *labels, int32_t n,
                           const double *matrix, const uint8_t *allowed)
{
    const int64_t N = 1 + (int64_t)n * n;
    for (int64_t v = 0; v < N; v++) {
        const int64_t row = carried(nodes, labels, n, v) * N;
        for (int64_t w = 0; w < v; w++) {
            const int64_t image = row + carried(nodes, labels, n, w);
            if (matrix[v * N + w] != matrix[image] || allowed[v * N + w] != allowed[image])
                return 0;
        }
        if (matrix[v * (N + 1)] != matrix[row + row / N])
            return 0;
    }
    return 1;
}

/* ---- coordinates */

static int parity(int32_t bits)
{
    int odd = 0;
    for (; bits; bits &= bits - 1)
        odd ^= 1;
    return odd;
}

/* Whether the character that is -1 at the exchanges of `character` is 1 at all that keep x. */
static int has_coordinate(const aj_exchanges *E, int32_t x, int32_t character)
{
    for (int32_t m = 0; m < 1 << E->n_exchanges; m++)
        if (E->image[m][x] == x && parity(m & character))
            return 0;
    return 1;
}

/* Whether x is the first member of its orbit. */
static int is_first(const aj_exchanges *E, int32_t x)
{
    for (int32_t m = 0; m < 1 << E->n_exchanges; m++)
        if (E->image[m][x] < x)
            return 0;
    return 1;
}

/* The coordinate of x's orbit with the signs of a character. */
static void add_coordinate(aj_exchanges *E, int32_t c, int32_t x, int32_t character)
{
    int32_t k = E->start[c];
    for (int32_t m = 0; m < 1 << E->n_exchanges; m++) {
        int seen = 0;
        for (int32_t j = E->start[c]; j < k; j++)
            seen |= E->member[j] == E->image[m][x];
        if (seen)
            continue;
        E->member[k] = E->image[m][x];
        E->coefficient[k++] = parity(m & character) ? -1.0 : 1.0;
    }
    for (int32_t j = E->start[c]; j < k; j++)
        E->coefficient[j] /= sqrt((double)(k - E->start[c]));
    E->start[c + 1] = k;
}

static void fill_coordinates(aj_exchanges *E)
{
    int32_t c = 0;
    for (int32_t character = 0; character < 1 << E->n_exchanges; character++) {
        E->class_start[character] = c;
        for (int32_t x = 0; x < E->n; x++) {
            const int has_one = is_first(E, x) && has_coordinate(E, x, character);
            E->coordinate[character][x] = (int16_t)(has_one ? c : -1);
            if (has_one)
                add_coordinate(E, c++, x, character);
        }
    }
    E->class_start[1 << E->n_exchanges] = c;
}

/* ---- both sides */

/* No exchange but that of every member with itself. */
static void begin(aj_exchanges *E, int32_t n)
{
    memset(E, 0, sizeof *E);
    E->n = n;
    for (int32_t x = 0; x < n; x++)
        E->image[0][x] = (uint8_t)x;
}

/* Adds an exchange, and all that it makes with those before. */
static void add(aj_exchanges *E, const uint8_t *image)
{
    const int32_t n_before = 1 << E->n_exchanges++;
    for (int32_t m = 0; m < n_before; m++)
        for (int32_t x = 0; x < E->n; x++)
            E->image[n_before + m][x] = image[E->image[m][x]];
}

/* All exchanges of a side; `by_node`: of the nodes. */
static void find_of_side(aj_exchanges *E, const colours *of_pairs, int by_node,
                         const double *matrix, const uint8_t *allowed)
{
    uint8_t same[AJ_MOST_MEMBERS];
    memcpy(same, E->image[0], sizeof same);
    while (E->n_exchanges < AJ_MOST_EXCHANGES) {
        trial T = {.found = E, .colours = of_pairs, .left = MOST_TRIALS};
        memset(T.image, UNKNOWN, sizeof T.image);
        if (!extend(&T, 0) || !changes_nothing(by_node ? T.image : same, by_node ? same : T.image,
                                               E->n, matrix, allowed))
            break;
        add(E, T.image);
    }
    fill_coordinates(E);
}

void aj_exchanges_find(aj_exchanges *nodes, aj_exchanges *labels, int32_t n, const double *matrix,
                       const uint8_t *allowed)
{
    begin(nodes, n);
    begin(labels, n);
    colours of_nodes, of_labels;
    find_colours(n, matrix, allowed, &of_nodes, &of_labels);
    find_of_side(nodes, &of_nodes, 1, matrix, allowed);
    find_of_side(labels, &of_labels, 0, matrix, allowed);
}

/* matrix = (matrix + its image under one exchange, of nodes and labels) / 2. */
static void average(const uint8_t *nodes, const uint8_t *labels, int32_t n, double *matrix)
{
    const int64_t N = 1 + (int64_t)n * n;
    for (int64_t v = 0; v < N; v++) {
        const int64_t row = carried(nodes, labels, n, v) * N;
        for (int64_t w = 0; w < N && row >= v * N; w++) {
            const int64_t cell = v * N + w, image = row + carried(nodes, labels, n, w);
            matrix[cell] = matrix[image] = 0.5 * (matrix[cell] + matrix[image]);
        }
    }
}

void aj_exchanges_average(const aj_exchanges *nodes, const aj_exchanges *labels, double *matrix)
{
    for (int32_t k = 0; k < nodes->n_exchanges; k++)
        average(nodes->image[1 << k], labels->image[0], nodes->n, matrix);
    for (int32_t k = 0; k < labels->n_exchanges; k++)
        average(nodes->image[0], labels->image[1 << k], nodes->n, matrix);
}
