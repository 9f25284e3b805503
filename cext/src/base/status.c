/* Status codes in words. */
#include "gm.h"

const char *gm_status_text(int status)
{
    switch (status) {
    case GM_OK: return "no error";
    case GM_ENOMEM: return "out of memory";
    case GM_EARGUMENT: return "an argument breaks the kernel's contract";
    case GM_EINFEASIBLE: return "no complete matching exists";
    case GM_ELIMIT: return "a size limit of the kernel is exceeded";
    case GM_ECUT: return "the run was over before the end";
    default: return "unknown status";
    }
}
