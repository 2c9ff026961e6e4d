#include "tell/report/fit_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/size_text.h"
#include "base/text.h"
#include "plan/ask/fit_sentences.h"
#include "tell/report/residence_report.h"
#include "tell/report/table.h"

namespace plimsoll {
namespace {

std::string heading(const FitQuestion& question, const FitAnswer& answer, const FitView& view) {
  const std::string way = question.step.optimizer ? fmt::format("training with {}", question.step.optimizer->name)
                                                  : std::string("inference");
  const std::string where = view.device.empty() ? "" : " on " + printable(view.device, 80);
  return fmt::format("{}, {}, {}, {}{}\nMemory {}, load line {} = {}\n", printable(view.model, 80), way,
                     question.format.name, name_of(question.framework), where, in_both_units(question.memory),
                     percent(question.load_line), human_bytes(answer.line));
}

std::string breakdown_text(const FitAnswer& answer) {
  Table table(
      {{fmt::format("Batch {}", with_commas(answer.load.batch)), Table::Align::left}, {"At the peak"}, {"Share"}});
  const Bytes peak = answer.load.peak.expected;
  for (const MemoryPart part : all_memory_parts()) {
    const Bytes bytes = answer.load.breakdown[part];
    if (bytes == Bytes(0)) continue;
    table.add(
        {std::string(part_name(part)), human_bytes(bytes), percent(double(bytes.value()) / double(peak.value()))});
  }
  table.add_line();
  table.add({answer.uncounted.lower_bound() ? "peak, at least" : "peak", human_bytes(peak), ""});
  if (answer.load.needed != peak) table.add({"needed to run at all", human_bytes(answer.load.needed), ""});
  table.add({"load line", human_bytes(answer.line), ""});
  return table.text();
}

// The memory over the step in so many columns, each as high as the fullest operation in it.
std::string timeline_text(const MemoryTimeline& over_step) {
  constexpr size_t kColumns = 60;
  constexpr const char* kBars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const std::vector<Bytes> timeline = over_step.sums();
  const Bytes most = timeline.empty() ? Bytes(0) : *std::max_element(timeline.begin(), timeline.end());
  if (most == Bytes(0)) return "";
  std::string line;
  const size_t columns = std::min(kColumns, timeline.size());
  for (size_t i = 0; i < columns; ++i) {
    const size_t first = i * timeline.size() / columns, last = std::max(first + 1, (i + 1) * timeline.size() / columns);
    const Bytes here = *std::max_element(timeline.begin() + long(first), timeline.begin() + long(last));
    line += kBars[size_t(std::ceil(8.0 * double(here.value()) / double(most.value())))];
  }
  return fmt::format("{}  up to {}", line, human_bytes(most));
}

std::string alternatives_text(const FitAnswer& answer) {
  if (answer.alternatives.empty()) return "";
  Table table({{"What would carry more", Table::Align::left}, {"Batch"}, {"Time per sample"}});
  for (const auto& other : answer.alternatives)
    table.add({other.change, with_commas(other.batch), other.slowdown ? fmt::format("×{:.2f}", *other.slowdown) : "?"});
  return "\n" + table.text();
}

}  // namespace

std::string fit_text(const FitOutcome& outcome) {
  const auto& [question, answer, view, where, kept] = outcome;
  std::string text = heading(question, answer, view) + "\n" + breakdown_text(answer) + "\n";
  if (const std::string line = timeline_text(answer.load.timeline); !line.empty())
    text += fmt::format("Over the step  {}\n\n", line);
  for (const auto& line : sentences(outcome)) text += line + "\n";
  text += alternatives_text(answer);
  return where ? text + "\n" + residence_text(*where) : text;
}

}  // namespace plimsoll
