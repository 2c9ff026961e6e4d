#include "plan/llm/token_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plan/llm/state_bytes.h"
#include "plan/time/gemm_time.h"
#include "plan/time/reachable.h"

namespace plimsoll {
namespace {

// Shares of the rate that a large product reaches, for heads of 128: estimates, not fitted to kernels.
constexpr double kAttentionForward = 0.72, kAttentionBackward = 0.6;
constexpr double kFlashAgain = 2.5;  // a fused backward pass does the scores again
// The cost of a product in the middle of a step against one by itself: clocks under lasting load, caches that others
// have filled. Chosen with all of llm-foundry's rows in sight, so these rows are no test of it.
constexpr double kProduct = 1.08;
constexpr double kExpertShare = 0.75;   // of products that are grouped by expert
constexpr double kPassShare = 0.88;     // of the bandwidth, for passes over large tensors
constexpr double kHostKernel = 5.5e-6;  // seconds to start one from Python
constexpr double kHostKernelBackward = 3e-6;
constexpr double kOverlapCost = 0.06;    // computing is slower while a collective takes multiprocessors and bandwidth
constexpr double kOverlapShare = 0.9;    // of a pass that a collective can run beside
constexpr double kHostBandwidth = 60e9;  // bytes per second that a host's update of the optimizer passes over
constexpr double kF32 = 4;

// One device of those that share the work.
class Timing {
 public:
  Timing(const TokenWork& work, const TrainingSetup& setup, int64_t batch, const Device& device, const Wiring& wiring)
      : work_(work), setup_(setup), device_(device), wiring_(wiring), reachable_(device), samples_(double(batch)) {}

  Result<TokenTime> run() {
    PLIM_TRY(find_rates());
    for (const auto& group : work_.groups) add(group);
    finish();
    return time_;
  }

  Result<TokenKernels> kernels() {
    PLIM_TRY(find_rates());
    TokenKernels all{time_.peak, *device_.memory_bandwidth, {}};
    for (const auto& group : work_.groups)
      for (const auto& o : group.operations) add_kernels(group, o, all.kernels);
    return all;
  }

 private:
  Status find_rates() {
    // PyTorch multiplies in f32 itself unless it is told otherwise, on matrix units only where these can (AMD's).
    const bool f32 = setup_.format == TokenFormat::f32;
    DType format = f32 ? DType::f32 : DType::bf16;
    if (f32 && setup_.habits.tf32 && reachable_.matrix(DType::tf32) > 0) format = DType::tf32;
    if (setup_.format == TokenFormat::fp8 && reachable_.matrix(DType::f8e4m3) > 0) format = DType::f8e4m3;
    if (!f32 && reachable_.matrix(format) == 0) format = DType::f16;
    rate_ = reachable_.matrix(format);
    GemmKernels kernels = GemmKernels::matrix;
    if (rate_ == 0) {
      const bool before_ampere = device_.generation == "volta" || device_.generation == "turing";
      format = DType::f32;
      rate_ = reachable_.general(DType::f32);
      kernels = before_ampere ? GemmKernels::general_older : GemmKernels::general;
    }
    const auto peak = device_.product_peak(format);
    time_.peak_format = format;
    if (peak) time_.peak = *peak;
    attention_ = setup_.habits.attention_share;
    bandwidth_ = reachable_.bandwidth() * kPassShare;
    machine_ = {device_.units ? double(device_.units->value()) : 64, rate_, bandwidth_, kernels};
    if (!device_.memory_bandwidth || rate_ <= 1e9)
      return user_error("its arithmetic or its bandwidth is not known").in(device_.name);
    return {};
  }

  double tensor() const { return double(setup_.degrees.tensor); }
  double context() const { return double(setup_.degrees.context); }
  double tokens_of(const TokenOperation& o) const { return o.columns * samples_ / context(); }

  double gemm(double rows, double columns, double depth, double count = 1) const {
    return gemm_time({rows, columns, depth, count}, machine_, parameters_);
  }

  struct Pass {
    double forward = 0, backward = 0, kernels_forward = 0, kernels_backward = 0;
    double products = 0;  // of it
  };

