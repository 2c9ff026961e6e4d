// FrameworkProfile: the size rules of the frameworks that we answer for: what a tensor, a convolution's scratch
// memory and the process itself take, in PyTorch or TensorFlow on a given device. framework_peak.h replays a step
// with them; framework_accuracy.h tells how good the answers have been.
//
// Our own engine has no profile: its sizes are exact (plain_size_rules()).
#pragma once

#include <optional>
#include <string_view>

#include "model/passes/pipeline.h"
#include "plan/devices/device.h"
#include "plan/devices/framework.h"
#include "plan/memory/framework_allocator.h"
#include "plan/memory/size_rules.h"

namespace plimsoll {

// How this framework runs a step: only ours fuses, and writes over whatever nobody reads any more.
StepOptions step_options(Framework framework);

// The scratch memory of convolutions with windows and stride 1, in copies of their input and output.
enum class ConvScratch : uint8_t {
  none,      // computes from the images themselves
  winograd,  // transformed images: 36 numbers for 16 (tiles of 4x4 pixels, windows of 3x3)
  layout,    // images with their channels last, as tensor cores want them
};

class FrameworkProfile : public SizeRules {
 public:
  // `device` may be absent: a memory size is all that is known. `mixed`: activations in 16 bits, parameters in 32.
  FrameworkProfile(Framework framework, const Device* device, bool mixed);

  Framework framework() const { return framework_; }
  bool mixed() const { return mixed_; }
  AllocatorKind allocator() const { return allocator_; }

  // The frameworks' rounding is the allocator's, so these are plain bytes and grow evenly with the batch.
  Bytes storage(const Program& program, ValueId id) const override;
  Bytes workspace(const Program& program, size_t index) const override;
  Bytes fixed(const Program& program) const override;
  Bytes fixed() const { return fixed_; }

 private:
  Framework framework_;
  bool mixed_;
  AllocatorKind allocator_;
  ConvScratch scratch_;
  Bytes fixed_;
};

}  // namespace plimsoll
