// The kernels that onednn_kernels.cpp lists; each group is a file in this folder.
#pragma once

#include "run/exec/onednn/primitive.h"
#include "run/exec/onednn/site.h"

namespace plimsoll {

// The layout that several operands of one shape are best brought to: one that is already there, blocked if any is.
Layout shared_layout(const Site& site, size_t operands);

// The strides of `part` along the axes of `whole` that it broadcasts to: 0 where it is repeated.
std::vector<int64_t> repeated_strides(const Shape& whole, const Shape& part);

std::unique_ptr<Kernel> flat_kernel(Site& site);
std::unique_ptr<Kernel> eltwise_kernel(Site& site);
std::unique_ptr<Kernel> depthwise_kernel(Site& site);
std::unique_ptr<Kernel> depthwise_grad_data_kernel(Site& site);
std::unique_ptr<Kernel> depthwise_grad_weights_kernel(Site& site);
std::unique_ptr<Kernel> conv_kernel(Site& site);
std::unique_ptr<Kernel> conv_norm_kernel(Site& site);
std::unique_ptr<Kernel> conv_grad_data_kernel(Site& site);
std::unique_ptr<Kernel> conv_grad_weights_kernel(Site& site);
std::unique_ptr<Kernel> winograd_kernel(Site& site);
std::unique_ptr<Kernel> winograd_norm_kernel(Site& site);
std::unique_ptr<Kernel> winograd_grad_data_kernel(Site& site);
std::unique_ptr<Kernel> winograd_grad_weights_kernel(Site& site);
std::unique_ptr<Kernel> fft_kernel(Site& site);
std::unique_ptr<Kernel> fft_norm_kernel(Site& site);
std::unique_ptr<Kernel> fft_grad_data_kernel(Site& site);
std::unique_ptr<Kernel> fft_grad_weights_kernel(Site& site);
std::unique_ptr<Kernel> matmul_kernel(Site& site);
std::unique_ptr<Kernel> pool_kernel(Site& site);
std::unique_ptr<Kernel> pool_grad_kernel(Site& site);
std::unique_ptr<Kernel> batch_norm_train_kernel(Site& site);
std::unique_ptr<Kernel> batch_norm_sums_kernel(Site& site);
std::unique_ptr<Kernel> batch_norm_train_sync_kernel(Site& site);
std::unique_ptr<Kernel> batch_norm_grad_sums_kernel(Site& site);
std::unique_ptr<Kernel> batch_norm_grad_sync_kernel(Site& site);
std::unique_ptr<Kernel> batch_norm_grad_kernel(Site& site);
std::unique_ptr<Kernel> batch_norm_pieces_grad_kernel(Site& site);
std::unique_ptr<Kernel> batch_norm_kernel(Site& site);
std::unique_ptr<Kernel> sum_kernel(Site& site);
std::unique_ptr<Kernel> broadcast_kernel(Site& site);
std::unique_ptr<Kernel> pairwise_kernel(Site& site);
std::unique_ptr<Kernel> concat_kernel(Site& site);
std::unique_ptr<Kernel> split_kernel(Site& site);
std::unique_ptr<Kernel> transpose_kernel(Site& site);
std::unique_ptr<Kernel> slice_kernel(Site& site);
std::unique_ptr<Kernel> slice_grad_kernel(Site& site);
std::unique_ptr<Kernel> expand_kernel(Site& site);
std::unique_ptr<Kernel> expand_grad_kernel(Site& site);
std::unique_ptr<Kernel> gather_kernel(Site& site);
std::unique_ptr<Kernel> gather_grad_kernel(Site& site);
std::unique_ptr<Kernel> dropout_kernel(Site& site);
std::unique_ptr<Kernel> dropout_grad_kernel(Site& site);
std::unique_ptr<Kernel> cross_entropy_kernel(Site& site);
std::unique_ptr<Kernel> cross_entropy_grad_kernel(Site& site);
std::unique_ptr<Kernel> softmax_kernel(Site& site);
std::unique_ptr<Kernel> attention_kernel(Site& site);
std::unique_ptr<Kernel> attention_grad_kernel(Site& site);
std::unique_ptr<Kernel> cached_attention_kernel(Site& site);
std::unique_ptr<Kernel> rope_kernel(Site& site);
std::unique_ptr<Kernel> rms_norm_kernel(Site& site);
std::unique_ptr<Kernel> rms_norm_grad_kernel(Site& site);
std::unique_ptr<Kernel> layer_norm_kernel(Site& site);
std::unique_ptr<Kernel> layer_norm_grad_kernel(Site& site);
std::unique_ptr<Kernel> batch_norm_grad_stored_kernel(Site& site);
std::unique_ptr<Kernel> lrn_kernel(Site& site);
std::unique_ptr<Kernel> lrn_grad_kernel(Site& site);
std::unique_ptr<Kernel> loss_kernel(Site& site);
std::unique_ptr<Kernel> loss_grad_kernel(Site& site);
std::unique_ptr<Kernel> max_bins_kernel(Site& site);
std::unique_ptr<Kernel> max_bins_grad_kernel(Site& site);
std::unique_ptr<Kernel> average_bins_kernel(Site& site);
std::unique_ptr<Kernel> average_bins_grad_kernel(Site& site);
std::unique_ptr<Kernel> pad_kernel(Site& site);
std::unique_ptr<Kernel> update_kernel(Site& site);

}  // namespace plimsoll
