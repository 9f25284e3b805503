/* The C functions that the Python package calls, a file for each kind. cffi reads these files, too:
 * build_cext.py drops the preprocessor lines and hands over the rest, so everything in them must be
 * plain declarations.
 *
 * Conventions: inputs are const and borrowed; indices are int32, positions in long arrays int64;
 * costs are double and minimised. Functions that can fail return 0 or a negative gm_status, which
 * gm_status_text explains. Nothing here prints, exits, or keeps global state.
 */
#ifndef GM_H
#define GM_H

#include "gm/baselines.h"
#include "gm/dual.h"
#include "gm/exact.h"
#include "gm/linear.h"
#include "gm/many.h"
#include "gm/model.h"
#include "gm/multi.h"
#include "gm/qap.h"
#include "gm/run.h"
#include "gm/subgraphs.h"
#include "gm/text.h"

#endif
