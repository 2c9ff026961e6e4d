// Files that were written for one batch, at another: the batch is followed from the inputs through every shape, and
// where a file holds it as a number (the target of a reshape, a constant for each sample) that number is changed. Sizes
// of every value at the file's own batch, which bound before, tell which axis it is. Where that fails an error says so.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "model/ir/binder.h"

namespace plimsoll {
namespace {

int64_t after(const Shape& shape, int axis) { return shape.elements(axis + 1, shape.rank()).value(); }

// The axis of `out` that the batch goes to when a shape is reshaped: in row-major order a sample stays a sample.
// `steps`: steps along the axis of `in` that are one sample's.
std::optional<int> reshaped_axis(const Shape& in, int in_axis, int64_t steps, const Shape& out, int64_t batch) {
  const int64_t stride = steps * after(in, in_axis);  // numbers of one step along the batch
  std::optional<int> with_later, with_earlier;
  for (int axis = 0; axis < out.rank(); ++axis) {
    const int64_t inner = after(out, axis);
    if (inner == 0 || stride % inner != 0) continue;
    const int64_t later = stride / inner;
    if (later == 0 || out[axis] % (batch * later) != 0) continue;
    if (later == 1 && out[axis] == batch && (batch > 1 || axis >= in_axis || in[axis] != out[axis])) return axis;
    (later == 1 ? with_earlier : with_later) = axis;
  }
  // A single sample does not tell: fewer axes are rows below each other, as many are heads side by side.
  const bool flattens = out.rank() < in.rank() && in_axis > 0;
  if (with_earlier && (flattens || !with_later)) return with_earlier;
  return with_later;
}

Tensor sizes(const Shape& shape) { return integer_tensor({shape.begin(), shape.end()}); }

// Which of the numbers that an operation is given for each axis is the batch: repeats of what is one for all samples,
// or the size of an axis that is the batch already.
std::optional<size_t> place_of_batch(const std::vector<int64_t>& numbers, const Shape& in, std::optional<int> in_axis,
                                     int64_t batch) {
  if (batch < 2 || int(numbers.size()) != in.rank()) return std::nullopt;
  if (in_axis) return numbers[size_t(*in_axis)] == batch ? std::optional(size_t(*in_axis)) : std::nullopt;
  for (size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] == batch && in[int(i)] == 1) return i;
  return std::nullopt;
}

Macs products(const Program& program) {
  Macs sum;
  for (const auto& operation : program.operations) sum += operation.cost.macs * operation.repeat;
  return sum;
}

}  // namespace

const TensorType* Binder::written_type(ValueId in_graph) const {
  if (!in_graph.present()) return nullptr;
  const ValueId bound = written_->top_map_.at(size_t(in_graph.index));
  if (!bound.present() || !written_program_->value(bound).type) return nullptr;
  return &*written_program_->value(bound).type;
}

// The one axis that differs from the file's batch to this one, by as much as they do.
std::optional<int> Binder::batch_axis(ValueId in_graph, ValueId bound) const {
  const TensorType* was = written_type(in_graph);
  const auto& is = bound.present() ? program_.value(bound).type : std::nullopt;
  if (!was || !is || was->shape.rank() != is->shape.rank()) return std::nullopt;
  std::optional<int> found;
  for (int axis = 0; axis < was->shape.rank(); ++axis) {
    if (was->shape[axis] == is->shape[axis]) continue;
    const bool scaled = Count(was->shape[axis]) * *options_.batch == Count(is->shape[axis]) * written_batch_;
    if (found || !scaled || was->shape[axis] % written_batch_ != 0) return std::nullopt;
    found = axis;
  }
  return found;
}

