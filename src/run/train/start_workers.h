// train on many workers: the process that is started by the user starts them, watches over them and trains nothing
// itself.
#pragma once

#include <functional>

#include "run/train/train_request.h"

namespace plimsoll {

// Where workers' words go. Both are called on threads of their own.
struct WorkersShown {
  std::function<void(const std::string& sentence)> say;
  std::function<void(const std::string& text)> pass;  // what workers print on standard error, as it comes
  bool terminal = false;                              // it is shown on one
};

// nullopt: this process trains by itself, alone or as one of several that mpirun has started.
Result<std::optional<int>> start_workers(const TrainRequest& request, const WorkersShown& shown);

// This process is a worker whose standard error the process that started it shows on a terminal.
bool is_shown_on_terminal();

// How many workers "a:4,b:4" has room for.
Result<int> room_on(const std::string& hosts);

}  // namespace plimsoll