  Pass product(const TokenOperation& o) const {
    const double tokens = tokens_of(o), rows = o.rows / tensor();
    const double bytes = (o.forward_bytes * samples_ / context() + o.weight_bytes) / tensor();
    const auto time = [&](double seconds) { return std::max(seconds, bytes / bandwidth_); };
    Pass pass;
    pass.forward = time(gemm(rows, tokens, o.depth) * kProduct);
    // 4-bit weights are written out in 16 bits before each product.
    const double written_out = o.quantised ? o.weight_bytes * 1.3 / tensor() / bandwidth_ : 0;
    pass.forward += written_out;
    if (o.data_gradient)
      pass.backward += time(gemm(o.depth, tokens, rows) * kProduct * parameters_.grad_data) + written_out;
    if (o.weight_gradient)
      pass.backward += time(gemm(rows, o.depth, tokens) * kProduct * parameters_.grad_weights) +
                       o.backward_bytes * samples_ / context() / tensor() / bandwidth_;
    pass.products = pass.forward + pass.backward;
    pass.kernels_forward = o.quantised ? 2 : 1;
    pass.kernels_backward = (o.data_gradient ? 1 : 0) + (o.weight_gradient ? 1 : 0);
    return pass;
  }

  // Each of a device's experts gets its share of the tokens; those of others come from them.
  Pass experts(const TokenOperation& o) const {
    const double experts = o.groups / double(setup_.degrees.expert);
    const double tokens = std::max(1.0, tokens_of(o) * double(setup_.degrees.expert) / o.groups);
    const double seconds = gemm(o.rows / tensor(), tokens, o.depth, experts) / kExpertShare;
    const double bytes =
        o.forward_bytes * samples_ / context() / tensor() + o.weight_bytes / tensor() / double(setup_.degrees.expert);
    const double forward = std::max(seconds, bytes / bandwidth_);
    const double times = (o.data_gradient ? 1 : 0) + (o.weight_gradient ? 1 : 0);
    return {forward, forward * times, o.forward_kernels, o.backward_kernels, forward * (1 + times)};
  }

  Pass attention(const TokenOperation& o) const {
    const double flops = o.flops * (1 - o.hidden) * samples_ / tensor() / context();
    const double bytes = o.forward_bytes * samples_ / tensor() / context();
    const bool eager = setup_.attention == AttentionKernel::eager;
    const double head = std::min(1.0, 0.5 + o.depth / 256);  // short heads leave matrix units idle
    Pass pass;
    pass.forward = eager ? flops / rate_ + bytes / bandwidth_
                         : std::max(flops / (rate_ * attention_ * kAttentionForward * head), bytes / bandwidth_);
    if (o.data_gradient)
      pass.backward = eager ? 2 * flops / rate_ + o.backward_bytes * samples_ / tensor() / context() / bandwidth_
                            : kFlashAgain * flops / (rate_ * attention_ * kAttentionBackward * head);
    pass.kernels_forward = o.forward_kernels;
    pass.kernels_backward = o.backward_kernels;
    pass.products = pass.forward + pass.backward;
    return pass;
  }

  // Between the layers that are divided every device has its part of the sequence, and of weights what is divided.
  Pass sweep(const TokenOperation& o) const {
    const double share = o.once ? 1 / tensor() : samples_ / tensor() / context();
    Pass pass{o.forward_bytes * share / bandwidth_, 0, o.forward_kernels, 0, 0};
    if (!o.data_gradient) return pass;
    pass.backward = o.backward_bytes * share / bandwidth_;
    pass.kernels_backward = o.backward_kernels;
    return pass;
  }

  Pass pass_of(const TokenOperation& o) const {
    switch (o.kernel) {
      case TokenKernel::product: return product(o);
      case TokenKernel::experts: return experts(o);
      case TokenKernel::attention: return attention(o);
      case TokenKernel::pass: return sweep(o);
    }
    return {};
  }

