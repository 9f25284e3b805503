/* A text through the reader of numbers, held against strtod. */
#include "gm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = 0;
    int64_t position;
    const int64_t count = gm_read_numbers(text, (int64_t)size, NULL, &position);
    double *numbers = malloc((size_t)count * sizeof *numbers + 1);
    const int64_t read = gm_read_numbers(text, (int64_t)size, numbers, &position);
    if (read >= 0 && read != count)
        abort();
    const char *p = text;
    for (int64_t k = 0; k < read; k++) {
        p += strspn(p, " ,\t\n\v\f\r");
        char *end;
        const double expected = strtod(p, &end);
        if (numbers[k] != expected && !(isnan(numbers[k]) && isnan(expected)))
            abort();
        p = end;
    }
    free(numbers);
    free(text);
    return 0;
}
