// Site: one operation of a Program while a kernel is chosen for it. A candidate says which layouts it needs of its
// inputs and gives to its outputs, and returns a Kernel; or it declines, and the next one is asked.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "model/ir/program.h"
#include "run/exec/engine_options.h"
#include "run/exec/onednn/kernel.h"
#include "run/exec/onednn/layout.h"

namespace plimsoll {

class ConvDescriptors;

class Site {
 public:
  // `layouts` of the program's values so far, nullopt where nobody has chosen yet; `preferred` of each output: the
  // layout that its reader would have it in, where that is known. Borrows all but `preferred`.
  Site(const Program& program, const Operation& operation, const EngineOptions& engine, ConvDescriptors& convolutions,
       const std::vector<std::optional<Layout>>& layouts, std::vector<std::optional<Layout>> preferred)
      : program(program),
        operation(operation),
        engine(engine),
        convolutions(convolutions),
        layouts_(layouts),
        preferred_(std::move(preferred)) {
    clear();
  }

  const Program& program;
  const Operation& operation;
  const EngineOptions& engine;
  ConvDescriptors& convolutions;

  bool has_input(size_t i) const { return i < operation.inputs.size() && operation.inputs[i].present(); }
  bool has_output(size_t i) const { return i < operation.outputs.size() && operation.outputs[i].present(); }
  const TensorType& input(size_t i) const { return *program.value(operation.inputs[i]).type; }
  const TensorType& output(size_t i) const { return *program.value(operation.outputs[i]).type; }
  const Attributes& attributes() const { return operation.attributes; }
  bool all_f32() const;  // every input and output that is there

  // As input i lies now: row-major where nobody has chosen.
  Layout layout(size_t i) const;
  bool is_free(size_t i) const { return !layouts_[size_t(operation.inputs[i].index)].has_value(); }
  const std::optional<Layout>& preferred(size_t output) const { return preferred_[output]; }

  void need(size_t input, Layout layout) { needs_[input] = std::move(layout); }
  void need_row_major(size_t input) { need(input, row_major(this->input(input))); }
  void give(size_t output, Layout layout) { gives_[output] = std::move(layout); }
  void give_row_major(size_t output) { give(output, row_major(this->output(output))); }
  void all_row_major();
  // Output 0 is input 0 as it lies in memory, seen with other axes: nothing is moved, and both share their memory.
  std::unique_ptr<Kernel> give_view(Layout seen);

  // `why` is one of the few reasons that are written in the kernels: nothing is built when a step is lowered.
  std::unique_ptr<Kernel> decline(std::string_view why) {
    why_not = why;
    return nullptr;
  }
  void clear();

  const std::vector<std::optional<Layout>>& needs() const { return needs_; }
  const std::vector<std::optional<Layout>>& gives() const { return gives_; }
  std::string_view why_not;          // of the last that declined
  std::optional<ConvMethod> method;  // of a convolution: how the kernel computes it
  bool is_view = false;

 private:
  const std::vector<std::optional<Layout>>& layouts_;
  std::vector<std::optional<Layout>> preferred_, needs_, gives_;
};

// One way to run an operation; the Op's name is looked up in onednn_kernels.cpp.
struct Implementation {
  std::unique_ptr<Kernel> (*make)(Site&) = nullptr;
  std::string_view name = {};  // "winograd"
};

}  // namespace plimsoll