// The sizes that a reshape, an expand or a resize asks for, and the repeats of a tile.
void Binder::rewrite_target(const Node& node, Operation& operation) {
  const TensorType *was = written_type(node.inputs[0]), *result = written_type(node.outputs[0]);
  if (operation.op_name == "tile" || operation.op_name == "resize") {
    const size_t given = operation.op_name == "tile" ? 1 : 3;  // the input with a number for each axis
    if (!was || given >= operation.inputs.size() || !constant_of(operation.inputs[given])) return;
    auto numbers = constant_of(operation.inputs[given])->integers();
    const auto axis = batch_axis(node.inputs[0], operation.inputs[0]);
    if (axis && given == 1) return;  // what is there for each sample stays so
    const auto place = place_of_batch(numbers, was->shape, axis, written_batch_);
    if (!place) return;
    numbers[*place] = *options_.batch;
    operation.inputs[given] = add_constant(operation.name, integer_tensor(numbers));
    return;
  }
  if (!was || !result || operation.inputs.size() < 2 || !constant_of(operation.inputs[1])) return;
  const auto axis = batch_axis(node.inputs[0], operation.inputs[0]);
  Shape target = result->shape;
  std::optional<int> to;
  if (operation.op_name == "reshape") {
    if (axis)
      to = reshaped_axis(was->shape, *axis, steps_of(operation.inputs[0], was->shape[*axis]), target, written_batch_);
  } else {
    const int lead = target.rank() - was->shape.rank();
    if (axis) to = *axis + lead;
    else if (operation.attributes.has("batch_axis")) to = int(operation.attributes.integer("batch_axis", 0));
    for (int i = 0; !to && !axis && written_batch_ > 1 && i < target.rank(); ++i)
      if (target[i] == written_batch_ && (i < lead || was->shape[i - lead] == 1)) to = i;
  }
  if (!to) return;
  if (operation.op_name == "reshape" && axis)
    batch_steps_[operation.outputs[0].index] = steps_of(operation.inputs[0], was->shape[*axis]) *
                                               after(was->shape, *axis) / std::max<int64_t>(1, after(target, *to));
  if (*to < 0 || *to >= target.rank()) return;
  target[*to] = (Count(target[*to] / written_batch_) * *options_.batch).value();
  operation.inputs[1] = add_constant(operation.name, sizes(target));
}

// How many steps along an axis of `size` are one sample's, where the batch is not that axis alone.
int64_t Binder::steps_of(ValueId bound, int64_t size) const {
  const auto known = batch_steps_.find(bound.index);
  if (known != batch_steps_.end() && size % (known->second * written_batch_) == 0) return known->second;
  return size / written_batch_;
}

void Binder::follow_batch(const Node& node, Operation& operation, const Place& place) {
  if (&place.graph != &graph_ || node.inputs.empty() || node.outputs.empty()) return;
  if (const auto known = batch_steps_.find(operation.inputs[0].index);
      known != batch_steps_.end() && operation.outputs[0].present())
    batch_steps_[operation.outputs[0].index] = known->second;
  constexpr std::string_view kWithSizes[] = {"expand", "reshape", "resize", "tile"};
  if (std::find(std::begin(kWithSizes), std::end(kWithSizes), operation.op_name) != std::end(kWithSizes))
    rewrite_target(node, operation);
}

// Twice the samples are twice the work: a batch that ended up in the wrong axis shows here.
Status Binder::check_batch() const {
  const double ratio = double(*options_.batch) / double(written_batch_);
  const double was = double(products(*written_program_).value()), is = double(products(program_).value());
  const bool in_proportion = is <= was * ratio * 1.01 + 1;
  bool follows = graph_.outputs.empty();
  for (const ValueId id : graph_.outputs) follows = follows || batch_axis(id, top_map_[size_t(id.index)]);
  if (in_proportion && follows) return {};
  return user_error("the batch could not be followed from its inputs to its outputs");
}

bool Binder::asks_another_batch() const {
  if (!graph_.batch_symbol.empty() || !options_.batch || options_.sample || graph_.inputs.empty()) return false;
  const auto& shape = graph_.value(graph_.inputs[0]).shape;
  return shape && !shape->empty() && !(*shape)[0].is_symbolic() && (*shape)[0].size > 0 &&
         (*shape)[0].size != *options_.batch && !takes_one_picture();
}

Result<Program> Binder::run_like(const Binder& written, const Program& program_as_written) {
  written_ = &written;
  written_program_ = &program_as_written;
  written_batch_ = (*graph_.value(graph_.inputs[0]).shape)[0].size;
  auto program = run();
  if (program.ok()) return program;
  return user_error(fmt::format("it was exported for batch {} and does not take another ({})", written_batch_,
                                program.error().line()),
                    "export it with an open batch: torch.onnx.export(…, dynamic_shapes={\"x\": {0: \"batch\"}})");
}

}  // namespace plimsoll
