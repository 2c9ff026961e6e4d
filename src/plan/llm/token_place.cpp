#include "plan/llm/token_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "plan/verdict/load_line.h"
#include "plan/verdict/rental.h"

namespace plimsoll {
namespace {

// Larger micro-batches gain nothing once products are large.
constexpr int64_t kMostTokensAtOnce = 65'536;

std::vector<TrainingSetup> plans_of(const TokenJob& job, int64_t workers) {
  std::vector<TrainingSetup> plans;
  TrainingSetup setup = job.setup;
  setup.degrees.workers = workers;
  std::vector<Shard> shards{setup.shard};
  if (job.chooses_shard && setup.degrees.data() > 1 && !setup.degrees.within_model())
    shards = {Shard::none, Shard::zero2, Shard::fsdp};
  std::vector<Checkpointing> checkpoints{setup.checkpointing};
  if (job.chooses_checkpointing) checkpoints = {Checkpointing::none, Checkpointing::selective, Checkpointing::full};
  for (const Shard shard : shards)
    for (const Checkpointing checkpointing : checkpoints) {
      setup.shard = shard;
      setup.checkpointing = checkpointing;
      plans.push_back(setup);
    }
  return plans;
}

bool is_better(const TokenPlacement& a, const TokenPlacement& b) {
  if (a.fits != b.fits) return a.fits;
  if (!a.fits) return a.memory.needed() < b.memory.needed();
  return a.time.tokens_per_second > b.time.tokens_per_second;
}

}  // namespace

Result<TokenPlacement> token_plan(const TokenJob& job, const TrainingSetup& setup, const Candidate& device,
                                  const Wiring& wiring, int64_t most) {
  TokenPlacement placement;
  placement.device = device;
  placement.setup = setup;
  PLIM_ASSIGN(const TokenModel::Made* made, job.model->at(setup, job.sequence));
  PLIM_TRY(check_degrees(made->form, setup));
  const bool known = device.part.memory.has_value();
  const Bytes line = known ? bytes_under_line(*device.part.memory, job.load_line) : Bytes(Bytes::kOverflow - 1);
  std::vector<int64_t> batches{job.batch.value_or(1)};
  if (!job.batch) {
    PLIM_ASSIGN(const int64_t largest, job.model->largest_batch(setup, job.sequence, &device.part, line, most));
    for (int64_t batch = 2; batch < largest; batch *= 2) batches.push_back(batch);
    if (largest > 1) batches.push_back(largest);
    placement.fits = largest > 0;
  }
  for (const int64_t batch : batches) {
    PLIM_ASSIGN(const TokenTime time, token_time(made->work, setup, batch, device.part, wiring));
    if (placement.batch > 0 && time.tokens_per_second <= placement.time.tokens_per_second) continue;
    placement.time = time;
    placement.batch = batch;
  }
  PLIM_ASSIGN(placement.memory, job.model->memory(setup, job.sequence, placement.batch, &device.part));
  if (job.batch) placement.fits = placement.memory.needed() <= line;
  if (!placement.fits)
    placement.why_not =
        fmt::format("{} × {} tokens need {}, {} past the line", placement.batch, job.sequence,
                    human_bytes(placement.memory.needed()), human_bytes(placement.memory.needed() - line));
  return placement;
}

void add_cost(const TokenJob& job, TokenPlacement& placement) {
  placement.total = {job.tokens / placement.time.tokens_per_second};
  const int64_t workers = placement.setup.degrees.workers, count = placement.device.count;
  if (job.price) {
    placement.price = HourlyPrice{*job.price, true, "as given"};
    placement.devices_paid = double((workers + count - 1) / count);
  } else if (const auto rental = rental_of(placement.device.whole, count, workers)) {
    placement.price = rental->price;
    placement.devices_paid = double(rental->times(workers));
  }
  if (!placement.price) return;
  const DollarsPerHour price{placement.price->price.value * placement.devices_paid};
  placement.cost = cost_of(placement.total, price);
  placement.per_million = cost_of({1e6 / placement.time.tokens_per_second}, price);
}

Result<TokenPlacement> token_place(const TokenJob& job, const Candidate& device, const Wiring& wiring) {
  const int64_t workers = job.setup.degrees.workers > 0 ? job.setup.degrees.workers : device.count;
  const int64_t most = std::max<int64_t>(1, kMostTokensAtOnce / std::max<int64_t>(1, job.sequence));
  std::optional<TokenPlacement> best;
  std::optional<Error> error;
  const auto try_all = [&](std::vector<TrainingSetup> plans, LogitsKind logits) {
    for (TrainingSetup& setup : plans) {
      setup.logits = logits;
      auto placement = token_plan(job, setup, device, wiring, most);
      if (!placement.ok()) {
        if (!error) error = std::move(placement).error();
        continue;
      }
      if (!best || is_better(*placement, *best)) best = *std::move(placement);
    }
  };
  try_all(plans_of(job, workers), job.setup.logits);
  if (best && !best->fits && job.chooses_logits) try_all(plans_of(job, workers), LogitsKind::chunked);
  if (!best) return *std::move(error);
  add_cost(job, *best);
  return *std::move(best);
}

}  // namespace plimsoll