  // For the backward pass of a checkpointed block.
  bool is_redone(const TokenGroup& group, const TokenOperation& o) const {
    return group.in_stack && (setup_.checkpointing == Checkpointing::full ||
                              (setup_.checkpointing == Checkpointing::selective && o.kernel == TokenKernel::pass));
  }

  // A pipeline's stages have equal shares of the stack; the head is the last one's and all wait for it.
  double count_of(const TokenGroup& group) const {
    return group.in_stack ? std::ceil(group.count / double(setup_.degrees.pipeline)) : group.count;
  }

  // What an operation computes and moves on this device, forward and backward.
  struct Demand {
    double forward_flops = 0, backward_flops = 0, forward_bytes = 0, backward_bytes = 0;
  };

  Demand demand_of(const TokenOperation& o) const {
    const double share = samples_ / tensor() / context();
    Demand demand{o.flops * (1 - o.hidden) * share, 0, o.forward_bytes * share, o.backward_bytes * share};
    if (o.kernel == TokenKernel::pass) {
      demand.forward_flops = 0;
    } else if (o.kernel == TokenKernel::attention) {
      const bool eager = setup_.attention == AttentionKernel::eager;
      demand.backward_flops = demand.forward_flops * (eager ? 2 : kFlashAgain);
      if (!eager) demand.backward_bytes = 2 * demand.forward_bytes;  // each tensor and its gradient
    } else {
      const double times = double(o.data_gradient) + double(o.weight_gradient);
      const double parts = o.kernel == TokenKernel::experts ? double(setup_.degrees.expert) : 1;
      demand.forward_bytes += o.weight_bytes / tensor() / parts;
      demand.backward_flops = demand.forward_flops * times;
      demand.backward_bytes += demand.forward_bytes * times;
    }
    return demand;
  }

  void add_kernels(const TokenGroup& group, const TokenOperation& o, std::vector<TokenKernelTime>& kernels) const {
    const Pass pass = pass_of(o);
    const Demand demand = demand_of(o);
    const double count = count_of(group);
    const auto add = [&](const std::string& name, Phase phase, double seconds, double flops, double bytes) {
      if (seconds > 0)
        kernels.push_back({name, o.kernel, phase, count, {count * seconds}, count * flops, count * bytes});
    };
    add(o.name, Phase::forward, pass.forward, demand.forward_flops, demand.forward_bytes);
    if (is_redone(group, o))
      add(o.name + ", again", Phase::backward, pass.forward, demand.forward_flops, demand.forward_bytes);
    add(o.name + ", backward", Phase::backward, pass.backward, demand.backward_flops, demand.backward_bytes);
  }

  void add(const TokenGroup& group) {
    Pass sum;
    double again = 0;
    for (const auto& o : group.operations) {
      const Pass pass = pass_of(o);
      sum.forward += pass.forward;
      sum.backward += pass.backward;
      sum.kernels_forward += pass.kernels_forward;
      sum.kernels_backward += pass.kernels_backward;
      sum.products += pass.products;
      if (is_redone(group, o)) again += pass.forward;
    }
    const double host_forward = sum.kernels_forward * kHostKernel,
                 host_backward = sum.kernels_backward * kHostKernelBackward;
    const double forward = std::max(sum.forward, host_forward), backward = std::max(sum.backward, host_backward);
    const double count = count_of(group);
    const double redo =
        again > 0 && setup_.checkpointing == Checkpointing::full ? std::max(again, host_forward) : again;
    time_.forward.value += count * forward;
    time_.backward.value += count * backward;
    time_.recompute.value += count * redo;
    time_.host.value += count * (forward - sum.forward + backward - sum.backward);
    products_ += count * sum.products;
    if (group.in_stack) exchange(group, count, forward, backward + redo);
    else exchange_tables(group, backward);
  }

  Seconds collective(double bytes, double workers, bool spread) const {
    Wiring wiring = wiring_;
    if (spread) {  // one device of each group: their own links are between nodes
      const double inside = std::max(1.0, double(wiring_.per_node) / (tensor() * context()));
      wiring.per_node = int64_t(inside);
    }
    return all_reduce(Bytes(int64_t(bytes)), int64_t(workers), wiring).time;
  }

