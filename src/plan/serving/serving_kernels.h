// The kernels of a step or a prompt whose time does not follow from bytes and operations alone, added up over the
// layers: attention over the paged cache and the experts' products of vLLM (attention_kernel.h, expert_kernel.h).
#pragma once

#include <optional>

#include "plan/serving/kernel_machine.h"
#include "plan/serving/serving_memory.h"

namespace plimsoll {

// The card, where the program has these kernels on it and every layer that caches is ordinary attention.
std::optional<KernelMachine> paged_machine(const ServingSetup& setup);

// Without the kernels' starts, which ServingProfile counts for each layer. `seen`: keys of each sequence.
Seconds paged_attention_of_step(const ServingSetup& setup, const KernelMachine& machine, double seen);
// Of one sequence.
Seconds paged_attention_of_prompt(const ServingSetup& setup, const KernelMachine& machine, double tokens, double past);
// With their starts.
Seconds experts_of_step(const ServingSetup& setup, const KernelMachine& machine, double tokens);

}  // namespace plimsoll
