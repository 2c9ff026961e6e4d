#include "plan/llm/token_search.h"

#include <algorithm>

#include "plan/verdict/load_line.h"

namespace plimsoll {
namespace {

constexpr int64_t kLongContext = 16'384;  // tokens from which on a sequence is worth dividing
constexpr int64_t kMostStages = 64, kMostContext = 16;

std::vector<int64_t> powers(int64_t most) {
  std::vector<int64_t> numbers;
  for (int64_t n = 1; n <= most; n *= 2) numbers.push_back(n);
  return numbers;
}

class Search {
 public:
  Search(const TokenJob& job, const Candidate& device, const Wiring& wiring, int64_t workers,
         const SearchLimits& limits)
      : job_(job), device_(device), wiring_(wiring), workers_(workers), limits_(limits) {}

  Result<TokenSearch> run() {
    PLIM_ASSIGN(const TokenModel::Made* made, job_.model->at(job_.setup, job_.sequence));
    const TokenForm& form = made->form;
    const Degrees& asked = job_.setup.degrees;
    const auto tensors = asked.tensor > 1 ? std::vector{asked.tensor} : powers(std::min<int64_t>(wiring_.per_node, 8));
    const auto stages =
        asked.pipeline > 1 ? std::vector{asked.pipeline} : powers(std::min<int64_t>(form.blocks, kMostStages));
    const auto contexts =
        asked.context > 1 ? std::vector{asked.context} : powers(job_.sequence >= kLongContext ? kMostContext : 1);
    const auto experts = asked.expert > 1 ? std::vector{asked.expert} : powers(std::max<int64_t>(1, form.experts));
    for (const int64_t tensor : tensors)
      for (const int64_t stage : stages)
        for (const int64_t context : contexts)
          for (const int64_t expert : experts) {
            Degrees degrees{workers_, tensor, stage, context, expert, wiring_.per_node};
            if (workers_ % (tensor * stage * context) == 0) PLIM_TRY(try_degrees(degrees, form));
          }
    sort();
    return std::move(found_);
  }

 private:
  Status try_degrees(const Degrees& degrees, const TokenForm& form) {
    std::vector<Shard> shards{job_.setup.shard};
    if (job_.chooses_shard) {
      shards = {Shard::none};
      if (degrees.data() > 1) shards = {Shard::none, Shard::zero1, Shard::fsdp};
      if (degrees.data() > 1 && degrees.within_model()) shards = {Shard::zero1, Shard::fsdp};
      if (degrees.pipeline > 1 && shards.back() == Shard::fsdp) shards.pop_back();
    }
    std::vector<Checkpointing> checkpoints{job_.setup.checkpointing};
    if (job_.chooses_checkpointing) checkpoints = {Checkpointing::none, Checkpointing::selective, Checkpointing::full};
    for (const Shard shard : shards) {
      TrainingSetup setup = job_.setup;
      setup.degrees = degrees;
      setup.shard = shard;
      if (!check_degrees(form, setup).ok()) continue;
      for (const Checkpointing checkpointing : checkpoints) {
        setup.checkpointing = checkpointing;
        PLIM_TRY(try_plan(setup));
      }
    }
    return {};
  }

  // Micro-batches of a copy: as many as fill the global batch, at least one for each stage.
  int64_t micro_batches(const TrainingSetup& setup, int64_t batch) const {
    const double tokens = double(setup.degrees.data()) * double(batch) * double(job_.sequence);
    const double wanted = limits_.global_tokens > 0 ? limits_.global_tokens / tokens : 1;
    return std::max<int64_t>({1, int64_t(wanted), limits_.global_tokens > 0 ? 1 : 4 * (setup.degrees.pipeline - 1)});
  }

  int64_t most_samples(const TrainingSetup& setup) const {
    const double each = limits_.global_tokens > 0
                            ? limits_.global_tokens / double(setup.degrees.data()) / double(job_.sequence)
                            : 65'536.0 / double(job_.sequence);
    return std::max<int64_t>(1, int64_t(each));
  }

  Status try_plan(TrainingSetup setup) {
    ++found_.tried;
    setup.micro_batches = micro_batches(setup, 1);
    PLIM_ASSIGN(const TokenModel::Made* made, job_.model->at(setup, job_.sequence));
    const Bytes line = bytes_under_line(*device_.part.memory, job_.load_line);
    const int64_t most = most_samples(setup);
    const auto first = step_memory(made->form, made->trace, setup, job_.batch.value_or(1), &device_.part);
    if (first.needed() > line) return remember_leanest(setup, first);
    ++found_.fitting;
    int64_t largest = job_.batch.value_or(1);
    if (!job_.batch && most > 1) {
      PLIM_ASSIGN(largest, job_.model->largest_batch(setup, job_.sequence, &device_.part, line, most));
    }
    std::optional<TokenPlacement> best;
    std::vector<int64_t> batches{job_.batch.value_or(largest)};
    if (!job_.batch)
      for (int64_t batch = 1; batch < largest; batch *= 2) batches.push_back(batch);
    for (const int64_t batch : batches) {
      setup.micro_batches = micro_batches(setup, batch);
      PLIM_ASSIGN(const TokenTime time, token_time(made->work, setup, batch, device_.part, wiring_));
      if (best && best->time.tokens_per_second >= time.tokens_per_second) continue;
      best.emplace();
      best->device = device_;
      best->setup = setup;
      best->batch = batch;
      best->fits = true;
      best->time = time;
    }
    found_.best.push_back(*std::move(best));
    return {};
  }

  Status remember_leanest(const TrainingSetup& setup, const StepMemory& memory) {
    if (found_.leanest && found_.leanest->memory.needed() <= memory.needed()) return {};
    found_.leanest.emplace();
    found_.leanest->device = device_;
    found_.leanest->setup = setup;
    found_.leanest->batch = 1;
    found_.leanest->memory = memory;
    return {};
  }

  void sort() {
    auto& best = found_.best;
    std::stable_sort(best.begin(), best.end(), [](const TokenPlacement& a, const TokenPlacement& b) {
      return a.time.tokens_per_second > b.time.tokens_per_second;
    });
    if (best.size() > limits_.shown) best.resize(limits_.shown);
    for (auto& placement : best) {
      const auto memory = job_.model->memory(placement.setup, job_.sequence, placement.batch, &device_.part);
      if (memory.ok()) placement.memory = *memory;
      add_cost(job_, placement);
    }
  }

  const TokenJob& job_;
  const Candidate& device_;
  const Wiring& wiring_;
  const int64_t workers_;
  const SearchLimits& limits_;
  TokenSearch found_;
};

}  // namespace

Result<TokenSearch> token_search(const TokenJob& job, const Candidate& device, const Wiring& wiring, int64_t workers,
                                 const SearchLimits& limits) {
  if (!device.part.memory)
    return user_error("its memory is not known, so nothing can be said to fit").in(device.part.name);
  return Search(job, device, wiring, workers, limits).run();
}

}  // namespace plimsoll
