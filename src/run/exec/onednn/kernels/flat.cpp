// Element-wise operations on operands of one shape: one loop over their memory, in whatever layout they share.
#include <array>
#include <limits>

#include "run/exec/loops/flat.h"
#include "run/exec/loops/parallel.h"
#include "run/exec/onednn/kernels/kernel_makers.h"

namespace plimsoll {
namespace {

const FlatOperation* find_operation(const Operation& operation) {
  for (const auto& known : all_flat_operations())
    if (known.op == operation.op->name && known.then_relu == (operation.then != nullptr)) return &known;
  return nullptr;
}

// A bound of clip: an input whose contents are known, or an attribute.
std::optional<float> bound(const Site& site, size_t input, const char* name, float fallback) {
  if (!site.has_input(input)) return float(site.attributes().number(name, fallback));
  const auto& constant = site.program.value(site.operation.inputs[input]).constant;
  if (!constant || constant->size() != 1) return std::nullopt;
  return float(constant->doubles()[0]);
}

std::optional<std::array<float, 2>> settings_of(const Site& site, const FlatOperation& flat) {
  const Attributes& attributes = site.attributes();
  const auto number = [&](const FlatSetting& setting) {
    return setting.attribute.empty() ? 0.0F : float(attributes.number(setting.attribute, setting.usual));
  };
  if (!flat.op.starts_with("clip")) return {{number(flat.settings[0]), number(flat.settings[1])}};
  constexpr float kFar = std::numeric_limits<float>::infinity();
  const auto low = bound(site, flat.operands, "min", -kFar), high = bound(site, flat.operands + 1, "max", kFar);
  if (!low || !high) return std::nullopt;
  return {{*low, *high}};
}

bool same_shapes(const Site& site, size_t operands) {
  for (size_t i = 0; i < operands; ++i)
    if (!site.has_input(i) || site.input(i) != site.output(0) || site.input(i).dtype != DType::f32) return false;
  return true;
}

}  // namespace

Layout shared_layout(const Site& site, size_t operands) {
  for (size_t i = 0; i < operands; ++i)
    if (!site.is_free(i) && !is_row_major(site.layout(i))) return site.layout(i);
  for (size_t i = 0; i < operands; ++i)
    if (!site.is_free(i)) return site.layout(i);
  return site.layout(0);
}

std::unique_ptr<Kernel> flat_kernel(Site& site) {
  const FlatOperation* flat = find_operation(site.operation);
  if (!flat) return site.decline("no loop is written for it");
  if (site.has_output(1)) return site.decline("more than one result");
  if (!same_shapes(site, flat->operands)) return site.decline("its operands are of different shapes");
  if (flat->op == "dropout" && (site.has_output(1) || site.has_input(2))) return site.decline("dropout may be active");
  const auto settings = settings_of(site, *flat);
  if (!settings) return site.decline("its bounds are only known at run time");
  Layout layout = shared_layout(site, flat->operands);
  const int64_t elements = site.output(0).elements().value();
  int64_t numbers = bytes_of(layout, site.output(0)).value() / int64_t(sizeof(float));
  if (numbers != elements && !flat->keeps_zero) {
    layout = row_major(site.output(0));
    numbers = elements;
  }
  for (size_t i = 0; i < flat->operands; ++i) site.need(i, layout);
  site.give(0, layout);
  const size_t second = flat->operands - 1;
  return loop_kernel([loop = flat->loop, numbers, settings, second](const Places& places) {
    const float* operands[] = {places.in(0), places.in(second)};
    parallel_ranges(numbers,
                    [&](int64_t from, int64_t to) { loop(operands, places.out(0), settings->data(), from, to); });
  });
}

}  // namespace plimsoll
