// TokenModel: one network of tokens, at any length and with any setup: forms, traces and works are made when they are
// first asked for and kept. Not for several threads at once.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "plan/llm/step_memory.h"
#include "plan/llm/token_time.h"

namespace plimsoll {

class TokenModel {
 public:
  // The network with samples of so many tokens.
  using Build = std::function<Result<std::shared_ptr<const Graph>>(int64_t sequence)>;

  TokenModel(std::string name, Build build) : name_(std::move(name)), build_(std::move(build)) {}

  const std::string& name() const { return name_; }

  struct Made {
    TokenForm form;
    StepTrace trace;
    TokenWork work;
  };
  Result<const Made*> at(const TrainingSetup& setup, int64_t sequence);

  Result<StepMemory> memory(const TrainingSetup& setup, int64_t sequence, int64_t batch, const Device* device,
                            std::optional<Bytes> line = std::nullopt);

  // The largest batch that needs no more than the line, at most `most`; 0: not even one sample.
  Result<int64_t> largest_batch(const TrainingSetup& setup, int64_t sequence, const Device* device, Bytes line,
                                int64_t most);

  // The longest sequence at this batch, to within half a per cent; 0: not even one of 16 tokens. A network with a table
  // of positions has no longer ones.
  Result<int64_t> longest_sequence(const TrainingSetup& setup, int64_t batch, const Device* device, Bytes line);

 private:
  Result<bool> fits(const TrainingSetup& setup, int64_t sequence, int64_t batch, const Device* device, Bytes line);

  std::string name_;
  Build build_;
  std::map<int64_t, std::shared_ptr<const Graph>> graphs_;
  std::map<std::string, std::unique_ptr<Made>> made_;
  std::map<std::string, StepMemory> memories_;  // without a context, by the workspace of the device
};

// A mistake in the setup that the network shows: heads that tensor parallelism does not divide, more stages than
// blocks, degrees that contradict each other.
Status check_degrees(const TokenForm& form, const TrainingSetup& setup);

}  // namespace plimsoll
