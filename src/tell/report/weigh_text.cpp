// The layer table with its totals, for a terminal, as Markdown and as CSV.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "plan/weight/layer_rows.h"
#include "plan/weight/lower_bound_text.h"
#include "tell/report/repeated_layers.h"
#include "tell/report/table.h"
#include "tell/report/weigh_report.h"

namespace plimsoll {
namespace {

std::string shape_text(const LayerWeight& layer) { return layer.output ? layer.output->text() : "?"; }

// What parameters are stored in.
std::string param_format(const Weight& weight) { return weight.dtype.starts_with("amp") ? "f32" : weight.dtype; }

std::string marked(const LayerWeight& layer, const std::string& number) {
  switch (layer.certainty) {
    case Certainty::exact: return number;
    case Certainty::at_most: return "≤ " + number;
    case Certainty::unbounded: return "≥ " + number;
    case Certainty::unknown: return layer.operations.value() > 1 ? number + " + ?" : "?";
  }
  return number;
}

// A network of text has its blocks a hundred times over; whoever asks for an order, groups or CSV gets every layer.
bool shows_repeats_once(const Weight& weight, const WeighView& view) {
  return weight.tokens.present() && view.sort.empty() && view.depth == 0 && view.top == 0;
}

Table layer_table(const Weight& weight, const WeighView& view, bool exact_numbers) {
  using Align = Table::Align;
  std::vector<Table::Column> columns{{"Layer", Align::left, 44},
                                     {"Op", Align::left, 24},
                                     {"Output", Align::left},
                                     {"Params"},
                                     {"MACs"},
                                     {"FLOPs"},
                                     {exact_numbers ? "Activation bytes" : "Activations"},
                                     {"FLOPs/byte"}};
  if (view.units) columns.push_back({fmt::format("Rounds on {}", *view.units)});
  Table table(std::move(columns));
  const auto count = [&](int64_t n) {
    return exact_numbers ? std::to_string(n) : n == 0 ? std::string("-") : human_count(n);
  };
  auto rows = layer_rows(weight, view);
  if (!exact_numbers && shows_repeats_once(weight, view)) rows = without_repeats(rows);
  for (const auto& layer : rows) {
    std::vector<std::string> cells{layer.name,
                                   layer.op,
                                   shape_text(layer),
                                   exact_numbers          ? std::to_string(layer.params.value())
                                   : layer.params.value() ? with_commas(layer.params.value())
                                                          : "-",
                                   marked(layer, count(layer.macs.value())),
                                   marked(layer, count(layer.flops.value())),
                                   exact_numbers                    ? std::to_string(layer.activation_bytes.value())
                                   : layer.activation_bytes.value() ? human_bytes(layer.activation_bytes)
                                                                    : "-",
                                   layer.intensity() > 0 ? fmt::format("{:.2f}", layer.intensity())
                                   : exact_numbers       ? "0"
                                                         : "-"};
    if (view.units) cells.push_back(with_commas(rounds(layer.outputs, *view.units).value()));
    table.add(std::move(cells));
  }
  return table;
}

std::string share(int64_t part, int64_t whole) {
  return whole > 0 ? fmt::format("{:.1f} %", 100.0 * double(part) / double(whole)) : "-";
}

template <class Value>
const LayerWeight* largest(const std::vector<LayerWeight>& layers, Value value) {
  const auto found =
      std::max_element(layers.begin(), layers.end(), [&](const auto& a, const auto& b) { return value(a) < value(b); });
  return found == layers.end() || value(*found) == 0 ? nullptr : &*found;
}

std::string token_lines(const TokenWeight& t, std::string_view format) {
  std::string out = fmt::format("{:<26}{} forward, {} training  ({} tokens; products only{})\n", "FLOPs per token",
                                human_count(t.flops_per_token.value()), human_count(t.train_flops_per_token.value()),
                                with_commas(t.tokens), t.causal ? ", hidden scores counted too" : "");
  for (const auto& cache : t.caches) {
    std::string size = cache.kind == "state" ? human_bytes(cache.fixed) + " whatever the length"
                                             : human_bytes(cache.per_token) + " a token";
    if (cache.window > 0) size += fmt::format(", at most {} tokens", with_commas(cache.window));
    out += fmt::format("{:<26}{}  ({} layers, {}, in {})\n", "KV cache", size, cache.layers, cache.kind, format);
  }
  return out;
}

std::string totals(const Weight& w) {
  std::string out;
  const auto line = [&](std::string_view name, const std::string& value) {
    out += fmt::format("{:<26}{}\n", name, value);
  };
  line("Params (learnable)",
       fmt::format("{}  =  {} ({})", with_commas(w.params.value()), human_bytes(w.param_bytes), w.dtype));
  if (w.buffers.value() > 0)
    line("Buffers (not trainable)",
         fmt::format("{}  =  {}; stored in all {}", with_commas(w.buffers.value()), human_bytes(w.buffer_bytes),
                     with_commas((w.params + w.buffers).value())));
  if (w.tokens.untied_params != w.params)
    line("Params, untied",
         fmt::format("{}  (shared weights counted for each layer)", with_commas(w.tokens.untied_params.value())));
  if (w.tokens.active_params != w.params)
    line("Params, active", fmt::format("{}  (used by one token: of the experts only those chosen)",
                                       with_commas(w.tokens.active_params.value())));
  line("MACs, forward",
       fmt::format("{}  (multiply-accumulates; what papers often call FLOPs)", human_count(w.macs.value())));
  line("FLOPs, forward", fmt::format("{}  (a multiply-add is two)", human_count(w.flops.value())));
  line("FLOPs, training step",
       fmt::format("{}  (forward, backward, {} update)", human_count(w.train_flops.value()), w.optimizer));
  if (w.tokens.present()) out += token_lines(w.tokens, w.dtype);
  line("Input", fmt::format("{} at batch {}", human_bytes(w.input_bytes), w.batch));
  line("Activations", fmt::format("{}  (in-place operations and views take none)", human_bytes(w.activation_bytes)));
  line("Naive space", fmt::format("{}  ({})", human_bytes(w.naive_bytes),
                                  w.mode == Mode::train ? "everything kept, each with its gradient"
                                                        : "everything kept, no gradients"));
  if (w.mode == Mode::train)
    line("Optimizer state", fmt::format("{}  ({}, {})", human_bytes(w.optimizer_bytes), w.optimizer, param_format(w)));
  return out;
}

std::string highlights(const Weight& w) {
  std::string out;
  const auto line = [&](std::string_view what, const LayerWeight* layer, const std::string& value) {
    if (layer) out += fmt::format("{:<26}{}  {}\n", what, printable(layer->name, 60), value);
  };
  const auto* heaviest = largest(w.layers, [](const auto& l) { return l.params.value(); });
  const auto* costliest = largest(w.layers, [](const auto& l) { return l.macs.value(); });
  const auto* widest = largest(w.layers, [](const auto& l) { return l.activation_bytes.value(); });
  if (heaviest)
    line("Most parameters", heaviest,
         fmt::format("{} ({})", human_count(heaviest->params.value()),
                     share(heaviest->params.value(), w.params.value())));
  if (costliest)
    line("Most MACs", costliest,
         fmt::format("{} ({})", human_count(costliest->macs.value()), share(costliest->macs.value(), w.macs.value())));
  if (widest)
    line("Most activation memory", widest,
         fmt::format("{} ({})", human_bytes(widest->activation_bytes),
                     share(widest->activation_bytes.value(), w.activation_bytes.value())));
  const LayerWeight* starved = nullptr;  // a product that is bound by memory, whatever its operations
  for (const auto& layer : w.layers)
    if (layer.macs.value() > 0 && (!starved || layer.intensity() < starved->intensity())) starved = &layer;
  if (starved)
    line("Fewest FLOPs per byte", starved,
         fmt::format("{:.2f}: {}", starved->intensity(),
                     starved->intensity() < 10 ? "bound by memory, slower than its operations say"
                                               : "enough to keep a processor busy"));
  return out;
}

std::string footer(const Weight& w) {
  std::string out;
  const Uncounted& missing = w.uncounted;
  if (!missing.unknown_ops.empty())
    out += fmt::format("Unknown operations: {} ({}). Their cost is not in the totals.\n", missing.unknown(),
                       unknown_ops_text(missing));
  if (missing.unsized > 0)
    out += fmt::format("{} operations depend on shapes that are not known and are not counted.\n", missing.unsized);
  if (w.at_most > 0)
    out += fmt::format("{} operations depend on the data; the largest size was taken (≤).\n", w.at_most);
  if (missing.unbounded > 0)
    out += fmt::format("{} operations are in loops without a known end: unbounded, one round was counted (≥).\n",
                       missing.unbounded);
  for (const auto& note : w.notes) out += "Note: " + printable(note) + "\n";
  return out;
}

}  // namespace

std::string weigh_text(const Weight& weight, const WeighView& view) {
  std::string out = fmt::format("{}  ·  batch {}  ·  {}  ·  {}\n\n", printable(weight.model, 80), weight.batch,
                                weight.dtype, weight.mode == Mode::train ? "training" : "inference");
  out += layer_table(weight, view, false).text();
  if (view.top > 0)
    out += fmt::format("({} rows of {}; the totals are of all)\n",
                       std::min<int64_t>(view.top, int64_t(weight.layers.size())),
                       grouped(weight.layers, view.depth).size());
  return out + "\n" + totals(weight) + "\n" + highlights(weight) + footer(weight);
}

std::string weigh_markdown(const Weight& weight, const WeighView& view) {
  std::string out = fmt::format("### {}, batch {}, {}\n\n", printable(weight.model, 80), weight.batch, weight.dtype);
  out += layer_table(weight, view, false).markdown() + "\n```\n" + totals(weight) + highlights(weight) +
         footer(weight) + "```\n";
  return out;
}

std::string weigh_csv(const Weight& weight, const WeighView& view) { return layer_table(weight, view, true).csv(); }

}  // namespace plimsoll
