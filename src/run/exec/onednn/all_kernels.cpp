#include "run/exec/onednn/all_kernels.h"

#include <string_view>

#include "run/exec/onednn/kernels/kernels.h"

namespace plimsoll {
namespace {

struct KernelLine {
  std::string_view op;  // the Op's name
  MakeKernel kernels[3];
};

constexpr KernelLine kLines[] = {
    {"accumulate", {flat_kernel, eltwise_kernel}},
    {"adaptive_average_pool", {pool_kernel, average_bins_kernel}},
    {"adaptive_average_pool_grad", {pool_grad_kernel, average_bins_grad_kernel}},
    {"adaptive_max_pool", {pool_kernel, max_bins_kernel}},
    {"adaptive_max_pool_train", {max_bins_kernel}},
    {"add", {flat_kernel, broadcast_kernel, pairwise_kernel}},
    {"average_pool", {pool_kernel}},
    {"average_pool_grad", {pool_grad_kernel}},
    {"batch_norm", {batch_norm_kernel}},
    {"batch_norm_grad", {batch_norm_grad_kernel}},
    {"batch_norm_grad_stored", {batch_norm_grad_stored_kernel}},
    {"batch_norm_grad_sums", {batch_norm_grad_sums_kernel}},
    {"batch_norm_grad_sync", {batch_norm_grad_sync_kernel}},
    {"batch_norm_pieces", {batch_norm_kernel}},
    {"batch_norm_pieces_grad", {batch_norm_pieces_grad_kernel}},
    {"batch_norm_pieces_train", {batch_norm_train_kernel}},
    {"batch_norm_slice_train", {batch_norm_train_kernel}},
    {"batch_norm_sums", {batch_norm_sums_kernel}},
    {"batch_norm_train", {batch_norm_train_kernel}},
    {"batch_norm_train_sync", {batch_norm_train_sync_kernel}},
    {"binary_cross_entropy", {loss_kernel}},
    {"binary_cross_entropy_grad", {loss_grad_kernel}},
    {"binary_cross_entropy_with_logits", {loss_kernel}},
    {"binary_cross_entropy_with_logits_grad", {loss_grad_kernel}},
    {"concat", {concat_kernel}},
    {"conv", {winograd_kernel, fft_kernel, conv_kernel}},
    {"conv_grad_data", {winograd_grad_data_kernel, fft_grad_data_kernel, conv_grad_data_kernel}},
    {"conv_grad_weights", {winograd_grad_weights_kernel, fft_grad_weights_kernel, conv_grad_weights_kernel}},
    {"conv_norm", {winograd_norm_kernel, fft_norm_kernel, conv_norm_kernel}},
    {"div", {flat_kernel, broadcast_kernel, pairwise_kernel}},
    {"dropout_grad", {dropout_grad_kernel}},
    {"dropout_train", {dropout_kernel}},
    {"expand", {expand_kernel}},
    {"expand_grad", {expand_grad_kernel}},
    {"gather", {gather_kernel}},
    {"gather_grad", {gather_grad_kernel}},
    {"gemm", {matmul_kernel}},
    {"global_average_pool", {pool_kernel}},
    {"global_average_pool_grad", {pool_grad_kernel}},
    {"global_max_pool", {pool_kernel, max_bins_kernel}},
    {"global_max_pool_train", {max_bins_kernel}},
    {"layer_norm", {layer_norm_kernel}},
    {"layer_norm_grad", {layer_norm_grad_kernel}},
    {"linear", {matmul_kernel}},
    {"log_softmax", {softmax_kernel}},
    {"log_softmax_grad", {softmax_kernel}},
    {"lrn", {lrn_kernel}},
    {"lrn_grad", {lrn_grad_kernel}},
    {"matmul", {matmul_kernel}},
    {"max_pool", {pool_kernel}},
    {"max_pool_grad", {pool_grad_kernel}},
    {"max_pool_train", {pool_kernel}},
    {"mse_loss", {loss_kernel}},
    {"mse_loss_grad", {loss_grad_kernel}},
    {"mul", {flat_kernel, broadcast_kernel, pairwise_kernel}},
    {"pad", {pad_kernel}},
    {"plane_max_grad", {max_bins_grad_kernel}},
    {"reduce_sum", {sum_kernel}},
    {"slice", {slice_kernel}},
    {"slice_grad", {slice_grad_kernel}},
    {"softmax", {softmax_kernel}},
    {"softmax_cross_entropy", {cross_entropy_kernel}},
    {"softmax_cross_entropy_grad", {cross_entropy_grad_kernel}},
    {"softmax_grad", {softmax_kernel}},
    {"split", {split_kernel}},
    {"sub", {flat_kernel, broadcast_kernel, pairwise_kernel}},
    {"sum_to", {sum_kernel}},
    {"transpose", {transpose_kernel}},
};

constexpr MakeKernel kUpdates[] = {update_kernel};
constexpr MakeKernel kElementwise[] = {flat_kernel, eltwise_kernel};

}  // namespace

std::span<const MakeKernel> kernels_of(const Op& op) {
  if (op.kind == OpKind::update) return kUpdates;
  for (const auto& line : kLines) {
    if (line.op != op.name) continue;
    size_t count = 0;
    while (count < std::size(line.kernels) && line.kernels[count]) ++count;
    return {line.kernels, count};
  }
  return op.elementwise ? std::span<const MakeKernel>(kElementwise) : std::span<const MakeKernel>();
}

}  // namespace plimsoll
