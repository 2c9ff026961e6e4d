#include "tell/report/data_report.h"

#include <fmt/format.h>

#include <numeric>

#include "base/text.h"
#include "tell/report/table.h"

namespace plimsoll {
namespace {

constexpr size_t kMostRows = 40, kMostBad = 20;

std::string three_digits(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += fmt::format("{}{:.4f}", text.empty() ? "" : ", ", number);
  return text;
}

Table counts_table(const DataSummary& summary) {
  std::vector<Table::Column> columns = {{"Class", Table::Align::left, 40}};
  for (const auto& part : summary.parts) columns.push_back({part.part});
  Table table(columns);
  const auto& names = summary.info.class_names;
  for (size_t i = 0; i < std::min(names.size(), kMostRows); ++i) {
    std::vector<std::string> row = {names[i]};
    for (const auto& part : summary.parts) row.push_back(with_commas(part.counts[i]));
    table.add(row);
  }
  if (names.size() > kMostRows) {
    std::vector<std::string> row = {fmt::format("{} more", names.size() - kMostRows)};
    for (const auto& part : summary.parts)
      row.push_back(with_commas(std::accumulate(part.counts.begin() + kMostRows, part.counts.end(), int64_t{0})));
    table.add(row);
  }
  table.add_line();
  std::vector<std::string> row = {"all"};
  for (const auto& part : summary.parts)
    row.push_back(with_commas(std::accumulate(part.counts.begin(), part.counts.end(), int64_t{0})));
  table.add(row);
  return table;
}

std::string sizes_text(const DatasetInfo& info) {
  if (info.sizes.empty()) return "";
  const auto& common = info.sizes[0];
  if (info.sizes.size() == 1) return fmt::format("All pictures are {}x{} pixels.\n", common.width, common.height);
  return fmt::format("Pictures have {} sizes; the commonest is {}x{} ({} of them).\n", info.sizes.size(), common.width,
                     common.height, with_commas(common.count));
}

}  // namespace

std::string data_text(const DataSummary& summary) {
  const TensorType& type = summary.info.type.input;
  std::string text = fmt::format("{}: {} classes, samples of {} {}, {} in files\n\n", printable(summary.name, 200),
                                 with_commas(summary.info.type.classes), name_of(type.dtype), type.shape.text(),
                                 human_bytes(files_size(summary.info)));
  text += counts_table(summary).text() + "\n" + sizes_text(summary.info);
  const PartSummary& train = summary.parts[0];
  if (!train.statistics.mean.empty())
    text += fmt::format("Training pixels (0 to 1): mean {}; deviation {}\n", three_digits(train.statistics.mean),
                        three_digits(train.statistics.deviation));
  else
    for (const auto& part : summary.parts)
      text += fmt::format("{}: {:.1f} % of the words are not in the vocabulary\n", part.part, 100 * part.unknown_share);
  for (const auto& warning : summary.info.warnings) text += "Warning: " + printable(warning, 500) + "\n";
  for (const auto& part : summary.parts) {
    if (part.bad_count == 0) continue;
    text += fmt::format("{}: {} bad\n", part.part, with_commas(part.bad_count));
    for (size_t i = 0; i < std::min(part.bad.size(), kMostBad); ++i) text += "  " + printable(part.bad[i], 500) + "\n";
    if (part.bad_count > int64_t(kMostBad))
      text += fmt::format("  and {} more; --json lists up to 1,000\n", with_commas(part.bad_count - int64_t(kMostBad)));
  }
  return text;
}

std::string loader_text(const LoaderBenchmark& benchmark) {
  Table table({{"Workers"}, {"Measured"}, {"Predicted"}, {"Against 1"}});
  const auto one =
      std::find_if(benchmark.runs.begin(), benchmark.runs.end(), [](const auto& r) { return r.workers == 1; });
  for (const auto& run : benchmark.runs)
    table.add({run.workers == 0 ? "0 (inline)" : std::to_string(run.workers), human_rate(run.measured),
               run.predicted ? human_rate(*run.predicted) : "",
               one == benchmark.runs.end()
                   ? ""
                   : fmt::format("{:.2f}x", run.measured.per_second / one->measured.per_second)});
  return table.text() + "\n" + benchmark.sentence + "\n";
}

}  // namespace plimsoll
