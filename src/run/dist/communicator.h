// Communicator: how the workers of a run talk. One process is a rank among `size`; every call but rank(), size() and
// host() is collective: all ranks make it, in the same order, and it returns when its part is done.
//
// `single` is a run of one worker: everything is there already. `mpi` is many, started by mpirun or srun. Of one
// communicator one thread at a time may call; duplicate() makes another for another thread.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace plimsoll {

class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual const std::string& host() const = 0;
  bool first() const { return rank() == 0; }
  bool alone() const { return size() == 1; }

  // The sum over all ranks, in place, the same bits on every rank.
  virtual void sum(std::span<float> numbers) = 0;
  virtual void sum(std::span<double> numbers) = 0;

  // What rank `from` holds.
  virtual void broadcast(std::span<std::byte> bytes, int from = 0) = 0;

  // What each rank brought, by rank; of any lengths.
  virtual std::vector<std::string> gather(const std::string& mine) = 0;

  // Part i of `mine` goes to rank i; `theirs` is what came for this one. Both have an equal part for each rank.
  virtual void deal(std::span<const std::byte> mine, std::span<std::byte> theirs) = 0;
  // What each rank brought, as much of each, by rank.
  virtual void collect(std::span<const std::byte> mine, std::span<std::byte> all) = 0;

  virtual void barrier() = 0;

  // For a thread of its own.
  virtual std::unique_ptr<Communicator> duplicate() = 0;

  // Ends all ranks, now.
  [[noreturn]] virtual void abort(int exit_code) = 0;

  // What rank 0 says, whatever the others thought.
  bool as_first_says(bool mine);
  std::string as_first_says(std::string mine);
  // `mine`, or the error of the lowest rank that has one, with its rank and host where the others are well.
  Status together(const Status& mine);
};

std::unique_ptr<Communicator> single_communicator();

// All that MPI has started. An Error when this program was built without it, or it cannot begin. To be called once.
Result<std::unique_ptr<Communicator>> mpi_communicator();
bool built_with_mpi();

// Under mpirun or srun: this process is one of several that were started together.
bool started_by_mpi();

}  // namespace plimsoll
