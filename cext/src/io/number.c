/* Decimal text to double, correctly rounded.
 *
 * A number is w * 10^k with an integer w. Up to 19 digits w fits 64 bits, and for |k| <= 27 so does
 * 5^|k|: then w * 5^k, or w / 5^-k with its remainder, is exact in 128 bits and only has to be
 * rounded once. Anything longer is rare and left to strtod.
 */
#include "io/number.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum { LARGEST_POWER = 27, LONGEST_TOKEN = 1024 };

static const uint64_t power_of_5[LARGEST_POWER + 1] = {
    1u,
    5u,
    25u,
    125u,
    625u,
    3125u,
    15625u,
    78125u,
    390625u,
    1953125u,
    9765625u,
    48828125u,
    244140625u,
    1220703125u,
    6103515625u,
    30517578125u,
    152587890625u,
    762939453125u,
    3814697265625u,
    19073486328125u,
    95367431640625u,
    476837158203125u,
    2384185791015625u,
    11920928955078125u,
    59604644775390625u,
    298023223876953125u,
    1490116119384765625u,
    7450580596923828125u,
};

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* m * 2^exponent rounded half to even; below says that something positive was cut off under m.
 * m has at least 55 bits or is exact, and the result is far from the ends of the double range. */
static double rounded(uint64_t m, int below, int exponent)
{
    const int excess = 64 - __builtin_clzll(m) - 53;
    if (excess > 0) {
        const uint64_t half = (uint64_t)1 << (excess - 1), rest = m & (2 * half - 1);
        m >>= excess;
        m += rest > half || (rest == half && (below || (m & 1)));
        exponent += excess;
    }
    return ldexp((double)m, exponent);
}

static double scaled(uint64_t w, int k)
{
    static const double exact_power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (w <= (uint64_t)1 << 53 && k >= -22 && k <= 22) /* both exact: one rounding */
        return k < 0 ? (double)w / exact_power[-k] : (double)w * exact_power[k];
    if (k >= 0) {
        const wide product = (wide)w * power_of_5[k];
        const uint64_t high = (uint64_t)(product >> 64), low = (uint64_t)product;
        if (high == 0)
            return rounded(low, 0, k);
        const int shift = __builtin_clzll(high);
        const wide top = product << shift;
        return rounded((uint64_t)(top >> 64), (uint64_t)top != 0, k + 64 - shift);
    }
    const int up_w = __builtin_clzll(w), up_d = __builtin_clzll(power_of_5[-k]);
    const uint64_t divisor = power_of_5[-k] << up_d;
    const wide dividend = (wide)(w << up_w) << 63; /* quotient has 63 or 64 bits */
    return rounded((uint64_t)(dividend / divisor), dividend % divisor != 0, k - up_w + up_d - 63);
}

/* Length of the word at text if it is that word in any case and ends there, else 0. */
static size_t spelled(const char *text, const char *word)
{
    size_t n = 0;
    while (word[n] && (text[n] | 0x20) == word[n])
        n++;
    return word[n] ? 0 : n;
}

static const char *read_word(const char *text, int negative, double *value)
{
    size_t n;
    if ((n = spelled(text, "infinity")) || (n = spelled(text, "inf")))
        *value = negative ? -HUGE_VAL : HUGE_VAL;
    else if ((n = spelled(text, "nan")))
        *value = NAN;
    return n ? text + n : NULL;
}

/* strtod on a copy of the token, spelled with the decimal point of the current locale. */
static const char *read_long(const char *text, const char *end, const char *point, double *value)
{
    char copy[LONGEST_TOKEN];
    const char *sign = localeconv()->decimal_point;
    const size_t whole = (size_t)((point ? point : end) - text), width = strlen(sign);
    const size_t rest = point ? (size_t)(end - point) - 1 : 0;
    if (whole + width + rest >= sizeof copy)
        return NULL;
    memcpy(copy, text, whole);
    if (point) {
        memcpy(copy + whole, sign, width);
        memcpy(copy + whole + width, point + 1, rest);
    }
    copy[whole + (point ? width + rest : 0)] = 0;
    *value = strtod(copy, NULL);
    return end;
}

const char *gm_read_double(const char *text, double *value)
{
    const char *p = text, *point = NULL;
    const int negative = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    if (!is_digit(*p) && *p != '.')
        return read_word(p, negative, value);

    uint64_t w = 0;
    int n_digits = 0, k = 0, any = 0;
    for (;; p++) {
        if (is_digit(*p)) {
            any = 1;
            if (n_digits < 20 && (w || *p != '0')) /* leading zeros are no digits of w */
                n_digits++;
            if (n_digits < 20)
                w = 10 * w + (uint64_t)(*p - '0');
            k -= point != NULL;
        } else if (*p == '.' && !point) {
            point = p;
        } else {
            break;
        }
    }
    if (!any)
        return NULL;
    if (*p == 'e' || *p == 'E') {
        const char *q = p + 1;
        const int down = *q == '-';
        int exponent = 0;
        if (*q == '-' || *q == '+')
            q++;
        if (!is_digit(*q))
            return NULL;
        for (; is_digit(*q); q++)
            exponent = exponent < 100000 ? 10 * exponent + (*q - '0') : exponent;
        k += down ? -exponent : exponent;
        p = q;
    }
    if (w == 0) {
        *value = negative ? -0.0 : 0.0;
        return p;
    }
    if (n_digits > 19 || k < -LARGEST_POWER || k > LARGEST_POWER)
        return read_long(text, p, point, value);
    *value = scaled(w, k);
    if (negative)
        *value = -*value;
    return p;
}
