// Updates: parameter, gradient, states, learning rate, step → parameter and states, in the parameter's own layout.
#include "run/exec/loops/update_loop.h"

#include <cmath>
#include <limits>

#include "run/exec/onednn/kernels/kernel_makers.h"

namespace plimsoll {
namespace {

class UpdateKernel : public Kernel {
 public:
  UpdateKernel(const UpdateLoop& loop, const UpdateSettings& settings, int64_t size)
      : loop_(loop), settings_(settings), size_(size) {}
  void prepare(Places places) override { places_ = std::move(places); }
  void run() override {
    const size_t rate = loop_.states + 2;
    loop_.run({places_.out(0), places_.in(1), loop_.states > 0 ? places_.out(1) : nullptr,
               loop_.states > 1 ? places_.out(2) : nullptr, size_, *places_.in(rate), *places_.in<int64_t>(rate + 1),
               &trust_ratio_},
              settings_);
  }
  std::optional<double> trust_ratio() const override {
    return std::isnan(trust_ratio_) ? std::nullopt : std::optional(trust_ratio_);
  }

 private:
  const UpdateLoop& loop_;
  UpdateSettings settings_;
  int64_t size_;
  Places places_;
  double trust_ratio_ = std::numeric_limits<double>::quiet_NaN();  // until a loop writes one
};

}  // namespace

std::unique_ptr<Kernel> update_kernel(Site& site) {
  const UpdateLoop* loop = nullptr;
  for (const auto& known : all_update_loops())
    if (known.op == site.operation.op->name) loop = &known;
  if (!loop) return site.decline("no loop is written for it");
  const size_t states = loop->states, rate = states + 2;
  for (size_t i = 0; i < rate; ++i)
    if (site.input(i).dtype != DType::f32) return site.decline("not f32");
  const Layout layout = site.layout(0);
  for (size_t i = 0; i < rate; ++i) site.need(i, layout);
  for (size_t i = 0; i <= states; ++i) site.give(i, layout);
  const int64_t size = bytes_of(layout, site.input(0)).value() / int64_t(sizeof(float));
  return std::make_unique<UpdateKernel>(*loop, UpdateSettings(loop->usual, site.attributes()), size);
}

}  // namespace plimsoll
