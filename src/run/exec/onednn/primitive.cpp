#include "run/exec/onednn/primitive.h"

#include <unordered_map>

namespace plimsoll {
namespace {

class PrimitiveKernel : public Kernel {
 public:
  PrimitiveKernel(std::function<dnnl::primitive()> make, std::vector<Argument> arguments, dnnl::memory::desc scratchpad)
      : make_(std::move(make)), arguments_(std::move(arguments)), scratchpad_(std::move(scratchpad)) {}

  Bytes workspace() const override { return Bytes(int64_t(scratchpad_.get_size())); }

  void prepare(Places places) override {
    primitive_ = make_();
    for (const auto& argument : arguments_) {
      std::byte* data = (argument.is_output ? places.outputs : places.inputs)[argument.index];
      memory_.emplace(argument.name, dnnl::memory(argument.desc, onednn_engine(), data));
    }
    if (scratchpad_.get_size() > 0)
      memory_.emplace(DNNL_ARG_SCRATCHPAD, dnnl::memory(scratchpad_, onednn_engine(), places.workspace));
  }

  void run() override { primitive_.execute(onednn_stream(), memory_); }

 private:
  std::function<dnnl::primitive()> make_;
  std::vector<Argument> arguments_;
  dnnl::memory::desc scratchpad_;
  dnnl::primitive primitive_;
  std::unordered_map<int, dnnl::memory> memory_;
};

}  // namespace

const dnnl::engine& onednn_engine() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

dnnl::stream& onednn_stream() {
  static dnnl::stream stream(onednn_engine());
  return stream;
}

dnnl::primitive_attr plain_attributes() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

std::unique_ptr<Kernel> primitive_kernel(std::function<dnnl::primitive()> make, std::vector<Argument> arguments,
                                         dnnl::memory::desc scratchpad) {
  return std::make_unique<PrimitiveKernel>(std::move(make), std::move(arguments), std::move(scratchpad));
}

}  // namespace plimsoll
