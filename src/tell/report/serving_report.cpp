#include "tell/report/serving_report.h"

#include <fmt/format.h>

#include "base/rows/named.h"
#include "base/size_text.h"
#include "base/text.h"
#include "tell/report/table.h"

namespace plimsoll {
namespace {

std::string breakdown_text(const ServingFitOutcome& o) {
  const ServingMemory& memory = o.answer.memory;
  const std::string where = o.question.setup.devices > 1 ? "On each device" : "Memory";
  Table table({{where, Table::Align::left}, {"Bytes"}, {"Share"}});
  const Bytes total = memory.total();
  const std::pair<const char*, Bytes> parts[] = {{"weights", memory.weights},
                                                 {"cache of keys and values", memory.cache},
                                                 {"activations of a prompt", memory.activations},
                                                 {"scores of the vocabulary", memory.logits},
                                                 {"the program's buffers", memory.scratch},
                                                 {"the driver's context", memory.fixed}};
  for (const auto& [name, bytes] : parts)
    if (bytes > Bytes(0)) table.add({name, human_bytes(bytes), percent(double(bytes.value()) / double(total.value()))});
  table.add_line();
  table.add({"in all", human_bytes(total), ""});
  table.add({"load line", human_bytes(o.answer.line), ""});
  return table.text();
}

std::string alternatives_text(const ServingFitAnswer& answer) {
  if (answer.alternatives.empty()) return "";
  Table table({{"What would fit", Table::Align::left}, {"Sequences"}, {"Context"}, {"Memory"}, {"Tokens/s each"}});
  for (const auto& other : answer.alternatives)
    table.add({other.change, with_commas(other.concurrency), with_commas(other.context), human_bytes(other.total),
               other.per_token ? fmt::format("{:.1f}", 1 / other.per_token->value) : "?"});
  return "\n" + table.text();
}

std::string money_text(const std::optional<Dollars>& dollars) { return dollars ? human_dollars(*dollars) : "?"; }

std::vector<std::string> row_of(const ServingPlacement& p, const ServingVerdict& verdict) {
  const std::string& name = p.device.whole.name;
  const std::string shown = name + (!p.fit.fits ? " (does not fit)" : name == verdict.choice ? " (verdict)" : "");
  return {shown,
          std::string(name_of(p.setup.profile->framework)),
          human_time(p.time.first_token),
          human_time(p.time.per_token),
          fmt::format("{:.1f}", p.time.one),
          fmt::format("{:.{}f}", p.time.all, p.time.all < 100 ? 1 : 0),
          p.memory_known ? with_commas(p.fit.largest_concurrency) : "?",
          money_text(p.per_million_in),
          money_text(p.per_million_out),
          std::string(name_of(p.time.step.bound))};
}

}  // namespace

std::string serving_fit_text(const ServingFitOutcome& o) {
  const ServingSetup& setup = o.question.setup;
  const std::string where = o.device.empty() ? "" : " on " + printable(o.device, 80);
  std::string text =
      fmt::format("{}, generating text, weights {}, cache {}, {}{}\nMemory {}, load line {} = {}\n\n",
                  printable(o.model, 80), setup.weights->name, setup.kv->name, name_of(setup.profile->framework), where,
                  in_both_units(o.question.memory), percent(o.question.load_line), human_bytes(o.answer.line));
  text += breakdown_text(o) + "\n";
  for (const auto& line : sentences(o)) text += line + "\n";
  return text + alternatives_text(o.answer);
}

std::string serving_place_text(const ServingPlaceOutcome& o) {
  std::string text =
      fmt::format("{}, generating text, weights {}, cache {}, {} × (prompt {} + answer {}), load line {}\n\n",
                  printable(o.model, 80), o.weights, o.kv, with_commas(o.concurrency), with_commas(o.prompt),
                  with_commas(o.output), percent(o.load_line));
  Table table({{"Device", Table::Align::left},
               {"Framework", Table::Align::left},
               {"First token"},
               {"Per token"},
               {"Tokens/s each"},
               {"for all"},
               {"Most"},
               {"USD/M in"},
               {"USD/M out"},
               {"Bound by", Table::Align::left}});
  size_t shown = 0;
  for (size_t i = 0; i < o.ranked.size() && i < o.top; ++i, ++shown) table.add(row_of(o.ranked[i], o.verdict));
  text += table.text();
  if (o.ranked.size() > shown) text += fmt::format("… and {} more ({} N)\n", o.ranked.size() - shown, named("top"));
  text += o.verdict.choice.empty()
              ? "\nVerdict: none.\n"
              : fmt::format("\nVerdict: {}, {}.\n", o.verdict.kind == "gpu" ? "GPU" : "CPU", o.verdict.choice);
  for (const auto& reason : o.verdict.reasons) text += "  " + reason + "\n";
  for (const auto& note : o.notes) text += note + "\n";
  for (const auto& device : o.not_placed) text += "Not placed: " + device + "\n";
  return text;
}

}  // namespace plimsoll
