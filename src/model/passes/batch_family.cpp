#include "model/passes/batch_family.h"

#include <algorithm>

namespace plimsoll {
namespace {

// Not 1: there broadcasting may look like no broadcasting.
constexpr int64_t kLow = 2, kHigh = 3, kThird = 4, kCheck = 7;

// The number at `batch` on the line through those at kLow and kHigh.
int64_t on_line(int64_t low, int64_t high, int64_t batch) { return low + (high - low) * (batch - kLow); }

template <class Q>
Q on_line(Q low, Q high, int64_t batch) {
  return low == high ? low : low + (high - low) * (batch - kLow);
}

// The number at `batch` on the parabola through those at kLow, kHigh and kThird (Newton's formula). Costs grow so where
// every sample is compared with every other: the logits of CLIP are batch by batch.
template <class Q>
Q on_parabola(Q low, Q high, Q third, int64_t batch) {
  const Q line = on_line(low, high, batch), bend = (third - high) - (high - low);
  const int64_t steps = batch - kLow;
  return line + bend * (steps * (steps - 1) / 2);
}

bool alike(const std::optional<TensorType>& a, const std::optional<TensorType>& b) {
  if (a.has_value() != b.has_value()) return false;
  return !a || (a->dtype == b->dtype && a->shape.rank() == b->shape.rank());
}

// The same operations on the same values; only sizes differ.
bool same_form(const Program& a, const Program& b) {
  if (a.values.size() != b.values.size() || a.operations.size() != b.operations.size()) return false;
  for (size_t i = 0; i < a.values.size(); ++i)
    if (a.values[i].role != b.values[i].role || a.values[i].storage != b.values[i].storage ||
        !alike(a.values[i].type, b.values[i].type))
      return false;
  for (size_t i = 0; i < a.operations.size(); ++i) {
    const Operation &x = a.operations[i], &y = b.operations[i];
    if (x.op != y.op || x.inputs != y.inputs || x.outputs != y.outputs || x.repeat != y.repeat || x.then != y.then)
      return false;
  }
  return true;
}

int rank_of(const ProgramValue& value) { return value.type ? value.type->shape.rank() : 0; }

StepSizes sizes_of(const Program& program) {
  StepSizes sizes;
  sizes.batch = program.batch;
  size_t axes = 0;
  for (const auto& value : program.values) axes += size_t(rank_of(value));
  sizes.axes.reserve(axes);
  for (const auto& value : program.values)
    if (value.type) sizes.axes.insert(sizes.axes.end(), value.type->shape.begin(), value.type->shape.end());
  sizes.operations.reserve(program.operations.size());
  for (const auto& operation : program.operations) sizes.operations.push_back({operation.cost, operation.moved});
  return sizes;
}

// The shape on the line through those at kLow and kHigh.
void put_on_line(Shape& shape, const Shape& low, const int64_t* high, int64_t batch) {
  for (int axis = 0; axis < shape.rank(); ++axis) shape[axis] = on_line(low[axis], high[axis], batch);
}

}  // namespace

Result<std::optional<StepSizes>> BatchFamily::sizes_like_low(int64_t batch) const {
  PLIM_ASSIGN(const Program step, build_(batch));
  if (!same_form(low_, step)) return std::optional<StepSizes>();
  return std::optional(sizes_of(step));
}

Result<BatchFamily> BatchFamily::begin(Build build) {
  PLIM_ASSIGN(Program low, build(kLow));
  low.values.shrink_to_fit();
  low.operations.shrink_to_fit();
  BatchFamily family(std::move(build), std::move(low));
  PLIM_ASSIGN(std::optional<StepSizes> high, family.sizes_like_low(kHigh));
  if (high) family.high_ = std::move(*high);
  return family;
}

Result<BatchFamily> BatchFamily::make_like(const BatchFamily& checked, Build build) {
  if (!checked.straight_ || checked.third_) return make(std::move(build));
  PLIM_ASSIGN(BatchFamily family, begin(std::move(build)));
  if (!family.has_high()) return family;
  family.find_growing();
  family.straight_ = true;
  return family;
}

Result<BatchFamily> BatchFamily::make(Build build) {
  PLIM_ASSIGN(BatchFamily family, begin(std::move(build)));
  if (!family.has_high()) return family;
  PLIM_ASSIGN(const std::optional<StepSizes> check, family.sizes_like_low(kCheck));
  if (!check) return family;
  family.find_growing();
  family.straight_ = family.sizes_at(kCheck) == *check;
  if (family.straight_) return family;
  // Perhaps costs are on a parabola instead of a line; sizes of axes stay on theirs.
  PLIM_ASSIGN(family.third_, family.sizes_like_low(kThird));
  family.straight_ = family.third_ && family.sizes_at(kCheck) == *check;
  return family;
}

Result<BatchFamily> BatchFamily::only_at(int64_t batch, Build build, Error why_not) {
  PLIM_ASSIGN(Program step, build(batch));
  BatchFamily family(std::move(build), std::move(step));
  family.only_ = batch;
  family.why_not_ = std::move(why_not);
  return family;
}

Result<Program> BatchFamily::exactly(int64_t batch) const {
  if (!only_) return build_(batch);
  return batch == *only_ ? Result<Program>(low_) : Result<Program>(why_not_);
}

void BatchFamily::find_growing() {
  int32_t axes = 0;
  for (size_t i = 0; i < low_.values.size(); ++i) {
    const ProgramValue& value = low_.values[i];
    if (!value.type) continue;
    if (!std::equal(value.type->shape.begin(), value.type->shape.end(), high_.axes.data() + axes))
      growing_.push_back({int32_t(i), axes});
    axes += rank_of(value);
  }
}

StepSizes BatchFamily::sizes_at(int64_t batch) const {
  StepSizes sizes = sizes_of(low_);
  sizes.batch = on_line(low_.batch, high_.batch, batch);
  for (size_t i = 0; i < sizes.axes.size(); ++i) sizes.axes[i] = on_line(sizes.axes[i], high_.axes[i], batch);
  for (size_t i = 0; i < sizes.operations.size(); ++i) sizes.operations[i] = work_at(i, batch);
  return sizes;
}

StepSizes::Work BatchFamily::work_at(size_t operation, int64_t batch) const {
  const StepSizes::Work low = {low_.operations[operation].cost, low_.operations[operation].moved};
  const StepSizes::Work& high = high_.operations[operation];
  const auto at_batch = [&](auto quantity) {
    if (!third_) return on_line(quantity(low), quantity(high), batch);
    return on_parabola(quantity(low), quantity(high), quantity(third_->operations[operation]), batch);
  };
  StepSizes::Work work = low;
  work.cost.macs = at_batch([](const StepSizes::Work& of) { return of.cost.macs; });
  work.cost.flops = at_batch([](const StepSizes::Work& of) { return of.cost.flops; });
  work.moved = at_batch([](const StepSizes::Work& of) { return of.moved; });
  return work;
}

void BatchFamily::set_sizes(Program& program, int64_t batch) const {
  program.batch = on_line(low_.batch, high_.batch, batch);
  for (const auto& [value, axes] : growing_)
    put_on_line(program.values[size_t(value)].type->shape, low_.values[size_t(value)].type->shape,
                high_.axes.data() + axes, batch);
}

void BatchFamily::set_batch(Program& program, int64_t batch) const {
  set_sizes(program, batch);
  for (size_t i = 0; i < program.operations.size(); ++i) {
    const StepSizes::Work work = work_at(i, batch);
    program.operations[i].cost = work.cost;
    program.operations[i].moved = work.moved;
  }
}

size_t BatchFamily::reads() const {
  size_t reads = 0;
  for (const auto& operation : low_.operations) reads += operation.inputs.size();
  return reads;
}

Result<Program> BatchFamily::at(int64_t batch) const {
  if (!straight_) return exactly(batch);
  Program program = low_;
  set_batch(program, batch);
  return program;
}

}  // namespace plimsoll
