#include "tell/report/eval_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "tell/report/table.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostClassesShown = 30;  // in text

std::string class_name(const EvalView& view, int64_t label) {
  return size_t(label) < view.class_names.size() ? view.class_names[size_t(label)] : std::to_string(label);
}

std::optional<double> accuracy_of(const Evaluation& evaluation, int64_t label) {
  const int64_t samples = evaluation.samples[size_t(label)];
  if (samples == 0) return std::nullopt;
  return double(evaluation.correct[size_t(label)]) / double(samples);
}

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

std::string eval_text(const EvalView& view) {
  const Tally& all = view.evaluation.all;
  std::string text =
      fmt::format("{} at step {}, {} part of {}\nAccuracy {:.2f} %, loss {:.4f}, {} samples, {} samples/s\n\n",
                  printable(view.checkpoint, 200), with_commas(view.step), view.part, printable(view.data, 80),
                  100 * all.accuracy(), all.loss(), with_commas(all.samples),
                  with_commas(std::llround(double(all.samples) / std::max(view.seconds.value, 1e-9))));
  const int64_t classes = view.evaluation.classes();
  Table table(
      {{"Class", Table::Align::left, 30}, {"Samples"}, {"Accuracy"}, {"Most often taken for", Table::Align::left, 30}});
  for (int64_t label = 0; label < std::min(classes, kMostClassesShown); ++label) {
    const auto accuracy = accuracy_of(view.evaluation, label);
    const int64_t other = mistaken_for(view.evaluation, label);
    table.add({class_name(view, label), with_commas(view.evaluation.samples[size_t(label)]),
               accuracy ? fmt::format("{:.2f} %", 100 * *accuracy) : "", other < 0 ? "" : class_name(view, other)});
  }
  text += table.text();
  if (classes > kMostClassesShown)
    text += fmt::format("and {} more classes; --json has all\n", classes - kMostClassesShown);
  return text;
}

Json eval_json(const EvalView& view) {
  const Evaluation& evaluation = view.evaluation;
  Json json{{"schema", "plimsoll.eval/1"},
            {"checkpoint", view.checkpoint},
            {"step", view.step},
            {"data", view.data},
            {"part", view.part},
            {"samples", evaluation.all.samples},
            {"loss", evaluation.all.loss()},
            {"accuracy", evaluation.all.accuracy()},
            {"seconds", view.seconds.value}};
  json["classes"] = Json::array();
  for (int64_t label = 0; label < evaluation.classes(); ++label) {
    const auto accuracy = accuracy_of(evaluation, label);
    json["classes"].push_back({{"name", class_name(view, label)},
                               {"samples", evaluation.samples[size_t(label)]},
                               {"accuracy", accuracy ? Json(*accuracy) : Json(nullptr)}});
  }
  json["confusion"] = Json::array();
  for (int64_t label = 0; !evaluation.confusion.empty() && label < evaluation.classes(); ++label) {
    const auto row = evaluation.confusion.begin() + label * evaluation.classes();
    json["confusion"].push_back(std::vector<int64_t>(row, row + evaluation.classes()));
  }
  return json;
}

}  // namespace plimsoll
