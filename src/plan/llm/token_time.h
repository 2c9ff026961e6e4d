// token_time: how long one device takes for a training step of a TokenWork, and what of it is communication. Products
// go by tiles and waves (gemm_time.h) at the rate that the card reaches (reachable.h), passes by their bytes; gathers,
// sums and exchanges go over the links that there are, beside the computing as far as frameworks do that.
#pragma once

#include "plan/devices/device.h"
#include "plan/llm/token_work.h"
#include "plan/time/all_reduce_time.h"

namespace plimsoll {

struct TokenTime {
  Seconds forward, backward, recompute;  // of one micro-batch on one device
  Seconds update;
  Seconds tensor_exchange, expert_exchange, context_exchange;  // within these passes: waiting for other devices
  Seconds shard_exchange;  // of parameters and gradients, as far as no computing hides it; of a whole step
  Seconds offload;         // of a step: moves to the host and what it computes, as far as nothing hides them
  Seconds bubble;          // a pipeline's first and last devices wait
  Seconds host;            // within the passes: the device waits for kernels to be started
  Seconds step;            // of everything
  double tokens = 0;       // of a step, of all devices
  double flops = 0;        // of a step, of all devices: what MFU counts
  double tokens_per_second = 0;
  std::optional<double> mfu;  // against peak × devices
  FlopsPerSecond peak;        // of one device
  DType peak_format = DType::bf16;
  std::string_view bound_by;
};

// `wiring`: of the devices of the setup's degrees. `batch`: samples of a micro-batch.
Result<TokenTime> token_time(const TokenWork& work, const TrainingSetup& setup, int64_t batch, const Device& device,
                             const Wiring& wiring);

// One operation of all blocks that are alike, on one device and in one direction.
struct TokenKernelTime {
  std::string name;  // of the first of them
  TokenKernel kernel = TokenKernel::pass;
  Phase phase = Phase::forward;
  double count = 1;             // of them
  Seconds time;                 // of all of them, of a micro-batch
  double flops = 0, bytes = 0;  // computed and moved by all of them
};

struct TokenKernels {
  FlopsPerSecond peak;
  BytesPerSecond bandwidth;
  std::vector<TokenKernelTime> kernels;
};

Result<TokenKernels> token_kernels(const TokenWork& work, const TrainingSetup& setup, int64_t batch,
                                   const Device& device, const Wiring& wiring);

}  // namespace plimsoll
