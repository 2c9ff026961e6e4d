// Checkpoint: all that a run needs to go on, or a network to be used: NAME.json (state, configuration, checksum) and
// the safetensors file that it names.
//
// The JSON is what counts: it is renamed into its place after the tensors are on the disk under a name of their own,
// and only then are the tensors before them removed. So a kill at any moment leaves the old checkpoint or the new one,
// whole.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "run/exec/executor.h"
#include "run/train/safetensors.h"
#include "run/train/training_state.h"

namespace plimsoll {

// last: to go on with; everything that stays from step to step. best: to be used; without the optimizer's state.
enum class CheckpointKind { last, best };
std::string_view name_of(CheckpointKind kind);

struct Checkpoint {
  std::string path;          // of the JSON
  std::string tensors_path;  // beside it
  int64_t tensors_bytes = 0;
  uint32_t checksum = 0;  // CRC-32 of the tensors' file
  CheckpointKind kind = CheckpointKind::last;
  TrainingState state;
  nlohmann::ordered_json config;
};

// What a checkpoint of this program takes on the disk; while it is saved, the one before it is there as well.
Bytes checkpoint_bytes(const Program& program, CheckpointKind kind);

// Takes no memory beyond the executor's scratch. After an Error the checkpoint that was there still is.
Status save_checkpoint(const std::string& folder, CheckpointKind kind, Executor& executor, const TrainingState& state,
                       const nlohmann::ordered_json& config);

// PATH is a run's folder (its best checkpoint, else its last), a checkpoint's .json or its .safetensors.
Result<Checkpoint> read_checkpoint(const std::string& path);
// nullopt when the folder has none of this kind.
Result<std::optional<Checkpoint>> read_checkpoint(const std::string& folder, CheckpointKind kind);

// The text of a checkpoint's .json; its tensors are beside `path` and not looked at.
Result<Checkpoint> parse_checkpoint(const std::string& path, std::string_view text);

// The tensors' file, whole and unchanged: its checksum has been compared.
Result<SafetensorsReader> open_tensors(const Checkpoint& checkpoint);

// Fills whatever the executor's program stores. Tensors that it does not have, of another shape or too few, are an
// Error that names the first; the optimizer's state is left out where the program keeps none.
Status load_tensors(const Checkpoint& checkpoint, Executor& executor);

// Removes what a killed run left behind: unfinished files, and tensors that no checkpoint names.
void sweep_leftovers(const std::string& folder);

// Values that stay from step to step, each once: parameters, buffers and, for `last`, the optimizer's state.
std::vector<ValueId> stored_values(const Program& program, CheckpointKind kind);

}  // namespace plimsoll
