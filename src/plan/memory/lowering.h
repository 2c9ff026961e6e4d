// Lowering: what a backend makes of a Program before memory is planned: layouts, reorders and workspaces become part
// of it, with exact sizes. The interface is here so that planning links no kernel library; the lowering of our engine
// is in run/exec.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "plan/devices/conv_rates.h"
#include "plan/memory/declined.h"
#include "plan/memory/size_rules.h"

namespace plimsoll {

// A Program as it will really run. Values keep their ids; new ones come after them.
class Lowered {
 public:
  explicit Lowered(Program step) : program(std::move(step)) {}
  virtual ~Lowered() = default;

  // Valid as long as this is.
  virtual const SizeRules& rules() const = 0;

  // How many convolutions, of every direction, are computed how.
  std::map<ConvMethod, int64_t> conv_methods() const;

  Program program;
  int64_t reorders = 0;                        // operations that only change a layout
  std::map<size_t, ConvMethod> methods;        // of the operations that are convolutions, by their index
  std::vector<std::string> by_reference = {};  // names of operations without a fast kernel, each once
  std::vector<Declined> declined = {};         // by operation, in the order in which implementations were asked
};

class Lowering {
 public:
  virtual ~Lowering() = default;
  // `step`: what make_step() returned. May be asked from any thread.
  virtual Result<std::unique_ptr<Lowered>> lower(Program step) const = 0;
  // Lowerings with the same name produce the same step.
  virtual std::string name() const = 0;
  // Whether it takes steps whose operations are fused (StepOptions::fuse); it takes the others in any case.
  virtual bool takes_fused() const { return true; }
  // Whether lowering computes every operation once, to see what it allocates: as slow as a step.
  virtual bool tries_kernels() const { return false; }
};

// Plain layouts, nothing added.
const Lowering& portable_lowering();

}  // namespace plimsoll
