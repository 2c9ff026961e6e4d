#include "plan/llm/token_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/rows/named.h"
#include "plan/llm/last_that_fits.h"
#include "plan/memory/framework_context.h"

namespace plimsoll {
namespace {

constexpr size_t kMostKept = 48;  // forms; a search over lengths makes many that nobody asks for again
constexpr int64_t kShortest = 16, kUsual = 1024, kLongest = int64_t{1} << 24;

// What a form depends on; everything else is how it is divided.
std::string key_of(const TrainingSetup& setup, int64_t sequence) {
  return fmt::format("{} {} {} {} {} {}", sequence, text_of(setup.tuning), int(setup.format), int(setup.attention),
                     int(setup.logits), int(setup.packing));
}

// What memory depends on besides the form and the batch.
std::string division_of(const TrainingSetup& setup) {
  const Degrees& d = setup.degrees;
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {}", d.workers, d.tensor, d.pipeline, d.context, d.expert,
                     d.per_node, int(setup.shard), int(setup.offload), int(setup.checkpointing), setup.optimizer->name,
                     std::min(setup.micro_batches, std::max<int64_t>(2, d.pipeline)));
}

// The last length that fits, to a 256th: the straight line between two lengths says where to ask next, and an end that
// stays counts half (the Illinois method). `low` fits by `below`, `high` misses by `above`.
template <class Over>
int64_t near_the_line(int64_t low, double below, int64_t high, double above, Over over) {
  int stayed = 0;
  const auto close = [&low] { return std::max<int64_t>(1, low / 256); };
  while (high - low > close()) {
    const double share = std::isinf(above) ? 0.5 : below / (below - above);
    const int64_t margin = std::max<int64_t>(1, close() / 2);
    const int64_t next = std::clamp(low + int64_t(double(high - low) * share), low + margin, high - margin);
    const double missed = over(next);
    if (missed <= 0) {
      low = next;
      below = missed;
      if (stayed > 0) above /= 2;
      stayed = 1;
    } else {
      high = next;
      above = missed;
      if (stayed < 0) below /= 2;
      stayed = -1;
    }
  }
  return low;
}

}  // namespace

Result<const TokenModel::Made*> TokenModel::at(const TrainingSetup& setup, int64_t sequence) {
  auto& made = made_[key_of(setup, sequence)];
  if (made) return made.get();
  auto& graph = graphs_[sequence];
  if (!graph) {
    auto built = build_(sequence);
    if (!built.ok()) {
      made_.erase(key_of(setup, sequence));
      graphs_.erase(sequence);
      return std::move(built).error();
    }
    graph = *built;
  }
  auto form = token_form(*graph, setup);
  if (!form.ok()) {
    made_.erase(key_of(setup, sequence));
    return std::move(form).error().in(name_);
  }
  made = std::make_unique<Made>();
  made->form = *std::move(form);
  made->trace = step_trace(made->form, setup);
  made->work = token_work(made->form, setup);
  return made.get();
}

Result<StepMemory> TokenModel::memory(const TrainingSetup& setup, int64_t sequence, int64_t batch, const Device* device,
                                      std::optional<Bytes> line) {
  PLIM_ASSIGN(const Made* made, at(setup, sequence));
  if (line) return step_memory(made->form, made->trace, setup, batch, device, line);
  const bool gpu = !device || device->kind == DeviceKind::gpu;
  const std::string key =
      fmt::format("{} | {} | {} {}", key_of(setup, sequence), division_of(setup), batch, product_workspace(device));
  const auto known = memories_.find(key);
  StepMemory memory =
      known != memories_.end() ? known->second : step_memory(made->form, made->trace, setup, batch, device);
  if (known == memories_.end()) memories_.emplace(key, memory);
  memory.context = memory[TokenPart::fixed] = gpu ? pytorch_context(device) : Bytes(0);
  return memory;
}

Result<bool> TokenModel::fits(const TrainingSetup& setup, int64_t sequence, int64_t batch, const Device* device,
                              Bytes line) {
  PLIM_ASSIGN(const StepMemory memory, this->memory(setup, sequence, batch, device));
  return memory.needed() <= line;
}

