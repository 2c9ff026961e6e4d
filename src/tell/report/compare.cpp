// Networks side by side: each figure in a row, each network in a column, relative to the first.
#include <fmt/format.h>

#include "base/text.h"
#include "plan/weight/lower_bound_text.h"
#include "tell/report/table.h"
#include "tell/report/weigh_report.h"

namespace plimsoll {
namespace {

struct ComparedFigure {
  const char* name;
  int64_t (*value)(const Weight&);
  std::string (*show)(int64_t);
};

std::string show_bytes(int64_t bytes) { return human_bytes(Bytes(bytes)); }

constexpr ComparedFigure kFigures[] = {
    {"Params", [](const Weight& w) { return w.params.value(); }, with_commas},
    {"Buffers", [](const Weight& w) { return w.buffers.value(); }, with_commas},
    {"Param bytes", [](const Weight& w) { return w.param_bytes.value(); }, show_bytes},
    {"MACs, forward", [](const Weight& w) { return w.macs.value(); }, human_count},
    {"FLOPs, forward", [](const Weight& w) { return w.flops.value(); }, human_count},
    {"FLOPs, training step", [](const Weight& w) { return w.train_flops.value(); }, human_count},
    {"Activations", [](const Weight& w) { return w.activation_bytes.value(); }, show_bytes},
    {"Naive space", [](const Weight& w) { return w.naive_bytes.value(); }, show_bytes},
    {"Bytes moved", [](const Weight& w) { return w.moved.value(); }, show_bytes},
    {"Layers", [](const Weight& w) { return int64_t(w.layers.size()); }, with_commas},
};

Table compare_table(const std::vector<Weight>& weights, const std::vector<Training>& trainings) {
  std::vector<Table::Column> columns{{"", Table::Align::left}};
  for (size_t i = 0; i < weights.size(); ++i) {
    columns.push_back({printable(weights[i].model, 40), Table::Align::right});
    if (i > 0) columns.push_back({"×", Table::Align::right});
  }
  Table table(std::move(columns));
  const auto add = [&](const std::string& name, auto value, auto show) {
    std::vector<std::string> row{name, show(value(0))};
    for (size_t i = 1; i < weights.size(); ++i) {
      row.push_back(show(value(i)));
      row.push_back(double(value(0)) > 0 ? fmt::format("{:.2f}", double(value(i)) / double(value(0))) : "-");
    }
    table.add(std::move(row));
  };
  for (const auto& figure : kFigures)
    add(
        figure.name, [&](size_t i) { return figure.value(weights[i]); }, figure.show);
  add(
      "FLOPs per byte",
      [&](size_t i) {
        return double(weights[i].flops.value()) / double(std::max<int64_t>(1, weights[i].moved.value()));
      },
      [](double x) { return fmt::format("{:.2f}", x); });
  if (trainings.empty()) return table;
  table.add_line();
  add(
      "Epochs", [&](size_t i) { return trainings[i].epochs; }, with_commas);
  add(
      "Time per epoch", [&](size_t i) { return trainings[i].epoch.value; }, [](double s) { return human_time({s}); });
  add(
      "Time to the result", [&](size_t i) { return trainings[i].total().value; },
      [](double s) { return human_time({s}); });
  return table;
}

std::string verdict(const std::vector<Weight>& weights, const std::vector<Training>& trainings) {
  if (trainings.empty()) return "";
  const size_t best = first_done(trainings);
  return fmt::format("{} is done first: {} epochs of {} are {}.\n", printable(weights[best].model, 80),
                     trainings[best].epochs, human_time(trainings[best].epoch), human_time(trainings[best].total()));
}

std::string lower_bounds(const std::vector<Weight>& weights) {
  std::string text;
  for (const auto& weight : weights)
    if (weight.uncounted.lower_bound())
      text += fmt::format("{}: {}\n", printable(weight.model, 80), lower_bound_text(weight.uncounted));
  return text;
}

}  // namespace

std::string compare_text(const std::vector<Weight>& weights, const std::vector<Training>& trainings) {
  return fmt::format("batch {}  ·  {}  ·  × is relative to {}\n\n", weights[0].batch, weights[0].dtype,
                     printable(weights[0].model, 80)) +
         compare_table(weights, trainings).text() + verdict(weights, trainings) + lower_bounds(weights);
}

std::string compare_markdown(const std::vector<Weight>& weights, const std::vector<Training>& trainings) {
  return compare_table(weights, trainings).markdown() + verdict(weights, trainings) + lower_bounds(weights);
}

std::string compare_csv(const std::vector<Weight>& weights, const std::vector<Training>& trainings) {
  return compare_table(weights, trainings).csv();
}

}  // namespace plimsoll
