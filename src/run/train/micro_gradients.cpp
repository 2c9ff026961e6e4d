#include "run/train/micro_gradients.h"

#include "model/ops/all_ops.h"
#include "run/exec/bytes_of_value.h"

namespace plimsoll {
namespace {

template <class T>
double square(std::span<const std::byte> bytes) {
  const auto* numbers = reinterpret_cast<const T*>(bytes.data());
  const size_t count = bytes.size() / sizeof(T);
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (size_t i = 0; i < count; ++i) sum += double(numbers[i]) * double(numbers[i]);
  return sum;
}

// Padding of a layout is zeros and adds nothing.
double square_of(const Executor& step, ValueId id) {
  const DType dtype = step.program().value(id).type->dtype;
  PLIM_CHECK(dtype == DType::f32 || dtype == DType::f64, "a gradient that is neither f32 nor f64");
  std::vector<std::byte> copied;
  const auto bytes = bytes_of_value(step, id, copied);
  return dtype == DType::f32 ? square<float>(bytes) : square<double>(bytes);
}

}  // namespace

MicroGradients::MicroGradients(Executor& step) : step_(step) {
  const Op* accumulate = &op_named("accumulate");
  for (const auto& operation : step.program().operations) {
    const bool adds = operation.op == accumulate && operation.phase == Phase::backward;
    added_.push_back(adds ? operation.inputs.at(1) : ValueId());
    if (adds) sums_.push_back(operation.outputs.at(0));
  }
}

void MicroGradients::compute() {
  auto told = step_.tell_of_each([this](size_t operation) {
    if (added_[operation].present()) squares_ += square_of(step_, added_[operation]);
  });
  step_.compute();
  step_.tell_of_each(std::move(told));
  ++passes_;
}

double MicroGradients::take_own_square() {
  const double mean = passes_ == 0 ? 0 : squares_ / double(passes_);
  squares_ = 0;
  passes_ = 0;
  return mean;
}

double MicroGradients::mean_square() const {
  double sum = 0;
  for (const ValueId id : sums_) sum += square_of(step_, id);
  return sum;
}

}  // namespace plimsoll
