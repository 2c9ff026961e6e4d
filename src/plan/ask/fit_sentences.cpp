#include "plan/ask/fit_sentences.h"

#include <algorithm>

#include "base/size_text.h"
#include "plan/weight/lower_bound_text.h"

namespace plimsoll {
namespace {

std::string tensor_text(const TensorInMemory& tensor) {
  const std::string type =
      tensor.type ? fmt::format("{} {}, ", tensor.type->shape.text(), name_of(tensor.type->dtype)) : "";
  return fmt::format("{} ({}{})", in_quotes(tensor.name), type, human_bytes(tensor.bytes));
}

std::string range_text(const PeakRange& peak) {
  if (peak.low == peak.high) return human_bytes(peak.expected);
  return fmt::format("{} ({} to {})", human_bytes(peak.expected), human_bytes(peak.low), human_bytes(peak.high));
}

// A framework that keeps memory for later needs less of it than it takes where there is room.
bool takes_more_than_needed(const BatchLoad& load) { return load.needed != load.peak.expected; }

// ": 9.2 GiB is under the line": where the memory that decides stands.
std::string standing_text(const FitAnswer& answer, const std::string& standing) {
  const BatchLoad& load = answer.load;
  if (answer.uncounted.lower_bound())
    return fmt::format("at least {} is {}", human_bytes(load.peak.expected), standing);
  if (!takes_more_than_needed(load)) return fmt::format("{} is {}", range_text(load.peak), standing);
  return fmt::format("it needs {}, which is {}", human_bytes(load.needed), standing);
}

std::string room_text(const BatchLoad& load) {
  if (!takes_more_than_needed(load)) return "";
  return fmt::format(" Where there is room, it takes {}.", range_text(load.peak));
}

// What is taken where there is room is told apart only where it would be past the line.
std::string room_left(const FitAnswer& answer) {
  const std::string line = human_bytes(answer.line);
  if (answer.load.peak.expected <= answer.line)
    return fmt::format("at its peak it takes {}, and the load line is at {}.", range_text(answer.load.peak), line);
  return fmt::format("it needs {}, and the load line is at {}.{}", human_bytes(answer.load.needed), line,
                     room_text(answer.load));
}

std::string missed_text(const FitAnswer& answer) {
  std::string text = standing_text(answer, fmt::format("past the line by {} ({} bytes).", human_bytes(answer.shortfall),
                                                       with_commas(answer.shortfall.value())));
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
  if (answer.asked && answer.fits) lines.push_back(fmt::format("Batch {} fits: {}", batch, room_left(answer)));
  if (answer.asked && !answer.fits)
    lines.push_back(fmt::format("Batch {} does not fit: {}", batch, missed_text(answer)));
  if (!answer.asked && answer.largest == 0)
    lines.push_back("Nothing fits, not even one sample: " + missed_text(answer));
  if (answer.largest > 0) {
    std::string line = fmt::format("Batch {} is the largest under the line", with_commas(answer.largest));
    if (!answer.asked)
      line += takes_more_than_needed(answer.load) ? ": it needs " + human_bytes(answer.load.needed)
                                                  : ": " + range_text(answer.load.peak);
    if (answer.next_peak)
      line += fmt::format(". Batch {} takes {}, {} too much", with_commas(answer.largest + 1),
                          human_bytes(*answer.next_peak), human_bytes(*answer.next_peak - answer.line));
    lines.push_back(line + "." + (answer.asked ? "" : room_text(answer.load)));
  } else if (answer.asked && answer.load.batch > 1) {
    lines.push_back("No other batch fits either, not even one sample.");
  }
}

void add_packing(const FitAnswer& answer, std::vector<std::string>& lines) {
  const BatchLoad& load = answer.load;
  if (!load.peak_operation.empty()) lines.push_back(fmt::format("The peak is at {}.", in_quotes(load.peak_operation)));
  if (!load.arena || load.bound == Bytes(0)) return;
  const double over = double(load.peak.expected.value()) / double(load.bound.value()) - 1;
  lines.push_back(
      fmt::format("The lower bound, the largest sum of what is alive, is {}: the plan is {:.2f} % above it.",
                  human_bytes(load.bound), over * 100));
}

std::string largest(const ArithmeticFit& fit) {
  const Bytes next = fit.load.at(fit.largest + 1);
  return fmt::format("Batch {} is the largest under the line: {} of {}. Batch {} takes {}, {} too much.",
                     with_commas(fit.largest), decimal_bytes(fit.load.at(fit.largest)), decimal_bytes(fit.line),
                     with_commas(fit.largest + 1), decimal_bytes(next), decimal_bytes(next - fit.line));
}

std::string missed(const ArithmeticFit& fit) {
  return fmt::format("{} is past the line of {} by {} ({} bytes).", decimal_bytes(fit.peak), decimal_bytes(fit.line),
                     decimal_bytes(fit.shortfall), with_commas(fit.shortfall.value()));
}

std::vector<std::string> about_the_batch(const ArithmeticFit& fit) {
  const std::string batch = with_commas(fit.batch);
  std::vector<std::string> lines;
  if (fit.fits)
    lines.push_back(fmt::format("Batch {} fits: {} is under the line of {}.", batch, decimal_bytes(fit.peak),
                                decimal_bytes(fit.line)));
  else lines.push_back(fmt::format("Batch {} does not fit: {}", batch, missed(fit)));
  if (fit.largest > 0)
    lines.push_back(fmt::format("The largest batch that fits is {}, with {}.", with_commas(fit.largest),
                                decimal_bytes(fit.load.at(fit.largest))));
  else if (fit.batch > 1) lines.push_back("No other batch fits either, not even one sample.");
  return lines;
}

}  // namespace

std::vector<std::string> sentences(const FitOutcome& outcome) {
  const auto& [question, answer, view, where, kept] = outcome;
  std::vector<std::string> lines;
  add_verdict(answer, lines);
  if (!answer.fits && !view.past.sentence.empty()) lines.push_back(view.past.sentence);
  if (!answer.fits)
    lines.push_back(fmt::format("The smallest memory that {} do is {}.",
                                answer.uncounted.lower_bound() ? "might" : "would",
                                human_bytes(answer.smallest_memory)));
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

std::vector<std::string> sentences(const ArithmeticOutcome& outcome) {
  const auto& [fit, past, asked, device] = outcome;
  std::vector<std::string> lines;
  if (asked) lines = about_the_batch(fit);
  else if (fit.fits) lines.push_back(largest(fit));
  else lines.push_back("Nothing fits, not even one sample: " + missed(fit));
  if (!past.sentence.empty()) lines.push_back(past.sentence);
  if (!fit.fits)
    lines.push_back(fmt::format("The smallest memory that would do is {} ({} bytes).",
                                in_both_units(fit.smallest_memory), with_commas(fit.smallest_memory.value())));
  return lines;
}

std::string conv_text(const std::map<ConvMethod, int64_t>& methods) {
  std::map<std::string, int64_t> ways;  // whatever the tiles
  for (const auto& [method, count] : methods) ways[std::string(way_of(method))] += count;
  std::vector<std::pair<std::string, int64_t>> sorted(ways.begin(), ways.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [way, count] : sorted) text += fmt::format("{}{} {}", text.empty() ? "conv: " : ", ", count, way);
  return text;
}

}  // namespace plimsoll
