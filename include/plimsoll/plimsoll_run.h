/* Plimsoll with its engine: the questions of plimsoll.h answered with the kernels of this machine at hand, so that
 * answers about "device": "this" are exact, kernel by kernel.
 *
 * The promises of plimsoll.h hold here too. What was loaded or written by one library is freed by plimsoll_free and
 * plimsoll_free_model of plimsoll.h, which this library has as well. */
#ifndef PLIMSOLL_RUN_H
#define PLIMSOLL_RUN_H

#include "plimsoll/plimsoll.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As plimsoll_ask, with the engine. */
PLIMSOLL_API int plimsoll_run_ask(const char* verb, const char* request, char** answer);

#ifdef __cplusplus
}
#endif

#endif
