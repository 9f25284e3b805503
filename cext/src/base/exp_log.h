/* exp and log in a few multiplications: accurate to about 1e-11, the same on every machine (unlike
 * libm's), without branches or tables so that loops over them vectorise. */
#ifndef GM_BASE_EXP_LOG_H
#define GM_BASE_EXP_LOG_H

#include <stdint.h>
#include <string.h>

/* exp(x), x clamped to -700 .. 700. With x = n log 2 + r it is 2^n exp(r): a polynomial (Taylor, of
 * degree 10) for |r| <= log 2 / 2, whose exponent is then raised by n. Adding 1.5 * 2^52 rounds
 * x / log 2 to the integer n and leaves n in the low bits of the sum; a shift by 52 moves them to
 * the exponent of a double. log 2 is given in two parts, so that r keeps its digits. */
static inline double gm_exp(double x)
{
    const double to_integer = 0x1.8p52;
    x = x < -700.0 ? -700.0 : x;
    x = x > 700.0 ? 700.0 : x;
    const double shifted = x * 1.4426950408889634 + to_integer;
    const double n = shifted - to_integer;
    const double r = (x - n * 0x1.62e42fee00000p-1) - n * 0x1.a39ef35793c76p-33;
    double p = 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    uint64_t bits, exponent;
    memcpy(&bits, &p, sizeof bits);
    memcpy(&exponent, &shifted, sizeof exponent);
    bits += exponent << 52;
    memcpy(&p, &bits, sizeof p);
    return p;
}

/* log(x) for normal x > 0. With x = 2^n m, m in [1/sqrt 2, sqrt 2), it is n log 2 + log m, and
 * log m = 2 artanh(s) = 2 (s + s^3/3 + s^5/5 + ...), s = (m - 1) / (m + 1). */
static inline double gm_log(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint64_t offset = bits - UINT64_C(0x3fe6a09e667f3bcd); /* bits of 1/sqrt 2 */
    const int64_t n = (int64_t)offset >> 52;
    bits -= (uint64_t)n << 52;
    double m;
    memcpy(&m, &bits, sizeof m);
    const double s = (m - 1.0) / (m + 1.0);
    const double q = s * s;
    double p = 1.0 / 13.0;
    p = p * q + 1.0 / 11.0;
    p = p * q + 1.0 / 9.0;
    p = p * q + 1.0 / 7.0;
    p = p * q + 1.0 / 5.0;
    p = p * q + 1.0 / 3.0;
    p = p * q + 1.0;
    return (double)n * 0.6931471805599453 + 2.0 * s * p;
}

/* x <- exp(x), n of them. */
void gm_exp_all(double *x, int64_t n);

#endif
