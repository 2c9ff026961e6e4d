// Before the first step all workers must mean the same run. Each brings what it was started with, by name; the first
// difference to rank 0 is an Error that names it, on every rank.
#pragma once

#include <nlohmann/json.hpp>

#include "run/dist/communicator.h"
#include "run/exec/executor.h"

namespace plimsoll {

// `mine`: an object of names and values. Collective.
Status agree(Communicator& communicator, const nlohmann::ordered_json& mine);

// What a step is: its operations, in order, the sizes that values have in memory, and how convolutions are computed.
std::string plan_identity(const Lowered& step, const MemoryPlan& plan);

// Of the program file that runs: another build may compute otherwise.
std::string build_identity();

}  // namespace plimsoll
