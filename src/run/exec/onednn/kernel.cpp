#include "run/exec/onednn/kernel.h"

namespace plimsoll {
namespace {

class LoopKernel : public Kernel {
 public:
  LoopKernel(Loop loop, Bytes workspace) : loop_(std::move(loop)), workspace_(workspace) {}
  Bytes workspace() const override { return workspace_; }
  void prepare(Places places) override { places_ = std::move(places); }
  void run() override { loop_(places_); }

 private:
  Loop loop_;
  Bytes workspace_;
  Places places_;
};

}  // namespace

std::unique_ptr<Kernel> loop_kernel(Loop loop, Bytes workspace) {
  return std::make_unique<LoopKernel>(std::move(loop), workspace);
}

}  // namespace plimsoll
