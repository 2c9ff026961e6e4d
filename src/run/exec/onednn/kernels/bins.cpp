// Pools of stated size whose windows oneDNN does not know, and global max pools that remember places.
#include "run/exec/loops/bins.h"

#include "run/exec/onednn/kernels/kernel_makers.h"

namespace plimsoll {
namespace {

std::optional<Bins> bins_of(const Shape& x, const Shape& y) {
  if (x.rank() < 3 || x.rank() > 5 || y.rank() != x.rank() || x.elements() == Count(0)) return std::nullopt;
  Bins bins{x[0] * x[1]};
  for (int axis = 2; axis < x.rank(); ++axis) {
    const auto place = size_t(axis + 3 - x.rank());
    bins.in[place] = x[axis];
    bins.out[place] = y[axis];
  }
  return bins;
}

// f(a number of the places' type); false for other types
template <class F>
bool for_place(DType type, F&& f) {
  if (type == DType::u16) f(uint16_t{});
  else if (type == DType::i32) f(int32_t{});
  else if (type == DType::i64) f(int64_t{});
  else return false;
  return true;
}

}  // namespace

// x → y
std::unique_ptr<Kernel> average_bins_kernel(Site& site) {
  const auto bins = bins_of(site.input(0).shape, site.output(0).shape);
  if (!bins || !site.all_f32()) return site.decline("not f32 planes");
  site.all_row_major();
  return loop_kernel([bins = *bins](const Places& p) { average_bins(bins, p.in(0), p.out(0)); });
}

// dy → dx
std::unique_ptr<Kernel> average_bins_grad_kernel(Site& site) {
  const auto bins = bins_of(site.output(0).shape, site.input(0).shape);
  if (!bins || !site.all_f32()) return site.decline("not f32 planes");
  site.all_row_major();
  return loop_kernel([bins = *bins](const Places& p) { average_bins_back(bins, p.in(0), p.out(0)); });
}

// x → y, places
std::unique_ptr<Kernel> max_bins_kernel(Site& site) {
  const auto bins = bins_of(site.input(0).shape, site.output(0).shape);
  if (!bins || site.input(0).dtype != DType::f32) return site.decline("not f32 planes");
  site.all_row_major();
  if (!site.has_output(1))
    return loop_kernel([bins = *bins](const Places& p) { max_bins<int64_t>(bins, p.in(0), p.out(0), nullptr); });
  std::unique_ptr<Kernel> kernel;
  for_place(site.output(1).dtype, [&](auto zero) {
    using Place = decltype(zero);
    kernel = loop_kernel([bins = *bins](const Places& p) { max_bins(bins, p.in(0), p.out(0), p.out<Place>(1)); });
  });
  return kernel ? std::move(kernel) : site.decline("positions of another type");
}

// dy, places → dx
std::unique_ptr<Kernel> max_bins_grad_kernel(Site& site) {
  const auto bins = bins_of(site.output(0).shape, site.input(0).shape);
  if (!bins || site.input(0).dtype != DType::f32) return site.decline("not f32 planes");
  site.all_row_major();
  std::unique_ptr<Kernel> kernel;
  for_place(site.input(1).dtype, [&](auto zero) {
    using Place = decltype(zero);
    kernel = loop_kernel([bins = *bins](const Places& p) { max_bins_back(bins, p.in(0), p.in<Place>(1), p.out(0)); });
  });
  return kernel ? std::move(kernel) : site.decline("positions of another type");
}

}  // namespace plimsoll
