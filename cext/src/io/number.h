/* Decimal text to double. */
#ifndef GM_IO_NUMBER_H
#define GM_IO_NUMBER_H

/* Reads one correctly rounded number at `text`, which must end in a 0 byte somewhere; `inf` and
 * `nan` are numbers. Returns the end of the number, or NULL if there is none. Independent of the
 * locale, allocates nothing. */
const char *gm_read_double(const char *text, double *value);

#endif
