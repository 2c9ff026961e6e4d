// Documents that are put together from other answers, or where there is none: described here for their schemas.
#pragma once

#include "plan/ask/fit_reply.h"
#include "plan/ask/place_reply.h"
#include "plan/ask/weigh_reply.h"

namespace plimsoll {

// What is answered in place of an answer.
struct ErrorReply {
  int64_t exit_code = 0;
  std::string what, where, hint;
};
inline std::string_view schema_name(const ErrorReply*) { return "Error"; }

template <class V>
void describe(V& row, const ErrorReply* e) {
  row("exit_code", "that goes with it", [=] { return e->exit_code; });
  row("what", "was found, and what was expected", [=] { return e->what; });
  row("where", "a file and a place in it; may be empty", [=] { return e->where; });
  row("hint", "what to do; may be empty", [=] { return e->hint; });
}

// What a card of the page shows: three answers in one reply.
struct PageAnswersReply {
  FitOutcome fit;
  PlaceOutcome place;
  WeightReply weigh;
};
inline std::string_view schema_name(const PageAnswersReply*) { return "PageAnswers"; }

template <class V>
void describe(V& row, const PageAnswersReply* p) {
  row("fit", "", [=] { return InnerAnswer<FitOutcome>{kFitSchema, &p->fit}; });
  row("place", "", [=] { return InnerAnswer<PlaceOutcome>{kPlaceSchema, &p->place}; });
  row("weigh", "", [=] { return InnerAnswer<WeightReply>{kWeighSchema, &p->weigh}; });
}

}  // namespace plimsoll