// Memory grows about evenly with the batch: two batches tell where the line should be; the steps from there on double.
Result<int64_t> TokenModel::largest_batch(const TrainingSetup& setup, int64_t sequence, const Device* device,
                                          Bytes line, int64_t most) {
  PLIM_ASSIGN(const StepMemory one, memory(setup, sequence, 1, device));
  if (one.needed() > line) return 0;
  PLIM_ASSIGN(const StepMemory two, memory(setup, sequence, 2, device));
  const double each = std::max(1.0, double((two.needed() - one.needed()).value()));
  const double room = double((line - one.needed()).value());
  int64_t low = 1, high = int64_t(std::clamp(room / each * 1.3 + 3, 2.0, double(most) + 1));
  int64_t guess = int64_t(std::clamp(1 + room / each, 1.0, double(most)));
  while (low < most) {
    PLIM_ASSIGN(const bool fit, fits(setup, sequence, high, device, line));
    if (!fit || high > most) break;
    low = high;
    high = std::min(most + 1, high * 2);
  }
  const auto fits_at = [&](int64_t batch) { return fits(setup, sequence, batch, device, line); };
  PLIM_ASSIGN(const int64_t last, last_that_fits(low, high, guess, fits_at));
  return std::min(last, most);
}

// Memory grows about evenly with the length: two lengths tell where the line should be, and the search begins there.
Result<int64_t> TokenModel::longest_sequence(const TrainingSetup& setup, int64_t batch, const Device* device,
                                             Bytes line) {
  const auto needs = [&](int64_t sequence) {
    const auto memory = this->memory(setup, sequence, batch, device);
    while (made_.size() > kMostKept) made_.erase(made_.begin());
    return memory.ok() ? double(memory->needed().value()) : HUGE_VAL;
  };
  const double room = double(line.value()), least = needs(kShortest);
  if (least > room) return 0;
  int64_t low = kShortest, high = kUsual;
  double at_low = least, at_high = needs(high);
  while (at_high <= room) {
    if (high >= kLongest) return high;
    const double each = std::max(1.0, (at_high - least) / double(high - kShortest));
    low = std::exchange(high, int64_t(std::min(double(kLongest), high * 1.05 + 1.05 * (room - at_high) / each)));
    at_low = std::exchange(at_high, needs(high));
  }
  return near_the_line(low, at_low - room, high, at_high - room, [&](int64_t length) { return needs(length) - room; });
}

Status check_degrees(const TokenForm& form, const TrainingSetup& setup) {
  const Degrees& d = setup.degrees;
  const auto does_not_divide = [&](const char* field, int64_t degree, int64_t size, const char* what) -> Status {
    return user_error(fmt::format("{} is {}, which does not divide the {} {}", named(field), degree, size, what));
  };
  const int64_t model = d.tensor * d.pipeline * d.context;
  if (d.workers % model != 0)
    return user_error(fmt::format("{} × {} × {} is {}, which does not divide the {} devices of {}",
                                  named("tensor_parallel"), named("pipeline"), named("context_parallel"), model,
                                  d.workers, named("workers")));
  if (form.heads > 0 && form.heads % d.tensor != 0)
    return does_not_divide("tensor_parallel", d.tensor, form.heads, "heads of the network");
  if (form.kv_heads > 0 && form.kv_heads % d.tensor != 0 && d.tensor % form.kv_heads != 0)
    return does_not_divide("tensor_parallel", d.tensor, form.kv_heads, "key and value heads of the network");
  if (d.pipeline > form.blocks)
    return user_error(fmt::format("{} is {}, the network has {} blocks", named("pipeline"), d.pipeline, form.blocks));
  if (form.sequence % d.context != 0)
    return does_not_divide("context_parallel", d.context, form.sequence, "tokens of a sample");
  if (d.expert > 1 && form.experts == 0)
    return user_error(fmt::format("{} is {}, the network has no experts", named("expert_parallel"), d.expert));
  if (d.expert > 1 && form.experts % d.expert != 0)
    return does_not_divide("expert_parallel", d.expert, form.experts, "experts of the network");
  if (d.expert > 1 && (d.data() * d.context) % d.expert != 0)
    return does_not_divide("expert_parallel", d.expert, d.data() * d.context, "devices that share a layer");
  const bool gathers = setup.shard == Shard::zero3 || setup.shard == Shard::fsdp || setup.shard == Shard::hsdp;
  if (setup.shard == Shard::zero3 && d.pipeline > 1)
    return user_error(
        fmt::format("{} zero3 does not go with {}: DeepSpeed refuses it", named("shard"), named("pipeline")),
        fmt::format("take {} zero1", named("shard")));
  if (gathers && d.data() * d.context == 1)
    return user_error(fmt::format("{} is {}, but there is one copy of the network: nothing to divide it over",
                                  named("shard"), choice_name(setup.shard)),
                      fmt::format("say {} N", named("workers")));
  if (setup.offload == Offload::all && (d.pipeline > 1 || d.tensor > 1))
    return user_error(
        fmt::format("{} all does not go with {} or {}", named("offload"), named("tensor_parallel"), named("pipeline")));
  return {};
}

}  // namespace plimsoll
