// A Weight as JSON: the keys of design.md's command-line contract, and what more there is.
#include "base/text.h"
#include "tell/report/json.h"
#include "tell/report/layer_rows.h"
#include "tell/report/lower_bound_report.h"
#include "tell/report/weigh_report.h"

namespace plimsoll {
namespace {

Json layer_json(const LayerWeight& layer, const WeighView& view) {
  Json json{{"name", printable(layer.name)}, {"op", printable(layer.op)}};
  json["output_shape"] = layer.output ? Json(layer.output->dims()) : Json();
  json["params"] = layer.params.value();
  json["buffers"] = layer.buffers.value();
  json["macs"] = layer.macs.value();
  json["flops"] = layer.flops.value();
  json["activation_bytes"] = layer.activation_bytes.value();
  json["param_bytes"] = layer.param_bytes.value();
  json["input_bytes"] = layer.input_bytes.value();
  json["output_bytes"] = layer.output_bytes.value();
  json["naive_bytes"] = layer.naive_bytes.value();
  json["moved_bytes"] = layer.moved.value();
  json["flops_per_byte"] = layer.intensity();
  json["operations"] = layer.operations.value();
  json["certainty"] = certainty_name(layer.certainty);
  if (view.units) json["rounds"] = rounds(layer.outputs, *view.units).value();
  return json;
}

// Of a network that reads text: what its users ask for first.
void add_tokens(Json& json, const Weight& w) {
  json["untied_params"] = w.tokens.untied_params.value();
  json["active_params"] = w.tokens.active_params.value();
  if (!w.tokens.present()) return;
  json["tokens"] = w.tokens.tokens;
  json["flops_per_token"] = w.tokens.flops_per_token.value();
  json["train_flops_per_token"] = w.tokens.train_flops_per_token.value();
  json["kv_bytes_per_token"] = w.tokens.cache_per_token.value();
  json["caches"] = Json::array();
  for (const auto& cache : w.tokens.caches)
    json["caches"].push_back({{"kind", cache.kind},
                              {"layers", cache.layers},
                              {"bytes_per_token", cache.per_token.value()},
                              {"fixed_bytes", cache.fixed.value()},
                              {"window", cache.window}});
  json["blocks"] = Json::array();
  for (const auto& block : by_block(w.layers))
    json["blocks"].push_back({{"name", printable(block.name)},
                              {"count", block.count},
                              {"params", block.params.value()},
                              {"macs", block.macs.value()},
                              {"flops", block.flops.value()}});
}

Json weight_json(const Weight& w, const WeighView& view) {
  Json json{{"model", printable(w.model)},
            {"batch", w.batch},
            {"dtype", w.dtype},
            {"mode", w.mode == Mode::train ? "train" : "inference"},
            {"optimizer", w.optimizer},
            {"params", w.params.value()},
            {"trainable_params", w.trainable_params.value()},
            {"buffers", w.buffers.value()},
            {"stored_numbers", (w.params + w.buffers).value()},
            {"macs", w.macs.value()},
            {"flops", w.flops.value()},
            {"train_flops", w.train_flops.value()},
            {"param_bytes", w.param_bytes.value()},
            {"buffer_bytes", w.buffer_bytes.value()},
            {"input_bytes", w.input_bytes.value()},
            {"activation_bytes", w.activation_bytes.value()},
            {"optimizer_bytes", w.optimizer_bytes.value()},
            {"naive_bytes", w.naive_bytes.value()},
            {"moved_bytes", w.moved.value()}};
  add_tokens(json, w);
  json["layers"] = Json::array();
  for (const auto& layer : layer_rows(w, view)) json["layers"].push_back(layer_json(layer, view));
  json["unknown_ops"] = unknown_ops_json(w.uncounted);
  json["uncounted_operations"] = w.uncounted.unsized;
  json["at_most_operations"] = w.at_most;
  json["unbounded_operations"] = w.uncounted.unbounded;
  json["notes"] = Json::array();
  for (const auto& note : w.notes) json["notes"].push_back(printable(note));
  return json;
}

}  // namespace

Json weigh_document(const Weight& weight, const WeighView& view) {
  Json document{{"schema", "plimsoll.weigh/1"}};
  document.update(weight_json(weight, view));
  return document;
}

std::string weigh_json(const Weight& weight, const WeighView& view) { return json_text(weigh_document(weight, view)); }

std::string compare_json(const std::vector<Weight>& weights, const WeighView& view,
                         const std::vector<Training>& trainings) {
  Json document{{"schema", "plimsoll.weigh/1"}, {"models", Json::array()}};
  for (size_t i = 0; i < weights.size(); ++i) {
    Json json = weight_json(weights[i], view);
    if (!trainings.empty()) {
      json["epochs"] = trainings[i].epochs;
      json["epoch_seconds"] = trainings[i].epoch.value;
      json["total_seconds"] = trainings[i].total().value;
    }
    document["models"].push_back(std::move(json));
  }
  if (!trainings.empty()) document["first_done"] = printable(weights[first_done(trainings)].model);
  return json_text(document);
}

}  // namespace plimsoll
