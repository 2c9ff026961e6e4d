// All kernels of the torch backend, each in the file of its family.
#pragma once

#include "run/exec/torch/torch_site.h"

namespace plimsoll {

// unary.cpp, binary.cpp, activation_grad.cpp
TorchKernel torch_unary(TorchSite& site);  // by the name of the op
bool is_torch_unary(std::string_view op);
TorchKernel torch_gelu(TorchSite& site);
TorchKernel torch_quick_gelu(TorchSite& site);
TorchKernel torch_leaky_relu(TorchSite& site);
TorchKernel torch_elu(TorchSite& site);
TorchKernel torch_hard_sigmoid(TorchSite& site);
TorchKernel torch_clip(TorchSite& site);
TorchKernel torch_softsign(TorchSite& site);
TorchKernel torch_activation_grad(TorchSite& site);
TorchKernel torch_relu_grad(TorchSite& site);
TorchKernel torch_gelu_grad(TorchSite& site);
TorchKernel torch_quick_gelu_grad(TorchSite& site);
TorchKernel torch_leaky_relu_grad(TorchSite& site);
TorchKernel torch_elu_grad(TorchSite& site);
TorchKernel torch_hard_sigmoid_grad(TorchSite& site);
TorchKernel torch_clip_grad(TorchSite& site);
TorchKernel torch_exp_grad(TorchSite& site);
TorchKernel torch_log_grad(TorchSite& site);
TorchKernel torch_sqrt_grad(TorchSite& site);
TorchKernel torch_reciprocal_grad(TorchSite& site);
TorchKernel torch_add(TorchSite& site);
TorchKernel torch_sub(TorchSite& site);
TorchKernel torch_binary(TorchSite& site);
TorchKernel torch_div_grad_divisor(TorchSite& site);
TorchKernel torch_where(TorchSite& site);
TorchKernel torch_sum(TorchSite& site);
TorchKernel torch_accumulate(TorchSite& site);
TorchKernel torch_cast(TorchSite& site);

// conv.cpp, product.cpp
TorchKernel torch_conv(TorchSite& site);
TorchKernel torch_conv_grad_data(TorchSite& site);
TorchKernel torch_conv_grad_weights(TorchSite& site);
TorchKernel torch_linear(TorchSite& site);
TorchKernel torch_gemm(TorchSite& site);
TorchKernel torch_matmul(TorchSite& site);

// batch_norm.cpp, layer_norm.cpp, lrn.cpp, softmax.cpp
TorchKernel torch_batch_norm(TorchSite& site);
TorchKernel torch_batch_norm_train(TorchSite& site);
TorchKernel torch_batch_norm_grad(TorchSite& site);
TorchKernel torch_batch_norm_grad_stored(TorchSite& site);
TorchKernel torch_layer_norm(TorchSite& site);
TorchKernel torch_layer_norm_grad(TorchSite& site);
TorchKernel torch_lrn(TorchSite& site);
TorchKernel torch_lrn_grad(TorchSite& site);
TorchKernel torch_softmax(TorchSite& site);
TorchKernel torch_softmax_grad(TorchSite& site);

// loss.cpp, cross_entropy.cpp
TorchKernel torch_loss(TorchSite& site);
TorchKernel torch_loss_grad(TorchSite& site);
TorchKernel torch_cross_entropy(TorchSite& site);
TorchKernel torch_cross_entropy_grad(TorchSite& site);

// pool.cpp, whole_pool.cpp
TorchKernel torch_average_pool(TorchSite& site);
TorchKernel torch_average_pool_grad(TorchSite& site);
TorchKernel torch_max_pool(TorchSite& site);
TorchKernel torch_max_pool_grad(TorchSite& site);
TorchKernel torch_global_average_pool(TorchSite& site);
TorchKernel torch_global_average_pool_grad(TorchSite& site);
TorchKernel torch_adaptive_average_pool(TorchSite& site);
TorchKernel torch_adaptive_average_pool_grad(TorchSite& site);
TorchKernel torch_plane_max(TorchSite& site);
TorchKernel torch_plane_max_grad(TorchSite& site);

// move.cpp, gather.cpp, reduce.cpp, dropout.cpp
TorchKernel torch_concat(TorchSite& site);
TorchKernel torch_split(TorchSite& site);
TorchKernel torch_slice(TorchSite& site);
TorchKernel torch_slice_grad(TorchSite& site);
TorchKernel torch_transpose(TorchSite& site);
TorchKernel torch_expand(TorchSite& site);
TorchKernel torch_pad(TorchSite& site);
TorchKernel torch_gather(TorchSite& site);
TorchKernel torch_gather_grad(TorchSite& site);
TorchKernel torch_sum_to(TorchSite& site);
TorchKernel torch_reduce(TorchSite& site);
TorchKernel torch_dropout(TorchSite& site);
TorchKernel torch_dropout_grad(TorchSite& site);

// update.cpp
TorchKernel torch_update(TorchSite& site);

// A tensor of one number on the device.
TorchTensor torch_number(DType type, double value);

}  // namespace plimsoll
