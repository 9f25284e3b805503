/* A small model through one of the kernels: whatever the costs, the labels are a matching. */
#include "kernels.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes in = {data, size};
    const kernel *kernel = &kernels[next_byte(&in) % N_KERNELS];
    gm_model model;
    model_memory memory;
    if (!make_model(&in, kernel->square, &model, &memory))
        return 0;
    gm_run *run = kernel->make(&model);
    if (!run)
        return 0;
    for (int k = 0; k < 3 && !run->finished; k++) {
        if (kernel->step(run, 5, 0.01) != GM_OK)
            break;
        run->n_events = 0;
        check_labels(&model, run, kernel->name);
    }
    kernel->end(run);
    return 0;
}
