#include "run/exec/onednn/kernels/summand.h"

#include <cstring>

#include "run/exec/loops/parallel.h"

namespace plimsoll {
namespace {

constexpr size_t kSummand = 3;

class OntoSummand : public Kernel {
 public:
  OntoSummand(std::unique_ptr<Kernel> kernel, Bytes bytes) : kernel_(std::move(kernel)), bytes_(bytes.value()) {}

  Bytes workspace() const override { return kernel_->workspace(); }

  void prepare(Places places) override {
    from_ = places.inputs[kSummand];
    to_ = places.outputs[0];
    kernel_->prepare(std::move(places));
  }

  void run() override {
    if (from_ != to_)
      parallel_ranges(bytes_,
                      [&](int64_t from, int64_t to) { std::memcpy(to_ + from, from_ + from, size_t(to - from)); });
    kernel_->run();
  }

 private:
  std::unique_ptr<Kernel> kernel_;
  int64_t bytes_;
  const std::byte* from_ = nullptr;
  std::byte* to_ = nullptr;
};

}  // namespace

std::unique_ptr<Kernel> onto_summand(Site& site, std::unique_ptr<Kernel> kernel) {
  if (!site.has_input(kSummand)) return kernel;
  const Layout layout = site.gives()[0].value();
  site.need(kSummand, layout);
  return std::make_unique<OntoSummand>(std::move(kernel), bytes_of(layout, site.output(0)));
}

}  // namespace plimsoll
