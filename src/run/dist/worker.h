// Worker: this process's place in a run: the communicator, its share of the machine's cores, and its pulse. A run that
// nobody else takes part in has the single communicator and no pulse.
#pragma once

#include <functional>
#include <memory>

#include "run/dist/communicator.h"
#include "run/dist/pulse.h"
#include "run/dist/share_cores.h"
#include "run/dist/watch.h"

namespace plimsoll {

class Worker {
 public:
  struct Notices {
    std::function<void(bool interrupted)> stop;         // the run should end after its step; on another thread
    std::function<void(const std::string& line)> lost;  // why this process is about to end; on another thread
  };
  static Result<Worker> join(Seconds silence, Notices notices);
  Worker(Worker&&) noexcept;
  Worker& operator=(Worker&&) noexcept;
  ~Worker();

  Communicator& communicator() { return *communicator_; }
  const CoreShare& cores() const { return cores_; }
  int gpu() const { return gpu_; }         // how many after the first one its GPU is
  Pulse* pulse() { return pulse_.get(); }  // nullptr: nobody watches

  // The last word: what the process ends with. Under a process that started the workers it hears the code itself, and
  // what is returned for mpirun is 0, so that mpirun has nothing to say.
  int leave(int exit_code);
  // For an error of this rank alone: it is said once, and all ranks end.
  [[noreturn]] void fail(const Error& error);

 private:
  class OwnWatch;
  Worker();

  std::unique_ptr<OwnWatch> watch_;
  std::unique_ptr<Communicator> communicator_;
  CoreShare cores_;
  int gpu_ = 0;
  std::unique_ptr<Pulse> pulse_;
  bool launched_ = false;  // by a process of ours
};

}  // namespace plimsoll
