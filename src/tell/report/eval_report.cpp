#include "tell/report/eval_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "tell/report/table.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostClassesShown = 30;  // in text

// The class that this one is taken for most often, besides itself; -1: none.
int64_t mistaken_for(const Evaluation& evaluation, int64_t label) {
  if (evaluation.confusion.empty()) return -1;
  int64_t most = 0, found = -1;
  for (int64_t chosen = 0; chosen < evaluation.classes(); ++chosen) {
    const int64_t count = evaluation.confusion[size_t(label * evaluation.classes() + chosen)];
    if (chosen == label || count <= most) continue;
    most = count;
    found = chosen;
  }
  return found;
}

}  // namespace

std::string eval_text(const EvalOutcome& outcome) {
  const Tally& all = outcome.evaluation.all;
  if (outcome.tokens > 0)
    return fmt::format(
        "{} at step {}, {} part of {}\nLoss {:.4f}, perplexity {:.2f}, next token right {:.2f} %, {} tokens in {} "
        "sequences, {} tokens/s\n",
        printable(outcome.checkpoint, 200), with_commas(outcome.step), outcome.part, printable(outcome.data, 80),
        all.loss(), perplexity(all.loss()), 100 * all.accuracy(), with_commas(all.samples),
        with_commas(outcome.samples()),
        with_commas(std::llround(double(all.samples) / std::max(outcome.seconds.value, 1e-9))));
  std::string text =
      fmt::format("{} at step {}, {} part of {}\nAccuracy {:.2f} %, loss {:.4f}, {} samples, {} samples/s\n\n",
                  printable(outcome.checkpoint, 200), with_commas(outcome.step), outcome.part,
                  printable(outcome.data, 80), 100 * all.accuracy(), all.loss(), with_commas(all.samples),
                  with_commas(std::llround(double(all.samples) / std::max(outcome.seconds.value, 1e-9))));
  const int64_t classes = outcome.evaluation.classes();
  Table table({{"Class", Table::Align::left, 30},
               {"Samples"},
               {"Accuracy"},
               {"Most often predicted as", Table::Align::left, 30}});
  for (int64_t label = 0; label < std::min(classes, kMostClassesShown); ++label) {
    const auto accuracy = outcome.accuracy_of(label);
    const int64_t other = mistaken_for(outcome.evaluation, label);
    table.add({outcome.class_name(label), with_commas(outcome.evaluation.samples[size_t(label)]),
               accuracy ? fmt::format("{:.2f} %", 100 * *accuracy) : "", other < 0 ? "" : outcome.class_name(other)});
  }
  text += table.text();
  if (classes > kMostClassesShown)
    text += fmt::format("and {} more classes; --json has all\n", classes - kMostClassesShown);
  return text;
}

}  // namespace plimsoll
