#include "run/train/norm_renewal.h"

#include <cmath>

namespace plimsoll {
namespace {

// How often one compute() moves a norm's statistics: once, or once for each group of ghost batch norm.
int64_t moves(const Program& step, const Operation& norm) {
  const int64_t ghost = norm.attributes.integer("ghost", 0);
  return ghost > 0 ? step.value(norm.inputs.at(0)).type->shape[0] / ghost : 1;
}

}  // namespace

NormRenewal::NormRenewal(const Program& step) {
  for (const auto& operation : step.operations) {
    if (!operation.op) continue;
    for (const auto& [output, input] : operation.op->updates) {
      const ValueId id = operation.inputs.at(input);
      if (!id.present() || step.value(id).role != Role::buffer) continue;
      const double momentum = operation.attributes.number("momentum", 0.9);
      if (momentum >= 1) continue;  // it never moves
      const double share = 1 - std::pow(momentum, double(moves(step, operation)));
      statistics_.push_back({id, share, std::vector<double>(size_t(step.value(id).type->elements().value()))});
    }
  }
}

// From zero, an update leaves the batch's own number times its share; of ghosts the later ones count a little more.
void NormRenewal::before(Executor& step) const {
  for (const auto& statistic : statistics_) {
    const std::vector<float> zeros(statistic.sum.size(), 0.0F);
    step.write(statistic.id, std::as_bytes(std::span(zeros)));
  }
}

void NormRenewal::after(const Executor& step) {
  ++batches_;
  for (auto& statistic : statistics_) {
    std::vector<float> numbers(statistic.sum.size());
    step.read(statistic.id, std::as_writable_bytes(std::span(numbers)));
    for (size_t i = 0; i < numbers.size(); ++i) statistic.sum[i] += double(numbers[i]) / statistic.share;
  }
}

void NormRenewal::write(Executor& step) const {
  for (const auto& statistic : statistics_) {
    std::vector<float> numbers(statistic.sum.size());
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = float(statistic.sum[i] / double(batches_));
    step.write(statistic.id, std::as_bytes(std::span(numbers)));
  }
}

}  // namespace plimsoll
