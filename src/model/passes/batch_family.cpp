#include "model/passes/batch_family.h"

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

bool same_sizes(const Program& a, const Program& b) {
  for (size_t i = 0; i < a.values.size(); ++i)
    if (a.values[i].type != b.values[i].type) return false;
  for (size_t i = 0; i < a.operations.size(); ++i) {
    const Operation &x = a.operations[i], &y = b.operations[i];
    if (x.cost.macs != y.cost.macs || x.cost.flops != y.cost.flops || x.moved != y.moved) return false;
  }
  return a.batch == b.batch;
}

// Only what grows with the batch. Names, ids and attributes are the same in every step, and of a large network most of
// the memory.
Program sizes_of(const Program& program) {
  Program sizes;
  sizes.batch = program.batch;
  sizes.values.resize(program.values.size());
  for (size_t i = 0; i < program.values.size(); ++i) sizes.values[i].type = program.values[i].type;
  sizes.operations.resize(program.operations.size());
  for (size_t i = 0; i < program.operations.size(); ++i) {
    sizes.operations[i].cost = program.operations[i].cost;
    sizes.operations[i].moved = program.operations[i].moved;
  }
  return sizes;
}

}  // namespace

BatchFamily::BatchFamily(Build build, Program low, Program high)
    : build_(std::move(build)), low_(std::move(low)), high_(std::move(high)) {}

Result<BatchFamily> BatchFamily::make(Build build) {
  PLIM_ASSIGN(Program low, build(kLow));
  PLIM_ASSIGN(Program high, build(kHigh));
  BatchFamily family(std::move(build), std::move(low), std::move(high));
  const bool alike = same_form(family.low_, family.high_);
  family.high_ = sizes_of(family.high_);
  PLIM_ASSIGN(const Program check, family.build_(kCheck));
  if (!alike || !same_form(family.low_, check)) return family;
  for (size_t i = 0; i < check.values.size(); ++i)
    if (family.low_.values[i].type != family.high_.values[i].type) family.growing_.push_back(int32_t(i));
  Program guess = sizes_of(family.low_);
  family.set_batch(guess, kCheck);
  family.straight_ = same_sizes(guess, check);
  if (!family.straight_) PLIM_TRY(family.bend(check));
  return family;
}

Result<BatchFamily> BatchFamily::only_at(int64_t batch, Build build, Error why_not) {
  PLIM_ASSIGN(Program step, build(batch));
  BatchFamily family(std::move(build), std::move(step), {});
  family.only_ = batch;
  family.why_not_ = std::move(why_not);
  return family;
}

Result<Program> BatchFamily::exactly(int64_t batch) const {
  if (!only_) return build_(batch);
  return batch == *only_ ? Result<Program>(low_) : Result<Program>(why_not_);
}

// Costs on a parabola instead of a line; sizes of axes stay on theirs.
Status BatchFamily::bend(const Program& check) {
  PLIM_ASSIGN(const Program third, build_(kThird));
  if (!same_form(low_, third)) return {};
  third_ = sizes_of(third);
  Program guess = sizes_of(low_);
  set_batch(guess, kCheck);
  straight_ = same_sizes(guess, check);
  return {};
}

void BatchFamily::set_sizes(Program& program, int64_t batch) const {
  program.batch = on_line(low_.batch, high_.batch, batch);
  for (const int32_t i : growing_) {
    const Shape &low = low_.values[size_t(i)].type->shape, &high = high_.values[size_t(i)].type->shape;
    Shape& shape = program.values[size_t(i)].type->shape;
    for (int axis = 0; axis < shape.rank(); ++axis) shape[axis] = on_line(low[axis], high[axis], batch);
  }
}

void BatchFamily::set_batch(Program& program, int64_t batch) const {
  set_sizes(program, batch);
  for (size_t i = 0; i < program.operations.size(); ++i) {
    Operation& operation = program.operations[i];
    const Operation &low = low_.operations[i], &high = high_.operations[i];
    const auto at_batch = [&](auto quantity) {
      if (!third_) return on_line(quantity(low), quantity(high), batch);
      return on_parabola(quantity(low), quantity(high), quantity(third_->operations[i]), batch);
    };
    operation.cost.macs = at_batch([](const Operation& of) { return of.cost.macs; });
    operation.cost.flops = at_batch([](const Operation& of) { return of.cost.flops; });
    operation.moved = at_batch([](const Operation& of) { return of.moved; });
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
