#include "run/bench/operation_kind.h"

#include <algorithm>
#include <array>

namespace plimsoll {
namespace {

struct KindLine {
  std::string_view op, kind;  // the Op's name, or how it begins when `op` ends in '*'
};

// The first that matches; backward operations of the kinds below are told apart by their phase.
constexpr KindLine kConvolutions[] = {
    {"conv", "convolution forward"},
    {"conv_norm", "convolution forward"},
    {"conv_grad_data", "convolution back to data"},
    {"conv_grad_weights", "convolution back to weights"},
    {"conv_transpose", "transposed convolution"},
};
constexpr KindLine kKinds[] = {
    {"batch_norm*", "batch norm"},
    {"layer_norm*", "other normalisation"},
    {"group_norm*", "other normalisation"},
    {"instance_norm*", "other normalisation"},
    {"rms_norm*", "other normalisation"},
    {"lrn*", "other normalisation"},
    {"gemm*", "matrix product"},
    {"linear*", "matrix product"},
    {"matmul*", "matrix product"},
    {"max_pool*", "pooling"},
    {"average_pool*", "pooling"},
    {"adaptive_*", "pooling"},
    {"global_*", "pooling"},
    {"plane_max*", "pooling"},
    {"softmax_cross_entropy*", "loss"},
    {"binary_cross_entropy*", "loss"},
    {"mse_loss*", "loss"},
    {"nll_loss*", "loss"},
    {"softmax*", "softmax"},
    {"log_softmax*", "softmax"},
    {"attention*", "attention"},
    {"concat*", "moving numbers"},
    {"split*", "moving numbers"},
    {"slice*", "moving numbers"},
    {"gather*", "moving numbers"},
    {"transpose*", "moving numbers"},
    {"pad*", "moving numbers"},
    {"expand*", "moving numbers"},
    {"copy*", "moving numbers"},
    {"reduce_*", "sums"},
    {"sum_to*", "sums"},
    {"dropout*", "element-wise"},
    {"accumulate", "element-wise"},
    {"sum", "element-wise"},
};

bool matches(std::string_view pattern, std::string_view name) {
  return pattern.ends_with('*') ? name.starts_with(pattern.substr(0, pattern.size() - 1)) : name == pattern;
}

template <size_t N>
std::string_view kind_in(const KindLine (&lines)[N], std::string_view name) {
  const auto found =
      std::find_if(std::begin(lines), std::end(lines), [&](auto& line) { return matches(line.op, name); });
  return found == std::end(lines) ? std::string_view() : found->kind;
}

}  // namespace

std::string operation_kind(const Operation& operation, std::string_view way) {
  if (operation.phase == Phase::update) return "update";
  const std::string_view name = operation.op ? operation.op->name : std::string_view(operation.op_name);
  if (const auto kind = kind_in(kConvolutions, name); !kind.empty())
    return way.empty() ? std::string(kind) : std::string(kind) + ", " + std::string(way);
  if (name == "reorder") return "reorder";
  std::string kind(kind_in(kKinds, name));
  if (kind.empty()) kind = operation.op && operation.op->elementwise ? "element-wise" : std::string(name);
  return operation.phase == Phase::backward && kind != "loss" ? kind + " back" : kind;
}

}  // namespace plimsoll
