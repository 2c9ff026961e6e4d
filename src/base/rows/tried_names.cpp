#include "base/rows/tried_names.h"

#include <algorithm>

#include "base/text.h"

namespace plimsoll {
namespace {

constexpr TriedName kTried[] = {
    {"batch_size", "batch", ""},
    {"bs", "batch", ""},
    {"per_device_train_batch_size", "batch", ""},
    {"gpu", "device", ""},
    {"accelerator", "device", ""},
    {"precision", "dtype", ""},
    {"amp", "dtype", "amp"},
    {"fp16", "dtype", "f16"},
    {"bf16", "dtype", "bf16"},
    {"learning_rate", "lr", ""},
    {"lr", "lr", ""},
    {"weight_decay", "weight_decay", ""},
    {"dropout", "dropout", ""},
    {"patience", "early_stop", ""},
    {"seq_len", "sequence", ""},
    {"seq_length", "sequence", ""},
    {"sequence_length", "sequence", ""},
    {"max_length", "sequence", ""},
    {"context", "sequence", ""},
    {"context_length", "sequence", ""},
    {"ctx", "sequence", ""},
    {"input_shape", "input", ""},
    {"input_size", "input", ""},
    {"shape", "input", ""},
    {"num_classes", "classes", ""},
    {"num_epochs", "epochs", ""},
    {"num_train_epochs", "epochs", ""},
    {"num_samples", "samples", ""},
    {"dataset_size", "samples", ""},
    {"opt", "optimizer", ""},
    {"optim", "optimizer", ""},
    {"vram", "memory", ""},
    {"gpus", "workers", ""},
    {"num_gpus", "workers", ""},
    {"gradient_accumulation_steps", "micro_batches", ""},
    {"accumulate", "micro_batches", ""},
    {"grad_accum", "micro_batches", ""},
    {"world_size", "workers", ""},
    {"num_workers", "loaders", ""},
    {"gradient_checkpointing", "recompute", "1"},
    {"accumulate_grad_batches", "micro_batches", ""},
    {"image_size", "input", "3x256x256", false},
    {"img_size", "input", "3x256x256", false},
    {"resolution", "input", "3x256x256", false},
    {"inference", "mode", "inference"},
    {"train", "mode", "train"},
    {"eval", "mode", "inference"},
    {"torch_compile", "compile", ""},
    {"channels_last", "layout", "nhwc"},
    {"flash_attn", "attention", "flash"},
    {"flash_attention", "attention", "flash"},
    {"attn", "attention", ""},
    {"attn_implementation", "attention", ""},
    {"ddp", "workers", "2", false},
    {"fsdp", "shard", "fsdp", false},
    {"zero", "shard", "zero3", false},
    {"deepspeed", "shard", "zero3", false},
    {"load_in_4bit", "method", "qlora:16", false},
    {"lora", "method", "lora:16", false},
    {"qlora", "method", "qlora:16", false},
};

}  // namespace

const TriedName* tried_name(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(kTried), std::end(kTried), [&](const auto& one) { return one.name == name; });
  return found == std::end(kTried) ? nullptr : found;
}

std::string meant_by(std::string_view name, std::span<const std::string> known) {
  const TriedName* tried = tried_name(name);
  if (!tried) return did_you_mean(std::string(name), known);
  if (std::find(known.begin(), known.end(), tried->field) == known.end())
    return {};  // the verb has nothing of the kind
  return "did you mean '" + std::string(tried->field) + "'" +
         (tried->value.empty() ? "" : " with '" + std::string(tried->value) + "'") + "?";
}

}  // namespace plimsoll
