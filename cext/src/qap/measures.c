#include "qap/measures.h"

#include "qap/policy.h"

#include <math.h>

/* The standard deviation over the mean of the sizes of a matrix's entries off the diagonal, which
 * is zero. */
static double spread(int32_t n, const double *M)
{
    double sum = 0.0, squares = 0.0;
    for (int64_t k = 0; k < (int64_t)n * n; k++) {
        sum += fabs(M[k]);
        squares += M[k] * M[k];
    }
    const double count = (double)n * (n > 1 ? n - 1 : 1);
    const double mean = sum / count;
    return mean > 0.0 ? sqrt(fmax(squares / count - mean * mean, 0.0)) / mean : 0.0;
}

int qap_is_dominated(const gm_qap *qap)
{
    const double a = spread(qap->n, qap->A), b = spread(qap->n, qap->B);
    return fmax(a, b) > QAP_DOMINANCE && a * b > QAP_DOMINANT;
}

double qap_magnitude(const gm_qap *qap)
{
    const int64_t cells = (int64_t)qap->n * qap->n;
    double a = 0.0, b = 0.0, c = 0.0;
    for (int64_t k = 0; k < cells; k++) {
        a += fabs(qap->A[k]);
        b += fabs(qap->B[k]);
        c += qap->C && qap->C[k] < INFINITY ? fabs(qap->C[k]) : 0.0;
    }
    const double sum = cells > 0 ? a / (double)cells * b + c / (double)qap->n : 0.0;
    return isfinite(sum) ? sum : 0.0;
}
