// adapt: the forward pass of a network with what a Tuning adds to it: adapters beside the layers that it names, as real
// operations, so that costs, kept tensors and gradients follow from them; parameters that rest become buffers.
#pragma once

#include "model/ir/program.h"
#include "plan/llm/training_setup.h"

namespace plimsoll {

// `forward`: bound to one sample. An Error where no layer has the names that the tuning asks for.
Status adapt(Program& forward, const Tuning& tuning, const TrainingHabits& habits);

// Parameters that adapt() added have names with this in them.
inline constexpr std::string_view kAdapter = ".lora_";

}  // namespace plimsoll
