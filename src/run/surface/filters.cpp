#include "run/surface/filters.h"

#include <cmath>
#include <random>

namespace plimsoll {
namespace {

// Of the weights of this operation, where it has any.
std::optional<int> output_axis(const Operation& operation, const Shape& weights) {
  if (weights.rank() < 2) return std::nullopt;
  if (!operation.op) return 0;
  if (operation.op->kind == OpKind::conv_transpose) return 1;
  if (operation.op->start(1) == 'm') return weights.rank() - (operation.attributes.integer("transB", 0) != 0 ? 2 : 1);
  return 0;  // of convolutions, and the rows of an embedding
}

const Operation* first_reader(const Program& program, ValueId id) {
  for (const auto& operation : program.operations)
    for (const ValueId input : operation.inputs)
      if (input == id) return &operation;
  return nullptr;
}

// Calls visit(index) for each number of the filter.
template <class Visit>
void for_filter(const FilteredParameter& parameter, size_t filter, Visit visit) {
  size_t inner = 1;
  for (int i = *parameter.axis + 1; i < parameter.shape.rank(); ++i) inner *= size_t(parameter.shape[i]);
  const size_t filters = size_t(parameter.shape[*parameter.axis]), outer = parameter.count() / (inner * filters);
  for (size_t o = 0; o < outer; ++o)
    for (size_t i = 0; i < inner; ++i) visit(parameter.first + (o * filters + filter) * inner + i);
}

void scale_filters(const FilteredParameter& parameter, const Point& at, Point& direction) {
  for (size_t filter = 0; filter < size_t(parameter.shape[*parameter.axis]); ++filter) {
    double own = 0, drawn = 0;
    for_filter(parameter, filter, [&](size_t i) {
      own += double(at[i]) * double(at[i]);
      drawn += double(direction[i]) * double(direction[i]);
    });
    const double factor = drawn > 0 ? std::sqrt(own / drawn) : 0;
    for_filter(parameter, filter, [&](size_t i) { direction[i] = float(direction[i] * factor); });
  }
}

}  // namespace

std::vector<FilteredParameter> filtered_parameters(const Program& step) {
  std::vector<FilteredParameter> parameters;
  size_t first = 0;
  for (const auto& operation : step.operations) {
    if (operation.phase != Phase::update) continue;
    const ValueId id = operation.inputs.at(0);
    const ProgramValue& value = step.value(id);
    FilteredParameter parameter{value.name, value.type->shape, first, std::nullopt};
    if (const Operation* reader = first_reader(step, id)) parameter.axis = output_axis(*reader, parameter.shape);
    first += parameter.count();
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

Point filter_direction(const std::vector<FilteredParameter>& parameters, const Point& at, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  Point direction(at.size());
  for (const auto& parameter : parameters) {
    if (!parameter.axis) continue;
    for (size_t i = 0; i < parameter.count(); ++i) direction[parameter.first + i] = normal(random);
    scale_filters(parameter, at, direction);
  }
  return direction;
}

}  // namespace plimsoll
