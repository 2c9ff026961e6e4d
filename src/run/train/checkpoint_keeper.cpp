#include "run/train/checkpoint_keeper.h"

#include <fmt/format.h>

namespace plimsoll {

Status CheckpointKeeper::save(CheckpointKind kind, const TrainingState& state) {
  PLIM_TRY(crew_.check_same_weights(state.step));
  const bool saved = crew_.communicator().as_first_says(!setup_.directory || write(kind, state).ok());
  if (kind == CheckpointKind::last) {
    saved_ = saved;
    if (saved) {
      saved_step_ = state.step;
      saved_epoch_ = state.epoch;
    }
    tried_ = std::chrono::steady_clock::now();
  }
  return {};
}

Status CheckpointKeeper::write(CheckpointKind kind, const TrainingState& state) {
  Status saved = save_checkpoint(setup_.directory->path(), kind, *setup_.step, state, setup_.config);
  if (saved.ok()) {
    log_.event("checkpoint", {{"step", state.step}, {"kind", name_of(kind)}});
    return saved;
  }
  log_.event("checkpoint_failed", {{"step", state.step}, {"why", saved.error().line()}});
  watcher_.message(
      fmt::format("checkpoint not saved: {}; the one before it is kept and training goes on", saved.error().line()));
  return saved;
}

Result<std::optional<TrainingState>> CheckpointKeeper::load(CheckpointKind kind) {
  std::optional<TrainingState> state;
  const auto read = [&]() -> Status {
    PLIM_ASSIGN(const auto checkpoint, read_checkpoint(setup_.directory->path(), kind));
    if (!checkpoint) return {};
    PLIM_TRY(load_tensors(*checkpoint, *setup_.step));
    state = checkpoint->state;
    return {};
  };
  PLIM_TRY(crew_.communicator().together(setup_.directory ? read() : Status()));
  if (crew_.alone()) return state;
  const std::string text = crew_.communicator().as_first_says(state ? to_json(*state).dump() : "");
  if (text.empty()) return std::optional<TrainingState>();
  crew_.take_weights_of_first();
  PLIM_ASSIGN(state, read_training_state(nlohmann::ordered_json::parse(text)));
  return state;
}

Seconds CheckpointKeeper::since() const {
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - tried_).count()};
}

}  // namespace plimsoll
