#include "plan/memory/framework_profile.h"

#include <algorithm>

#include "plan/memory/framework_context.h"

namespace plimsoll {
namespace {

// Resident of a process with PyTorch 2.15 as PyPI has it for Linux, which brings CUDA along (528 MiB after its import),
// with torchvision and after two steps of a tiny network (docs/pytorch_cpu.md).
constexpr int64_t kTorchProcess = int64_t{720} << 20;

bool on_gpu(const Device* device) { return !device || device->kind == DeviceKind::gpu; }

bool has_generation(const Device* device, std::initializer_list<std::string_view> generations) {
  return device && std::find(generations.begin(), generations.end(), device->generation) != generations.end();
}

// TensorFlow asks for scratch memory only after its tensors have theirs, and has slower ways without: it never
// decides what fits. Volta computes single precision from the images themselves: its rows show no scratch memory, where
// an older and a newer card show Winograd's to within a few per cent. Tensor cores want another layout.
ConvScratch scratch_of(Framework framework, const Device* device, bool mixed) {
  if (framework != Framework::pytorch) return ConvScratch::none;
  if (!on_gpu(device)) return ConvScratch::layout;  // oneDNN's, with channels in blocks
  const bool tensor_cores = has_generation(device, {"volta", "turing", "ampere", "ada", "hopper", "blackwell"});
  if (mixed && tensor_cores) return ConvScratch::layout;
  if (has_generation(device, {"volta"})) return ConvScratch::none;
  if (has_generation(device, {"ampere", "ada", "hopper", "blackwell", "cdna2", "cdna3"})) return ConvScratch::layout;
  return ConvScratch::winograd;
}

Bytes fixed_of(Framework framework, const Device* device) {
  if (!on_gpu(device)) return framework == Framework::pytorch ? Bytes(kTorchProcess) : Bytes(0);
  if (framework == Framework::pytorch) return pytorch_context(device);
  return framework == Framework::tensorflow ? tensorflow_reserve(device) : Bytes(0);
}

// Image in and image out of a convolution or of one of its two gradients; both absent for anything else.
std::pair<ValueId, ValueId> images_of(const Operation& operation) {
  const bool from_output = operation.op_name == "conv" || operation.op_name == "conv_grad_data";
  if (from_output && !operation.inputs.empty() && !operation.outputs.empty())
    return {operation.inputs[0], operation.outputs[0]};
  if (operation.op_name == "conv_grad_weights" && operation.inputs.size() > 1)
    return {operation.inputs[0], operation.inputs[1]};
  return {};
}

// Windows of more than a point, stride 1, one group: what the scratch algorithms are for.
bool uses_scratch(const Attributes& attributes) {
  const auto kernel = attributes.integers("kernel_shape");
  const auto strides = attributes.integers("strides");
  const bool window = std::any_of(kernel.begin(), kernel.end(), [](int64_t size) { return size > 1; });
  const bool dense = std::all_of(strides.begin(), strides.end(), [](int64_t stride) { return stride == 1; });
  return window && dense && attributes.integer("group", 1) == 1;
}

}  // namespace

StepOptions step_options(Framework framework) {
  StepOptions options;
  if (framework == Framework::plimsoll) return options;
  options.fuse = false;
  options.overwriting = Overwriting::as_written;
  options.state = StateFormat::as_parameter;
  return options;
}

FrameworkProfile::FrameworkProfile(Framework framework, const Device* device, bool mixed)
    : framework_(framework),
      mixed_(mixed),
      allocator_(framework == Framework::pytorch && on_gpu(device) ? AllocatorKind::segments : AllocatorKind::region),
      scratch_(scratch_of(framework, device, mixed)),
      fixed_(fixed_of(framework, device)) {}

Bytes FrameworkProfile::storage(const Program& program, ValueId id) const {
  const ProgramValue& value = program.value(id);
  // Where a pooling found its largest numbers: PyTorch keeps 64-bit indices, TensorFlow looks for them again in
  // the input, which it keeps.
  const bool places = value.role == Role::activation && value.type->dtype == DType::u8;
  // TensorFlow's images have their channels last; convolutions in 32 bits want a copy with their channels first.
  const bool image = value.role == Role::input && value.type->shape.rank() == 4;
  if (image && framework_ == Framework::tensorflow && !mixed_) return value.type->bytes() * 2;
  if (places) return framework_ == Framework::tensorflow ? Bytes(0) : bytes_of(DType::i64, value.type->elements());
  return value.type->bytes();
}

Bytes FrameworkProfile::workspace(const Program& program, size_t index) const {
  if (scratch_ == ConvScratch::none) return Bytes(0);
  const Operation& operation = program.operations[index];
  const auto [in, out] = images_of(operation);
  if (!in.present() || !out.present()) return Bytes(0);
  const bool on_cpu = framework_ == Framework::pytorch && allocator_ == AllocatorKind::region;
  if (!on_cpu && !uses_scratch(operation.attributes)) return Bytes(0);
  if (!program.value(in).type || !program.value(out).type) return Bytes(0);
  const Bytes images = program.value(in).type->bytes() + program.value(out).type->bytes();
  if (scratch_ == ConvScratch::layout) return images;
  return images.overflowed() ? images : images * 2 + Bytes(images.value() / 4);
}

Bytes FrameworkProfile::fixed(const Program&) const { return fixed_; }

}  // namespace plimsoll