  bool shards_parameters() const {
    return setup_.shard == Shard::zero3 || setup_.shard == Shard::fsdp || setup_.shard == Shard::hsdp;
  }

  void exchange(const TokenGroup& group, double count, double forward, double backward) {
    exchange_within(group, count);
    const double data = double(setup_.degrees.data()) * context();
    const double element = work_.element;
    const double parameters =
        group.parameters / tensor() + group.expert_parameters / tensor() / double(setup_.degrees.expert);
    const double trained = group.trained / tensor() + group.expert_trained / tensor() / double(setup_.degrees.expert);
    if (data <= 1) return;
    if (shards_parameters()) {
      const double sharing = setup_.shard == Shard::hsdp ? std::min(data, double(setup_.degrees.per_node)) : data;
      const double gather = collective(parameters * element, sharing, false).value / 2;
      const double scatter = collective(trained * element, sharing, false).value / 2;
      const double micro = double(std::max<int64_t>(1, setup_.micro_batches));
      hidden_ += count * micro * (2 * gather + scatter);
      exposed_ += count * micro *
                  (std::max(0.0, gather - forward * kOverlapShare) +
                   std::max(0.0, gather + scatter - backward * kOverlapShare));
      first_gather_ = std::max(first_gather_, gather);
      if (setup_.shard == Shard::hsdp && data > sharing)
        late_ += count * collective(trained * element / sharing, data / sharing, true).value;
      return;
    }
    // The sum of gradients, once a step, beside the backward pass of its last micro-batch.
    late_ += count * collective(trained * gradient_bytes(), data, true).value;
    late_room_ += count * backward * kOverlapShare;
  }

  double gradient_bytes() const {
    return setup_.degrees.within_model() ? kF32 : setup_.format == TokenFormat::amp ? kF32 : work_.element;
  }

  void exchange_tables(const TokenGroup& group, double backward) {
    const double data = double(setup_.degrees.data()) * context();
    if (data <= 1 || group.trained == 0) return;
    late_ += collective(group.trained / tensor() * gradient_bytes(), data, true).value;
    late_room_ += backward * kOverlapShare;
  }

  // Tensor parallel: after attention and after the MLP, in both directions. Experts: to them and back, both ways.
  void exchange_within(const TokenGroup& group, double count) {
    const double redo = setup_.checkpointing == Checkpointing::full ? 1.5 : 1;
    const double state = group.state * samples_ / context();
    if (tensor() > 1) time_.tensor_exchange.value += count * 4 * redo * collective(state, tensor(), false).value;
    const double experts = double(setup_.degrees.expert);
    if (experts > 1 && group.sent > 0) {
      const bool inside = experts * tensor() <= double(wiring_.per_node);
      const double away = inside ? (experts - 1) / experts : 1 - double(wiring_.per_node) / (experts * tensor());
      const Link& link = inside ? wiring_.inside : wiring_.between;
      const double each = inside ? 1 : double(wiring_.per_node);  // devices that share a node's network
      const double bytes = group.sent * samples_ / context() / tensor() * away * each;
      time_.expert_exchange.value +=
          count * 4 * redo * (bytes / link.reached().per_second + link.latency.value * std::log2(experts));
    }
    if (context() > 1) {
      // Keys and values go round; computing hides them but for the first.
      const double bytes = group.cache * samples_ / tensor() / context();
      time_.context_exchange.value += count * 3 * collective(bytes, context(), false).value / 2 / context();
    }
  }

