/* The format of QAPLIB's .dat files: numbers, separated by blanks, commas and line ends. */
#include "gm.h"
#include "io/number.h"

static int separates(char c)
{
    return c == ' ' || c == ',' || (c >= '\t' && c <= '\r');
}

int64_t gm_read_numbers(const char *text, int64_t length, double *numbers, int64_t *position)
{
    const char *p = text, *end = text + length;
    int64_t n = 0;
    for (;;) {
        while (p < end && separates(*p))
            p++;
        *position = p - text;
        if (p == end)
            return n;
        if (numbers) {
            p = gm_read_double(p, &numbers[n]);
            if (!p || !(p == end || separates(*p)))
                return -1;
        } else {
            while (p < end && !separates(*p))
                p++;
        }
        n++;
    }
}
