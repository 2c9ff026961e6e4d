// PrimitiveKernel: an operation that is one oneDNN primitive. Scratchpads are the user's: they are part of the plan.
#pragma once

#include <utility>

#include "run/exec/onednn/kernel.h"
#include "run/exec/onednn/layout.h"

namespace plimsoll {

const dnnl::engine& onednn_engine();
dnnl::stream& onednn_stream();

// With the scratchpad in our hands.
dnnl::primitive_attr plain_attributes();

// Which argument of the primitive is which input or output of the operation.
struct Argument {
  int name;  // DNNL_ARG_…
  bool is_output;
  size_t index;
  dnnl::memory::desc desc;
};
inline Argument from_input(int name, size_t index, dnnl::memory::desc desc) { return {name, false, index, desc}; }
inline Argument to_output(int name, size_t index, dnnl::memory::desc desc) { return {name, true, index, desc}; }

// `make` creates the primitive when memory has places: that compiles machine code, which planning does not need.
std::unique_ptr<Kernel> primitive_kernel(std::function<dnnl::primitive()> make, std::vector<Argument> arguments,
                                         dnnl::memory::desc scratchpad);

// oneDNN throws where it has no kernel: nullopt then.
template <class F>
auto attempt(F&& f) -> std::optional<decltype(f())> {
  try {
    return f();
  } catch (const dnnl::error&) {
    return std::nullopt;
  }
}

}  // namespace plimsoll
