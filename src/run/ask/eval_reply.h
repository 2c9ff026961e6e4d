// What eval answers, key by key.
#pragma once

#include "base/rows/reply.h"
#include "run/train/eval_request.h"

namespace plimsoll {

inline constexpr std::string_view kEvalSchema = "plimsoll.eval/1";

struct EvaluatedClass {
  std::string name;
  int64_t samples = 0;
  std::optional<double> accuracy;
};
inline std::string_view schema_name(const EvaluatedClass*) { return "EvaluatedClass"; }

template <class V>
void describe(V& row, const EvaluatedClass* c) {
  row("name", "its number where it has no name", [=] { return c->name; });
  row("samples", "", [=] { return c->samples; });
  row("accuracy", "null: no sample of this class", [=] { return OrNull{c->accuracy}; });
}

inline std::vector<EvaluatedClass> evaluated_classes(const EvalOutcome& outcome) {
  std::vector<EvaluatedClass> classes;
  for (int64_t label = 0; label < outcome.evaluation.classes(); ++label)
    classes.push_back(
        {outcome.class_name(label), outcome.evaluation.samples[size_t(label)], outcome.accuracy_of(label)});
  return classes;
}

inline std::vector<std::vector<int64_t>> confusion_rows(const Evaluation& evaluation) {
  std::vector<std::vector<int64_t>> rows;
  for (int64_t label = 0; !evaluation.confusion.empty() && label < evaluation.classes(); ++label) {
    const auto row = evaluation.confusion.begin() + label * evaluation.classes();
    rows.emplace_back(row, row + evaluation.classes());
  }
  return rows;
}

inline std::string_view schema_name(const EvalOutcome*) { return "Eval"; }

template <class V>
void describe(V& row, const EvalOutcome* o) {
  row("checkpoint", "the file", [=] { return o->checkpoint; });
  row("step", "after which it was saved", [=] { return o->step; });
  row("data", "the dataset", [=] { return o->data; });
  row("part", "test, validation or train", [=] { return o->part; });
  row("samples", "of a language model its sequences", [=] { return o->samples(); });
  row("tokens", "of a language model: those that it was to say",
      [=] { return o->tokens > 0 ? std::optional(o->evaluation.all.samples) : std::nullopt; });
  row("loss", "the mean over all samples, or tokens", [=] { return or_null(o->evaluation.all.loss()); });
  row("perplexity", "of a language model: e to the loss",
      [=] { return o->tokens > 0 ? std::optional(perplexity(o->evaluation.all.loss())) : std::nullopt; });
  row("accuracy", "share of samples that were classified correctly", [=] { return o->evaluation.all.accuracy(); });
  row("seconds", "of the whole evaluation", [=] { return o->seconds; });
  row("classes", "", [=] { return evaluated_classes(*o); });
  row("confusion", "a row for each label, a column for each class that was chosen; empty with very many classes",
      [=] { return confusion_rows(o->evaluation); });
}

}  // namespace plimsoll
