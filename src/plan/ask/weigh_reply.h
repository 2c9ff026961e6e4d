// What weigh answers, key by key.
#pragma once

#include "base/rows/reply.h"
#include "base/text.h"
#include "plan/ask/lower_bound_reply.h"
#include "plan/ask/step_request.h"
#include "plan/ask/weigh_request.h"

namespace plimsoll {

inline constexpr std::string_view kWeighSchema = "plimsoll.weigh/1";

struct LayerReply {
  LayerWeight layer;
  std::optional<int64_t> units;
};
inline std::string_view schema_name(const LayerReply*) { return "Layer"; }

template <class V>
void describe(V& row, const LayerReply* r) {
  row("name", "of the layer, or of a group of layers", [=] { return printable(r->layer.name); });
  row("op", "the operation", [=] { return printable(r->layer.op); });
  row("output_shape", "of the (last) operation; null where it is not known",
      [=] { return OrNull{r->layer.output ? std::optional(r->layer.output->dims()) : std::nullopt}; });
  row("params", "learnable numbers that this layer is the first to read", [=] { return r->layer.params; });
  row("buffers", "other stored numbers", [=] { return r->layer.buffers; });
  row("macs", "multiply-accumulates, forward", [=] { return r->layer.macs; });
  row("flops", "arithmetic operations, forward; a multiply-add is two", [=] { return r->layer.flops; });
  row("activation_bytes", "memory of its outputs", [=] { return r->layer.activation_bytes; });
  row("param_bytes", "of its parameters", [=] { return r->layer.param_bytes; });
  row("input_bytes", "of what it reads that is no parameter", [=] { return r->layer.input_bytes; });
  row("output_bytes", "of what it writes", [=] { return r->layer.output_bytes; });
  row("naive_bytes", "everything kept", [=] { return r->layer.naive_bytes; });
  row("moved_bytes", "read and written", [=] { return r->layer.moved; });
  row("flops_per_byte", "arithmetic intensity", [=] { return r->layer.intensity(); });
  row("operations", "more than 1 for a group of layers", [=] { return r->layer.operations; });
  row("certainty", "exact, at most, unbounded or unknown", [=] { return certainty_name(r->layer.certainty); });
  row("rounds", "that the units asked for need for its outputs",
      [=] { return r->units ? std::optional(rounds(r->layer.outputs, *r->units)) : std::nullopt; });
}

inline std::string_view schema_name(const CacheWeight*) { return "Cache"; }

template <class V>
void describe(V& row, const CacheWeight* c) {
  row("kind", "of layer", [=] { return c->kind; });
  row("layers", "that keep one", [=] { return c->layers; });
  row("bytes_per_token", "", [=] { return c->per_token; });
  row("fixed_bytes", "whatever the length", [=] { return c->fixed; });
  row("window", "tokens that are kept; 0: all", [=] { return c->window; });
}

inline std::string_view schema_name(const BlockWeight*) { return "Block"; }

template <class V>
void describe(V& row, const BlockWeight* b) {
  row("name", "", [=] { return printable(b->name); });
  row("count", "of equal ones", [=] { return b->count; });
  row("params", "", [=] { return b->params; });
  row("macs", "", [=] { return b->macs; });
  row("flops", "", [=] { return b->flops; });
}

struct WeightReply {
  const Weight* weight;
  WeighView view;
  std::optional<Training> training;
};
inline std::string_view schema_name(const WeightReply*) { return "Weight"; }

template <class V>
void describe(V& row, const WeightReply* r) {
  row("model", "the network", [=] { return printable(r->weight->model); });
  row("batch", "samples a step", [=] { return r->weight->batch; });
  row("dtype", "number format", [=] { return r->weight->dtype; });
  row("mode", "training or inference", [=] { return r->weight->mode; });
  row("optimizer", "whose state is counted", [=] { return r->weight->optimizer; });
  row("params", "learnable numbers", [=] { return r->weight->params; });
  row("trainable_params", "those that a training step changes", [=] { return r->weight->trainable_params; });
  row("buffers", "the rest that is stored: batch-norm statistics", [=] { return r->weight->buffers; });
  row("stored_numbers", "parameters and buffers", [=] { return r->weight->params + r->weight->buffers; });
  row("macs", "multiply-accumulates of convolutions and matrix products, forward", [=] { return r->weight->macs; });
  row("flops", "arithmetic operations, forward; a multiply-add is two", [=] { return r->weight->flops; });
  row("train_flops", "of one training step: forward, backward, update", [=] { return r->weight->train_flops; });
  row("param_bytes", "of the parameters", [=] { return r->weight->param_bytes; });
  row("buffer_bytes", "of the buffers", [=] { return r->weight->buffer_bytes; });
  row("input_bytes", "of the inputs", [=] { return r->weight->input_bytes; });
  row("activation_bytes", "of all layers' outputs", [=] { return r->weight->activation_bytes; });
  row("optimizer_bytes", "of the optimizer's state", [=] { return r->weight->optimizer_bytes; });
  row("naive_bytes", "everything kept", [=] { return r->weight->naive_bytes; });
  row("moved_bytes", "read and written, forward", [=] { return r->weight->moved; });
  const auto of_text = [=](auto value) {  // of a network that reads text
    return r->weight->tokens.present() ? std::optional(value) : std::nullopt;
  };
  row("untied_params", "tied ones counted as often as they are read", [=] { return r->weight->tokens.untied_params; });
  row("active_params", "that one token passes through", [=] { return r->weight->tokens.active_params; });
  row("tokens", "of a sample", [=] { return of_text(r->weight->tokens.tokens); });
  row("flops_per_token", "forward", [=] { return of_text(r->weight->tokens.flops_per_token); });
  row("train_flops_per_token", "", [=] { return of_text(r->weight->tokens.train_flops_per_token); });
  row("kv_bytes_per_token", "of the caches of all layers", [=] { return of_text(r->weight->tokens.cache_per_token); });
  row("caches", "by kind of layer", [=] { return of_text(r->weight->tokens.caches); });
  row("blocks", "stacks of equal blocks", [=] { return of_text(by_block(r->weight->layers)); });
  row("layers", "in the order and grouping asked for", [=] {
    std::vector<LayerReply> layers;
    for (auto& layer : layer_rows(*r->weight, r->view)) layers.push_back({std::move(layer), r->view.units});
    return layers;
  });
  row("unknown_ops", "operations that are not known and not counted",
      [=] { return unknown_ops(r->weight->uncounted); });
  row("uncounted_operations", "known, on shapes that are not known", [=] { return r->weight->uncounted.unsized; });
  row("at_most_operations", "whose cost is the largest that it can be", [=] { return r->weight->at_most; });
  row("unbounded_operations", "in loops without a known end, counted once",
      [=] { return r->weight->uncounted.unbounded; });
  row("notes", "", [=] {
    std::vector<std::string> notes;
    for (const auto& note : r->weight->notes) notes.push_back(printable(note));
    return notes;
  });
  row("epochs", "until the result, as given",
      [=] { return r->training ? std::optional(r->training->epochs) : std::nullopt; });
  row("epoch_seconds", "as given", [=] { return r->training ? std::optional(r->training->epoch) : std::nullopt; });
  row("total_seconds", "to the result",
      [=] { return r->training ? std::optional(r->training->total()) : std::nullopt; });
}

// Several networks side by side.
struct ComparisonReply {
  const WeighOutcome* outcome;
};
inline std::string_view schema_name(const ComparisonReply*) { return "WeighComparison"; }

template <class V>
void describe(V& row, const ComparisonReply* r) {
  row("models", "one entry a network", [=] {
    std::vector<WeightReply> list;
    const auto& [view, weights, trainings] = *r->outcome;
    for (size_t i = 0; i < weights.size(); ++i)
      list.push_back({&weights[i], view, trainings.empty() ? std::nullopt : std::optional(trainings[i])});
    return list;
  });
  row("first_done", "the network whose training is over first", [=] {
    const auto& trainings = r->outcome->trainings;
    return trainings.empty() ? std::nullopt
                             : std::optional(printable(r->outcome->weights[first_done(trainings)].model));
  });
}

inline Json weigh_json(const WeighOutcome& outcome) {
  if (outcome.weights.size() == 1)
    return document_json(kWeighSchema, WeightReply{&outcome.weights[0], outcome.view, std::nullopt});
  return document_json(kWeighSchema, ComparisonReply{&outcome});
}

}  // namespace plimsoll
