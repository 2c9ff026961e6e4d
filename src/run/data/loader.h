// Loader: a dataset in batches, read ahead by worker threads.
//
// It owns `depth` batch buffers, allocated once; workers fill them in order, each a few samples at a time, straight
// into the batch. Which samples a batch has follows from seed, epoch and the batch's number alone: the number of
// workers changes nothing, and starting in the middle of an epoch gives what would have come. To be used from one
// thread.
//
// Where several processes share a set, all have the same order, and each takes every n-th batch of it: none
// twice, none left out. With `drop_last` all have the same number of full batches, and what is left over at the end of
// the order, fewer samples than one batch for each, is not used in that epoch; without it some may have one batch less.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "run/data/dataset.h"

namespace plimsoll {

struct BadSamples {
  bool skip = false;   // else the first one is an error
  int64_t most = 100;  // skipped in one epoch; more are an error
};

struct LoaderOptions {
  int64_t batch = 1;
  int workers = 1;  // 0: next() loads by itself
  uint64_t seed = 0;
  bool shuffle = false;
  bool drop_last = false;     // every batch is full: what is left over at the end is not used
  int depth = 2;              // batches in memory, the one being used included
  int share = 0, shares = 1;  // of several workers: batch n of this one is n * shares + share of all
  bool in_turn = false;       // with drop_last: all take one share, each epoch the next; `shares` epochs are a pass
  BadSamples bad;
};

struct Batch {
  std::span<const std::byte> inputs;  // of a whole batch; zeros past `samples`, as the labels
  std::span<const int64_t> labels;
  int64_t samples = 0;
  int64_t first = 0;  // the place of its first sample in the epoch's order, of all workers
};

inline constexpr int kMostLoaderWorkers = 256, kMostDepth = 64;

class Loader {
 public:
  static Result<std::unique_ptr<Loader>> make(DatasetPtr dataset, const LoaderOptions& options);
  ~Loader();
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  // What make() would take, without making it.
  static Bytes memory_of(const Dataset& dataset, const LoaderOptions& options);

  // Begins an epoch, at once or anew; an error when a file changed since the dataset was opened.
  Status start(int64_t epoch, int64_t first_batch = 0);

  // The next batch, good until the next call; nullopt when the epoch is over. An error comes at its sample's place, and
  // again at every call after it.
  Result<std::optional<Batch>> next();

  // What the next call of next() will give, as far as it is certain before: nothing of a batch that is not full, or
  // has bad samples. Waits like next(); what that has given before stays good, too.
  std::optional<Batch> ahead();

  const Dataset& dataset() const;
  const LoaderOptions& options() const;
  int64_t batches() const;  // in an epoch, of this share
  Bytes memory() const;     // batch buffers and what workers work in

  // Of this epoch so far. A skipped sample is left out of its batch; where every batch must be full its place is taken
  // by the sample that follows it in the set.
  int64_t skipped() const;
  const std::vector<std::string>& skipped_lines() const;  // the first few, with their files
  Seconds waited() const;                                 // time that next() spent waiting for workers

 private:
  class Work;
  explicit Loader(std::unique_ptr<Work> work);
  std::unique_ptr<Work> work_;
};

}  // namespace plimsoll