  void finish() {
    const double micro = double(std::max<int64_t>(1, setup_.micro_batches));
    const double passes = time_.forward.value + time_.backward.value + time_.recompute.value +
                          time_.tensor_exchange.value + time_.expert_exchange.value + time_.context_exchange.value;
    const double stages = double(setup_.degrees.pipeline);
    time_.bubble = {(stages - 1) * passes};
    const double late = std::max(0.0, late_ - late_room_);
    const double beside = std::min(hidden_ + std::min(late_, late_room_), micro * passes);
    time_.shard_exchange = {exposed_ + first_gather_ + late + beside * kOverlapCost};
    update();
    time_.step = {micro * passes + time_.bubble.value + time_.shard_exchange.value + time_.update.value +
                  time_.offload.value};
    const double groups = double(setup_.degrees.data());
    time_.tokens = work_.tokens() * samples_ * micro * groups;
    time_.flops = work_.model_flops * samples_ * micro * groups;
    time_.tokens_per_second = time_.tokens / time_.step.value;
    if (time_.peak.per_second > 0)
      time_.mfu = time_.flops / time_.step.value / (time_.peak.per_second * double(setup_.degrees.workers));
    name_bound(micro);
  }

  // Parameters, gradients and states are read, and all but gradients written.
  void update() {
    const double parts = tensor() * double(setup_.degrees.pipeline);
    double numbers = 0;
    for (const auto& group : work_.groups)
      numbers += group.count * (group.trained + group.expert_trained / double(setup_.degrees.expert)) / parts;
    if (setup_.shard != Shard::none) numbers /= double(setup_.degrees.data());
    const TokenOptimizer& optimizer = *setup_.optimizer;
    const double moment = has_master_weights(setup_) || setup_.format == TokenFormat::amp ? kF32 : work_.element;
    const double bytes = numbers * (2 * (optimizer.moments * moment + optimizer.own_bytes) + 3 * moment);
    const double kernels = optimizer.temporary > 0 ? 2.5 : 1;  // a kernel for each step of the rule, or one for all
    time_.update = {bytes * kernels / bandwidth_};
    if (setup_.offload == Offload::none) return;
    const double link = device_.host_link ? device_.host_link->per_second * 0.78 : 12e9;
    time_.update = {0};
    time_.offload = {numbers * work_.element * 2 / link + numbers * (6 * kF32 + 2 * work_.element) / kHostBandwidth};
    if (setup_.offload == Offload::all) {
      const double moved =
          3 * work_.parameters / parts * work_.element / link * double(std::max<int64_t>(1, setup_.micro_batches));
      const double passes = time_.forward.value + time_.backward.value + time_.recompute.value;
      time_.offload.value += std::max(0.0, moved - passes * kOverlapShare);
    }
  }

  void name_bound(double micro) {
    const double passes = micro * (time_.forward.value + time_.backward.value + time_.recompute.value);
    const double products = micro * products_;
    const std::pair<double, std::string_view> all[] = {
        {products, "arithmetic"},
        {passes - products - micro * time_.host.value, "bandwidth"},
        {micro * time_.host.value, "launch"},
        {micro * (time_.tensor_exchange.value + time_.expert_exchange.value + time_.context_exchange.value),
         "exchange within the network"},
        {time_.shard_exchange.value, "exchange of parameters and gradients"},
        {time_.bubble.value, "pipeline bubble"},
        {time_.update.value, "update"},
        {time_.offload.value, "offload"}};
    time_.bound_by = std::max_element(std::begin(all), std::end(all), [](const auto& a, const auto& b) {
                       return a.first < b.first;
                     })->second;
  }

  const TokenWork& work_;
  const TrainingSetup& setup_;
  const Device& device_;
  const Wiring& wiring_;
  const Reachable reachable_;
  const double samples_;
  const TorchParameters parameters_;
  GemmMachine machine_;
  double rate_ = 1, bandwidth_ = 1, products_ = 0, attention_ = 1;
  double hidden_ = 0, exposed_ = 0, first_gather_ = 0;  // gathers and scatters beside a block
  double late_ = 0, late_room_ = 0;                     // sums of gradients once a step
  TokenTime time_;
};

}  // namespace

Result<TokenTime> token_time(const TokenWork& work, const TrainingSetup& setup, int64_t batch, const Device& device,
                             const Wiring& wiring) {
  return Timing(work, setup, batch, device, wiring).run();
}

Result<TokenKernels> token_kernels(const TokenWork& work, const TrainingSetup& setup, int64_t batch,
                                   const Device& device, const Wiring& wiring) {
  return Timing(work, setup, batch, device, wiring).kernels();
}

}  // namespace plimsoll
