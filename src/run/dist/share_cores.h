// The cores of a machine, shared by the workers on it: each gets neighbours of its own, none less than one core. Where
// somebody (mpirun, srun) has bound the workers already, that stays.
#pragma once

#include <string>

#include "run/dist/communicator.h"

namespace plimsoll {

struct CoreShare {
  int threads = 1;        // that this worker should use
  int local_workers = 1;  // on this machine
  int local_number = 0;   // of this worker among them
  double turns = 1;       // as turns_of() has it
  std::string note;       // a sentence when there are more workers than cores
};

// Binds this process and all threads that it starts from now on. Collective.
CoreShare share_cores(Communicator& communicator);

// How many times as long a worker takes because others have its core in between: 1 where each has one of its own.
double turns_of(int cores, int workers);

// Which of `cores` places worker `number` of `workers` gets: from, to. All of them when there are fewer than workers.
struct Range {
  int from = 0, to = 0;
};
Range share_of(int cores, int workers, int number);

}  // namespace plimsoll
