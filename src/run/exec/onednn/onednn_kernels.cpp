#include "run/exec/onednn/onednn_kernels.h"

#include <string_view>

#include "run/exec/onednn/kernels/kernel_makers.h"

namespace plimsoll {
namespace {

#define PLIM_KERNEL(name) \
  { name##_kernel, #name }

struct KernelLine {
  std::string_view op;  // the Op's name
  Implementation kernels[4];
};

constexpr KernelLine kLines[] = {
    {"accumulate", {PLIM_KERNEL(flat), PLIM_KERNEL(eltwise)}},
    {"adaptive_average_pool", {PLIM_KERNEL(pool), PLIM_KERNEL(average_bins)}},
    {"adaptive_average_pool_grad", {PLIM_KERNEL(pool_grad), PLIM_KERNEL(average_bins_grad)}},
    {"adaptive_max_pool", {PLIM_KERNEL(pool), PLIM_KERNEL(max_bins)}},
    {"adaptive_max_pool_train", {PLIM_KERNEL(max_bins)}},
    {"add", {PLIM_KERNEL(flat), PLIM_KERNEL(broadcast), PLIM_KERNEL(pairwise)}},
    {"average_pool", {PLIM_KERNEL(pool)}},
    {"average_pool_grad", {PLIM_KERNEL(pool_grad)}},
    {"batch_norm", {PLIM_KERNEL(batch_norm)}},
    {"batch_norm_grad", {PLIM_KERNEL(batch_norm_grad)}},
    {"batch_norm_grad_stored", {PLIM_KERNEL(batch_norm_grad_stored)}},
    {"batch_norm_grad_sums", {PLIM_KERNEL(batch_norm_grad_sums)}},
    {"batch_norm_grad_sync", {PLIM_KERNEL(batch_norm_grad_sync)}},
    {"batch_norm_pieces", {PLIM_KERNEL(batch_norm)}},
    {"batch_norm_pieces_grad", {PLIM_KERNEL(batch_norm_pieces_grad)}},
    {"batch_norm_pieces_train", {PLIM_KERNEL(batch_norm_train)}},
    {"batch_norm_slice_train", {PLIM_KERNEL(batch_norm_train)}},
    {"batch_norm_sums", {PLIM_KERNEL(batch_norm_sums)}},
    {"batch_norm_train", {PLIM_KERNEL(batch_norm_train)}},
    {"batch_norm_train_sync", {PLIM_KERNEL(batch_norm_train_sync)}},
    {"binary_cross_entropy", {PLIM_KERNEL(loss)}},
    {"binary_cross_entropy_grad", {PLIM_KERNEL(loss_grad)}},
    {"binary_cross_entropy_with_logits", {PLIM_KERNEL(loss)}},
    {"binary_cross_entropy_with_logits_grad", {PLIM_KERNEL(loss_grad)}},
    {"cached_attention", {PLIM_KERNEL(cached_attention)}},
    {"concat", {PLIM_KERNEL(concat)}},
    {"conv", {PLIM_KERNEL(winograd), PLIM_KERNEL(fft), PLIM_KERNEL(depthwise), PLIM_KERNEL(conv)}},
    {"conv_grad_data",
     {PLIM_KERNEL(winograd_grad_data), PLIM_KERNEL(fft_grad_data), PLIM_KERNEL(depthwise_grad_data),
      PLIM_KERNEL(conv_grad_data)}},
    {"conv_grad_weights",
     {PLIM_KERNEL(winograd_grad_weights), PLIM_KERNEL(fft_grad_weights), PLIM_KERNEL(depthwise_grad_weights),
      PLIM_KERNEL(conv_grad_weights)}},
    {"conv_norm", {PLIM_KERNEL(winograd_norm), PLIM_KERNEL(fft_norm), PLIM_KERNEL(conv_norm)}},
    {"div", {PLIM_KERNEL(flat), PLIM_KERNEL(broadcast), PLIM_KERNEL(pairwise)}},
    {"dropout_grad", {PLIM_KERNEL(dropout_grad)}},
    {"dropout_train", {PLIM_KERNEL(dropout)}},
    {"expand", {PLIM_KERNEL(expand)}},
    {"expand_grad", {PLIM_KERNEL(expand_grad)}},
    {"gather", {PLIM_KERNEL(gather)}},
    {"gather_grad", {PLIM_KERNEL(gather_grad)}},
    {"gemm", {PLIM_KERNEL(matmul)}},
    {"global_average_pool", {PLIM_KERNEL(pool)}},
    {"global_average_pool_grad", {PLIM_KERNEL(pool_grad)}},
    {"global_max_pool", {PLIM_KERNEL(pool), PLIM_KERNEL(max_bins)}},
    {"global_max_pool_train", {PLIM_KERNEL(max_bins)}},
    {"grouped_attention", {PLIM_KERNEL(attention)}},
    {"grouped_attention_grad", {PLIM_KERNEL(attention_grad)}},
    {"layer_norm", {PLIM_KERNEL(layer_norm)}},
    {"layer_norm_grad", {PLIM_KERNEL(layer_norm_grad)}},
    {"linear", {PLIM_KERNEL(matmul)}},
    {"log_softmax", {PLIM_KERNEL(softmax)}},
    {"log_softmax_grad", {PLIM_KERNEL(softmax)}},
    {"lrn", {PLIM_KERNEL(lrn)}},
    {"lrn_grad", {PLIM_KERNEL(lrn_grad)}},
    {"matmul", {PLIM_KERNEL(matmul)}},
    {"max_pool", {PLIM_KERNEL(pool)}},
    {"max_pool_grad", {PLIM_KERNEL(pool_grad)}},
    {"max_pool_train", {PLIM_KERNEL(pool)}},
    {"mse_loss", {PLIM_KERNEL(loss)}},
    {"mse_loss_grad", {PLIM_KERNEL(loss_grad)}},
    {"mul", {PLIM_KERNEL(flat), PLIM_KERNEL(broadcast), PLIM_KERNEL(pairwise)}},
    {"pad", {PLIM_KERNEL(pad)}},
    {"plane_max_grad", {PLIM_KERNEL(max_bins_grad)}},
    {"reduce_sum", {PLIM_KERNEL(sum)}},
    {"rms_norm", {PLIM_KERNEL(rms_norm)}},
    {"rms_norm_grad", {PLIM_KERNEL(rms_norm_grad)}},
    {"rope", {PLIM_KERNEL(rope)}},
    {"slice", {PLIM_KERNEL(slice)}},
    {"slice_grad", {PLIM_KERNEL(slice_grad)}},
    {"softmax", {PLIM_KERNEL(softmax)}},
    {"softmax_cross_entropy", {PLIM_KERNEL(cross_entropy)}},
    {"softmax_cross_entropy_grad", {PLIM_KERNEL(cross_entropy_grad)}},
    {"softmax_grad", {PLIM_KERNEL(softmax)}},
    {"split", {PLIM_KERNEL(split)}},
    {"sub", {PLIM_KERNEL(flat), PLIM_KERNEL(broadcast), PLIM_KERNEL(pairwise)}},
    {"sum_to", {PLIM_KERNEL(sum)}},
    {"transpose", {PLIM_KERNEL(transpose)}},
};

constexpr Implementation kUpdates[] = {PLIM_KERNEL(update)};
constexpr Implementation kElementwise[] = {PLIM_KERNEL(flat), PLIM_KERNEL(eltwise)};

}  // namespace

std::span<const Implementation> kernels_of(const Op& op) {
  if (op.kind == OpKind::update) return kUpdates;
  for (const auto& line : kLines) {
    if (line.op != op.name) continue;
    size_t count = 0;
    while (count < std::size(line.kernels) && line.kernels[count].make) ++count;
    return {line.kernels, count};
  }
  return op.elementwise ? std::span<const Implementation>(kElementwise) : std::span<const Implementation>();
}

}  // namespace plimsoll
