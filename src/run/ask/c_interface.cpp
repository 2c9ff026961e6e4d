// The C interface of libplimsoll_run (include/plimsoll/plimsoll_run.h): the same questions, with our engine at hand.
#include "plimsoll/plimsoll_run.h"

#include "plan/ask/c_answer.h"
#include "run/ask/ask_here.h"

extern "C" int plimsoll_run_ask(const char* verb, const char* request, char** answer) {
  using namespace plimsoll;
  return guarded(answer, [&] { return c_answer(verb, request, context_here(), answer); });
}
