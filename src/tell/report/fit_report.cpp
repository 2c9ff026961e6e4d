#include "tell/report/fit_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/size_text.h"
#include "base/text.h"
#include "tell/report/conv_report.h"
#include "tell/report/lower_bound_report.h"
#include "tell/report/table.h"

namespace plimsoll {
namespace {

constexpr size_t kShownAtPeak = 20;  // tensors, in JSON

std::string tensor_text(const TensorInMemory& tensor) {
  const std::string type =
      tensor.type ? fmt::format("{} {}, ", tensor.type->shape.text(), name_of(tensor.type->dtype)) : "";
  return fmt::format("{} ({}{})", plimsoll::in_quotes(tensor.name), type, human_bytes(tensor.bytes));
}

Json bytes_json(const std::vector<Bytes>& list) {
  Json json = Json::array();
  for (const Bytes bytes : list) json.push_back(bytes.value());
  return json;
}

Json tensor_json(const TensorInMemory& tensor) {
  Json json{{"name", tensor.name}};
  if (tensor.type) {
    json["shape"] = std::vector<int64_t>(tensor.type->shape.begin(), tensor.type->shape.end());
    json["dtype"] = name_of(tensor.type->dtype);
  }
  json["bytes"] = tensor.bytes.value();
  return json;
}

std::string heading(const FitQuestion& question, const FitAnswer& answer, const FitView& view) {
  const std::string way = question.step.optimizer ? fmt::format("training with {}", question.step.optimizer->name)
                                                  : std::string("inference");
  const std::string where = view.device.empty() ? "" : " on " + printable(view.device, 80);
  return fmt::format("{}, {}, {}, {}{}\nMemory {}, load line {} = {}\n", printable(view.model, 80), way,
                     question.format.name, name_of(question.framework), where, in_both_units(question.memory),
                     percent(question.load_line), human_bytes(answer.line));
}

std::string range_text(const PeakRange& peak) {
  if (peak.low == peak.high) return human_bytes(peak.expected);
  return fmt::format("{} ({} to {})", human_bytes(peak.expected), human_bytes(peak.low), human_bytes(peak.high));
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
  table.add({"load line", human_bytes(answer.line), ""});
  return table.text();
}

std::string missed_text(const FitAnswer& answer) {
  const std::string peak = answer.uncounted.lower_bound() ? "at least " + human_bytes(answer.load.peak.expected)
                                                          : range_text(answer.load.peak);
  std::string text = fmt::format("{} is past the line by {} ({} bytes).", peak, human_bytes(answer.shortfall),
                                 with_commas(answer.shortfall.value()));
  if (answer.breaking_tensor) text += fmt::format(" It breaks at {}.", tensor_text(*answer.breaking_tensor));
  return text;
}

// Of a lower bound: what does not fit does not, but of what does nothing is certain.
void add_uncertain_verdict(const FitAnswer& answer, std::vector<std::string>& lines) {
  const std::string batch = with_commas(answer.load.batch), peak = human_bytes(answer.load.peak.expected);
  if (answer.asked && answer.fits)
    lines.push_back(
        fmt::format("Batch {} may fit: what is known of it takes {}, which is under the line.", batch, peak));
  if (answer.asked && !answer.fits)
    lines.push_back(fmt::format("Batch {} does not fit: {}", batch, missed_text(answer)));
  if (answer.largest > 0)
    lines.push_back(fmt::format("No batch above {} fits{}.", with_commas(answer.largest),
                                answer.asked ? "" : ": what is known of that one takes " + peak));
  else if (!answer.asked) lines.push_back("Nothing fits, not even one sample: " + missed_text(answer));
  else if (answer.load.batch > 1) lines.push_back("No other batch fits either, not even one sample.");
  lines.push_back(lower_bound_text(answer.uncounted));
}

void add_verdict(const FitAnswer& answer, std::vector<std::string>& lines) {
  if (answer.uncounted.lower_bound()) return add_uncertain_verdict(answer, lines);
  const std::string batch = with_commas(answer.load.batch);
  if (answer.asked && answer.fits)
    lines.push_back(fmt::format("Batch {} fits: {} is under the line.", batch, range_text(answer.load.peak)));
  if (answer.asked && !answer.fits)
    lines.push_back(fmt::format("Batch {} does not fit: {}", batch, missed_text(answer)));
  if (!answer.asked && answer.largest == 0)
    lines.push_back("Nothing fits, not even one sample: " + missed_text(answer));
  if (answer.largest > 0) {
    std::string line = fmt::format("Batch {} is the largest under the line", with_commas(answer.largest));
    if (!answer.asked) line += ": " + range_text(answer.load.peak);
    if (answer.next_peak)
      line += fmt::format(". Batch {} takes {}, {} too much", with_commas(answer.largest + 1),
                          human_bytes(*answer.next_peak), human_bytes(*answer.next_peak - answer.line));
    lines.push_back(line + ".");
  } else if (answer.asked && answer.load.batch > 1) {
    lines.push_back("No other batch fits either, not even one sample.");
  }
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

void add_packing(const FitAnswer& answer, std::vector<std::string>& lines) {
  const BatchLoad& load = answer.load;
  if (!load.peak_operation.empty())
    lines.push_back(fmt::format("The peak is at {}.", plimsoll::in_quotes(load.peak_operation)));
  if (!load.arena || load.bound == Bytes(0)) return;
  const double over = double(load.peak.expected.value()) / double(load.bound.value()) - 1;
  lines.push_back(
      fmt::format("The lower bound, the largest sum of what is alive, is {}: the plan is {:.2f} % above it.",
                  human_bytes(load.bound), over * 100));
}

std::vector<std::string> sentences(const FitQuestion& question, const FitAnswer& answer, const FitView& view) {
  std::vector<std::string> lines;
  add_verdict(answer, lines);
  if (!answer.fits && !view.past.sentence.empty()) lines.push_back(view.past.sentence);
  if (!answer.fits)
    lines.push_back(fmt::format("The smallest memory that {} do is {}.",
                                answer.uncounted.lower_bound() ? "might" : "would",
                                in_both_units(answer.smallest_memory)));
  if (answer.load.largest_tensor)
    lines.push_back(fmt::format("The largest tensor is {}.", tensor_text(*answer.load.largest_tensor)));
  add_packing(answer, lines);
  if (question.step.optimizer)
    lines.push_back(fmt::format("An evaluation with this batch takes {}{}.",
                                answer.uncounted.lower_bound() ? "at least " : "",
                                human_bytes(answer.evaluation_peak)));
  if (!answer.load.conv_methods.empty()) lines.push_back(conv_text(answer.load.conv_methods));
  for (const auto& note : answer.notes) lines.push_back(note);
  return lines;
}

std::string alternatives_text(const FitAnswer& answer) {
  if (answer.alternatives.empty()) return "";
  Table table({{"What would carry more", Table::Align::left}, {"Batch"}, {"Time per sample"}});
  for (const auto& other : answer.alternatives)
    table.add({other.change, with_commas(other.batch), other.slowdown ? fmt::format("×{:.2f}", *other.slowdown) : "?"});
  return "\n" + table.text();
}

}  // namespace

std::string fit_text(const FitQuestion& question, const FitAnswer& answer, const FitView& view) {
  std::string text = heading(question, answer, view) + "\n" + breakdown_text(answer) + "\n";
  if (const std::string line = timeline_text(answer.load.timeline); !line.empty())
    text += fmt::format("Over the step  {}\n\n", line);
  for (const auto& line : sentences(question, answer, view)) text += line + "\n";
  return text + alternatives_text(answer);
}

Json fit_json(const FitQuestion& question, const FitAnswer& answer, const FitView& view) {
  Json json{{"schema", "plimsoll.fit/1"}, {"model", view.model}};
  if (!view.device.empty()) json["device"] = view.device;
  json["framework"] = name_of(question.framework);
  json["mode"] = question.step.optimizer ? "train" : "inference";
  json["dtype"] = question.format.name;
  if (question.step.optimizer) json["optimizer"] = question.step.optimizer->name;
  json["batch"] = answer.asked ? answer.load.batch : answer.largest;
  json["fits"] = answer.asked ? answer.fits : answer.largest > 0;
  add_lower_bound(json, answer.uncounted);
  json["largest_batch"] = answer.largest;
  json["peak_bytes"] = answer.load.peak.expected.value();
  json["range"] = {{"low", answer.load.peak.low.value()}, {"high", answer.load.peak.high.value()}};
  json["memory_bytes"] = question.memory.value();
  json["load_line"] = question.load_line;
  json["line_bytes"] = answer.line.value();
  json["shortfall_bytes"] = answer.shortfall.value();
  json["smallest_memory_bytes"] = answer.smallest_memory.value();
  json["evaluation_peak_bytes"] = answer.evaluation_peak.value();
  if (answer.next_peak) json["next_peak_bytes"] = answer.next_peak->value();
  if (answer.load.arena) {
    json["arena_bytes"] = answer.load.arena->value();
    json["bound_bytes"] = answer.load.bound.value();
  }
  for (const MemoryPart part : all_memory_parts())
    json["breakdown"][std::string(part_name(part))] = answer.load.breakdown[part].value();
  json["largest_tensor"] = answer.load.largest_tensor ? tensor_json(*answer.load.largest_tensor) : Json(nullptr);
  if (!answer.fits)
    json["breaking_tensor"] = answer.breaking_tensor ? tensor_json(*answer.breaking_tensor) : Json(nullptr);
  json["peak_operation"] = answer.load.peak_operation;
  json["at_peak"] = Json::array();
  for (size_t i = 0; i < std::min(kShownAtPeak, answer.load.at_peak.size()); ++i)
    json["at_peak"].push_back(tensor_json(answer.load.at_peak[i]));
  json["timeline"] = bytes_json(answer.load.timeline.sums());
  json["timeline_parts"] = {{"tensors", bytes_json(answer.load.timeline.tensors)},
                            {"workspace", bytes_json(answer.load.timeline.workspace)},
                            {"fixed", answer.load.timeline.fixed.value()}};
  if (!answer.load.conv_methods.empty()) json["conv_methods"] = conv_json(answer.load.conv_methods);
  json["alternatives"] = Json::array();
  for (const auto& other : answer.alternatives)
    json["alternatives"].push_back({{"change", other.change},
                                    {"batch", other.batch},
                                    {"slowdown", other.slowdown ? Json(*other.slowdown) : Json(nullptr)}});
  json["sentences"] = sentences(question, answer, view);
  return json;
}

}  // namespace plimsoll
