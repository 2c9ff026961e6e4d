#include "tell/report/arithmetic_fit_report.h"

#include <fmt/format.h>

#include "base/size_text.h"
#include "base/text.h"
#include "tell/report/table.h"

namespace plimsoll {
namespace {

std::string breakdown(const ArithmeticFit& fit) {
  const std::string times = fmt::format("{} × ", with_commas(fit.batch));
  Table table({{"What", Table::Align::left}, {"Bytes"}, {"", Table::Align::left}});
  table.add({"parameters", decimal_bytes(fit.load.model), ""});
  table.add({"input", decimal_bytes(fit.load.sample * fit.batch), times + decimal_bytes(fit.load.sample)});
  table.add({"activations and gradients", decimal_bytes(fit.load.activations * fit.batch),
             times + decimal_bytes(fit.load.activations)});
  table.add_line();
  table.add({"total", decimal_bytes(fit.peak), ""});
  table.add({"load line", decimal_bytes(fit.line), percent(fit.load_line) + " of " + in_both_units(fit.memory)});
  return table.text();
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

std::vector<std::string> sentences(const ArithmeticFit& fit, const PastLine& past, const ArithmeticFitView& view) {
  std::vector<std::string> lines;
  if (view.asked) lines = about_the_batch(fit);
  else if (fit.fits) lines.push_back(largest(fit));
  else lines.push_back("Nothing fits, not even one sample: " + missed(fit));
  if (!past.sentence.empty()) lines.push_back(past.sentence);
  if (!fit.fits)
    lines.push_back(fmt::format("The smallest memory that would do is {} ({} bytes).",
                                in_both_units(fit.smallest_memory), with_commas(fit.smallest_memory.value())));
  return lines;
}

}  // namespace

std::string arithmetic_fit_text(const ArithmeticFit& fit, const PastLine& past, const ArithmeticFitView& view) {
  std::string text = view.device.empty() ? "" : printable(view.device) + "\n";
  text += breakdown(fit) + "\n";
  for (const auto& line : sentences(fit, past, view)) text += line + "\n";
  return text;
}

Json arithmetic_fit_json(const ArithmeticFit& fit, const PastLine& past, const ArithmeticFitView& view) {
  Json json{{"schema", "plimsoll.fit/1"}, {"form", "arithmetic"}};
  if (!view.device.empty()) json["device"] = view.device;
  json["batch"] = fit.fits || view.asked ? fit.batch : 0;
  json["fits"] = fit.fits;
  json["largest_batch"] = fit.largest;
  json["peak_bytes"] = fit.peak.value();
  json["memory_bytes"] = fit.memory.value();
  json["load_line"] = fit.load_line;
  json["line_bytes"] = fit.line.value();
  json["shortfall_bytes"] = fit.shortfall.value();
  json["smallest_memory_bytes"] = fit.smallest_memory.value();
  json["breakdown"] = {{"parameters", fit.load.model.value()},
                       {"activations", (fit.load.activations * fit.batch).value()},
                       {"input", (fit.load.sample * fit.batch).value()}};
  if (!past.sentence.empty())
    json["past_line"] = {{"over_memory_bytes", past.over_memory.value()},
                         {"paged_bytes_per_step", past.paged_per_step.value()},
                         {"paging_seconds_per_step", past.paging_per_step.value}};
  json["sentences"] = sentences(fit, past, view);
  return json;
}

}  // namespace plimsoll
