#include "run/train/trained_network.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/rows/named.h"
#include "base/text.h"
#include "model/ir/bind.h"
#include "model/zoo/all_models.h"
#include "run/train/checkpoint.h"
#include "run/train/checkpoint_weights.h"
#include "run/train/initial_weights.h"
#include "run/train/request_of_run.h"

namespace plimsoll {
namespace {

// Those of the one where it has them, else of the other.
class FirstOf : public Weights {
 public:
  FirstOf(std::unique_ptr<Weights> one, std::unique_ptr<Weights> other)
      : one_(std::move(one)), other_(std::move(other)) {}

  bool has(const std::string& name) const override { return one_->has(name) || other_->has(name); }
  Status read(const std::string& name, int64_t first, std::span<float> into) const override {
    return (one_->has(name) ? *one_ : *other_).read(name, first, into);
  }

 private:
  std::unique_ptr<Weights> one_, other_;
};

Result<TrainedNetwork> load_checkpoint(const std::string& path) {
  PLIM_ASSIGN(const Checkpoint checkpoint, read_checkpoint(path));
  PLIM_ASSIGN(const TrainRequest request, request_of_run(checkpoint));
  auto loaded = load_model(request.model);
  if (!loaded.ok()) return std::move(loaded).error().in(printable(checkpoint.path, 200));
  PLIM_ASSIGN(SafetensorsReader reader, open_tensors(checkpoint));
  auto weights = std::make_unique<CheckpointWeights>(std::move(reader));
  PLIM_ASSIGN(const Program program, bind(loaded->graph, {}));
  auto status = weights->check(program);
  if (!status.ok()) return std::move(status).error().in(printable(checkpoint.tensors_path, 200));
  PLIM_ASSIGN(NetworkNotes notes, notes_of_run(checkpoint, request));
  return TrainedNetwork{std::move(loaded->graph), std::move(weights), "checkpoint", std::move(notes)};
}

}  // namespace

bool is_checkpoint_name(const std::string& model) {
  if (find_model(model)) return false;
  std::error_code error;
  return model.ends_with(".json") || model.ends_with(".safetensors") || std::filesystem::is_directory(model, error);
}

Result<TrainedNetwork> load_trained(const ModelRequest& request, uint64_t seed) {
  if (is_checkpoint_name(request.source.name)) {
    if (request.input || request.classes)
      return user_error(
          fmt::format("{} and {} are for networks that are not trained yet", named("input"), named("classes")),
          "a run's own are in its configuration");
    return load_checkpoint(request.source.name);
  }
  PLIM_ASSIGN(ImportedNetwork loaded, load_model(request));
  PLIM_ASSIGN(const Program program, bind(loaded.graph, {}));
  std::unique_ptr<Weights> weights = std::make_unique<InitialWeights>(program, seed);
  const bool stored = loaded.weights != nullptr;
  if (stored) weights = std::make_unique<FirstOf>(std::move(loaded.weights), std::move(weights));
  NetworkNotes notes;
  if (stored) {
    PLIM_ASSIGN(notes, notes_in_file(request.source.name));
  }
  return TrainedNetwork{std::move(loaded.graph), std::move(weights), stored ? "file" : "fresh", std::move(notes)};
}

}  // namespace plimsoll
