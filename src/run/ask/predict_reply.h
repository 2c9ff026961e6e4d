// What predict answers, key by key.
#pragma once

#include <algorithm>

#include "base/rows/reply.h"
#include "run/train/predict_request.h"

namespace plimsoll {

inline constexpr std::string_view kPredictSchema = "plimsoll.predict/1";

inline std::string_view schema_name(const Guess*) { return "Guess"; }

template <class V>
void describe(V& row, const Guess* g) {
  row("name", "the class; its number where it has no name", [=] { return g->name; });
  row("index", "the class's number, from 0", [=] { return g->index; });
  row("probability", "", [=] { return g->probability; });
}

inline std::string_view schema_name(const GuessedSample*) { return "GuessedPicture"; }

template <class V>
void describe(V& row, const GuessedSample* p) {
  row("file", "the picture's, or the text", [=] { return p->sample; });
  row("classes", "the likeliest first", [=] { return p->classes; });
}

inline std::string_view schema_name(const WrittenText*) { return "WrittenText"; }

template <class V>
void describe(V& row, const WrittenText* w) {
  row("prompt", "", [=] { return w->prompt; });
  row("text", "what follows the prompt", [=] { return w->text; });
  row("tokens", "that were written", [=] { return w->tokens; });
  row("ended", "by the token that ends a text", [=] { return w->ended; });
  row("seconds", "", [=] { return w->seconds; });
  row("tokens_per_second", "", [=] { return double(w->tokens) / std::max(w->seconds.value, 1e-9); });
}

inline std::string_view schema_name(const PredictOutcome*) { return "Predict"; }

template <class V>
void describe(V& row, const PredictOutcome* o) {
  row("checkpoint", "the file", [=] { return o->checkpoint; });
  row("step", "after which it was saved", [=] { return o->step; });
  row("images", "in the order they were given", [=] { return o->samples; });
  row("written", "by a language model, with a prompt", [=] { return o->written; });
}

}  // namespace plimsoll
