// token_fit: does a training of a network of tokens stay under the load line, on one device of those that share it; the
// largest micro-batch and the longest sequence that do, what takes the memory, what would carry more and at what cost
// in time. "Does not fit" is an answer.
#pragma once

#include "plan/llm/token_model.h"

namespace plimsoll {

inline constexpr int64_t kMostTokenSamples = 65'536;  // of a micro-batch

struct TokenQuestion {
  TokenModel* model = nullptr;
  TrainingSetup setup;
  int64_t sequence = 0;
  std::optional<Device> device;
  Bytes memory;  // of one device
  double load_line = 0;
  std::optional<int64_t> batch;  // micro-batch of a device
  bool alternatives = true;
  bool says_sequence = true;  // look for the longest too
  bool says_step = false;     // operation by operation
  Wiring wiring;              // of the setup's devices
};

struct TokenAlternative {
  std::string change;
  TrainingSetup setup;
  bool fits = false;  // with the batch and the sequence that were asked for
  int64_t batch = 0;  // the largest micro-batch
  Bytes needed;       // of the batch that was asked for, else of the largest; of one sample where none fits
  std::optional<double> slowdown;  // time of a token on the same devices, against the present way
  int64_t devices = 1;
  std::optional<double> tokens_per_second;  // of all devices
};

// The step operation by operation: the memory in order, the times by what is alike.
struct TokenStep {
  std::vector<TokenMoment> moments;
  std::optional<TokenKernels> kernels;  // absent where the device's speed is not known
};

struct TokenFitAnswer {
  TrainingSetup setup;
  int64_t sequence = 0, batch = 0;  // what was asked for, else the largest, else one sample
  bool asked = false, fits = false;
  int64_t largest = 0, longest = 0;
  StepMemory memory;
  std::optional<Bytes> kept;  // from the forward to the backward pass, where one device keeps all of it
  Bytes line, shortfall, smallest_memory;
  double params = 0, trained = 0;
  std::optional<TokenTime> time;
  std::optional<TokenStep> step;               // where it was asked for
  std::vector<TokenAlternative> alternatives;  // those that fit first, the quickest first
  std::vector<std::string> notes;
};

Result<TokenFitAnswer> token_fit(const TokenQuestion& question);

}  // namespace plimsoll
