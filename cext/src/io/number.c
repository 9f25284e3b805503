/* Decimal text to double, correctly rounded.
 *
 * A number is w * 10^k with an integer w. Up to 19 digits w fits 64 bits, and for |k| <= 27 so does
 * 5^|k|: then w * 5^k, or w / 5^-k with its remainder, is exact in 128 bits and only has to be
 * rounded once. Anything longer is rare; the C library's strtod reads it.
 */
#include "io/number.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum {
    MOST_DIGITS = 19,   /* of w */
    LARGEST_POWER = 27, /* 5^27 < 2^64 < 5^28 */
    LONGEST_TOKEN = 1024
};

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

/* (m + r) * 2^exponent rounded half to even, where 0 <= r < 1 and more says whether r > 0. m has at
 * least 55 bits or r = 0, and the result is far from the ends of the range of doubles. */
static double round_to_even(uint64_t m, int more, int exponent)
{
    const int excess = 64 - __builtin_clzll(m) - 53;
    if (excess > 0) {
        const uint64_t half = (uint64_t)1 << (excess - 1);
        const uint64_t rest = m & (2 * half - 1);
        m >>= excess;
        m += rest > half || (rest == half && (more || (m & 1)));
        exponent += excess;
    }
    return ldexp((double)m, exponent);
}

/* w * 10^k for 0 < w and |k| <= LARGEST_POWER. */
static double scale(uint64_t w, int k)
{
    static const double exact_power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (w <= (uint64_t)1 << 53 && k >= -22 && k <= 22) /* both exact: one rounding */
        return k < 0 ? (double)w / exact_power[-k] : (double)w * exact_power[k];
    if (k >= 0) {
        const wide product = (wide)w * power_of_5[k];
        const uint64_t high = (uint64_t)(product >> 64);
        const uint64_t low = (uint64_t)product;
        if (high == 0)
            return round_to_even(low, 0, k);
        const int shift = __builtin_clzll(high);
        const wide top = product << shift;
        return round_to_even((uint64_t)(top >> 64), (uint64_t)top != 0, k + 64 - shift);
    }
    /* both numbers shifted up to 64 bits, so that the quotient has 63 or 64 */
    const int up_w = __builtin_clzll(w);
    const int up_d = __builtin_clzll(power_of_5[-k]);
    const uint64_t divisor = power_of_5[-k] << up_d;
    const wide dividend = (wide)(w << up_w) << 63;
    return round_to_even((uint64_t)(dividend / divisor), dividend % divisor != 0,
                         k - up_w + up_d - 63);
}

/* The length of `word` if text begins with it, in upper or lower case, else 0. */
static size_t match_word(const char *text, const char *word)
{
    size_t n = 0;
    while (word[n] && (text[n] | 0x20) == word[n])
        n++;
    return word[n] ? 0 : n;
}

/* Reads inf, infinity or nan. */
static const char *read_word(const char *text, int negative, double *value)
{
    const size_t n_nan = match_word(text, "nan");
    if (n_nan) {
        *value = NAN;
        return text + n_nan;
    }
    const size_t n_whole = match_word(text, "infinity");
    const size_t n = n_whole ? n_whole : match_word(text, "inf");
    if (!n)
        return NULL;
    *value = negative ? -HUGE_VAL : HUGE_VAL;
    return text + n;
}

/* strtod on a copy of text .. end - 1, in which the decimal point (NULL: there is none) is replaced
 * by that of the current locale. */
static const char *read_long(const char *text, const char *end, const char *point, double *value)
{
    char copy[LONGEST_TOKEN];
    const char *sign = localeconv()->decimal_point;
    const size_t width = strlen(sign);
    const size_t whole = (size_t)((point ? point : end) - text);
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

/* w * 10^k as it is read. */
typedef struct decimal {
    uint64_t w;        /* of the first MOST_DIGITS digits */
    int n_digits;      /* from the first that is not 0; MOST_DIGITS + 1: more than w holds */
    int k;             /* by which power of 10 w is to be scaled */
    const char *point; /* NULL: none */
} decimal;

/* Reads digits with at most one point among them. Returns their end, or NULL without a digit.
 */
static inline const char *read_digits(const char *p, decimal *number)
{
    int any = 0;
    for (;; p++) {
        if (is_digit(*p)) {
            any = 1;
            if (number->n_digits <= MOST_DIGITS && (number->w || *p != '0'))
                number->n_digits++;
            if (number->n_digits <= MOST_DIGITS)
                number->w = 10 * number->w + (uint64_t)(*p - '0');
            number->k -= number->point != NULL;
        } else if (*p == '.' && !number->point) {
            number->point = p;
        } else {
            break;
        }
    }
    return any ? p : NULL;
}

/* Reads the exponent behind an e and adds it to k. Returns its end, or NULL if it has no digit. */
static inline const char *read_exponent(const char *p, decimal *number)
{
    const int negative = *p == '-';
    int exponent = 0;
    if (*p == '-' || *p == '+')
        p++;
    if (!is_digit(*p))
        return NULL;
    for (; is_digit(*p); p++)
        exponent = exponent < 100000 ? 10 * exponent + (*p - '0') : exponent; /* no overflow */
    number->k += negative ? -exponent : exponent;
    return p;
}

const char *gm_read_double(const char *text, double *value)
{
    const char *p = text;
    const int negative = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    if (!is_digit(*p) && *p != '.')
        return read_word(p, negative, value);

    decimal number = {0};
    p = read_digits(p, &number);
    if (p && (*p == 'e' || *p == 'E'))
        p = read_exponent(p + 1, &number);
    if (!p)
        return NULL;
    if (number.w == 0) {
        *value = negative ? -0.0 : 0.0;
        return p;
    }
    if (number.n_digits > MOST_DIGITS || number.k < -LARGEST_POWER || number.k > LARGEST_POWER)
        return read_long(text, p, number.point, value);
    *value = scale(number.w, number.k);
    if (negative)
        *value = -*value;
    return p;
}
