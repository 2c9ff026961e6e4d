#include "run/exec/torch/torch_kernels.h"

#include "run/exec/torch/kernels/torch_kernel_makers.h"

namespace plimsoll {
namespace {

struct Line {
  std::string_view op;
  MakeTorchKernel make;
};

constexpr Line kLines[] = {
    {"accumulate", torch_accumulate},
    {"adaptive_average_pool", torch_adaptive_average_pool},
    {"adaptive_average_pool_grad", torch_adaptive_average_pool_grad},
    {"adaptive_max_pool", torch_plane_max},
    {"adaptive_max_pool_train", torch_plane_max},
    {"add", torch_add},
    {"average_pool", torch_average_pool},
    {"average_pool_grad", torch_average_pool_grad},
    {"batch_norm", torch_batch_norm},
    {"batch_norm_grad", torch_batch_norm_grad},
    {"batch_norm_grad_stored", torch_batch_norm_grad_stored},
    {"batch_norm_train", torch_batch_norm_train},
    {"binary_cross_entropy", torch_loss},
    {"binary_cross_entropy_grad", torch_loss_grad},
    {"binary_cross_entropy_with_logits", torch_loss},
    {"binary_cross_entropy_with_logits_grad", torch_loss_grad},
    {"cast", torch_cast},
    {"clip", torch_clip},
    {"clip_grad", torch_clip_grad},
    {"concat", torch_concat},
    {"conv", torch_conv},
    {"conv_grad_data", torch_conv_grad_data},
    {"conv_grad_weights", torch_conv_grad_weights},
    {"div", torch_binary},
    {"div_grad_divisor", torch_div_grad_divisor},
    {"dropout_grad", torch_dropout_grad},
    {"dropout_train", torch_dropout},
    {"elu", torch_elu},
    {"elu_grad", torch_elu_grad},
    {"equal", torch_binary},
    {"exp_grad", torch_exp_grad},
    {"expand", torch_expand},
    {"expand_grad", torch_sum_to},
    {"fast_gelu", torch_gelu},
    {"gather", torch_gather},
    {"gather_grad", torch_gather_grad},
    {"gelu", torch_gelu},
    {"gelu_grad", torch_gelu_grad},
    {"gemm", torch_gemm},
    {"global_average_pool", torch_global_average_pool},
    {"global_average_pool_grad", torch_global_average_pool_grad},
    {"global_max_pool", torch_plane_max},
    {"global_max_pool_train", torch_plane_max},
    {"greater", torch_binary},
    {"greater_or_equal", torch_binary},
    {"hard_sigmoid", torch_hard_sigmoid},
    {"hard_sigmoid_grad", torch_hard_sigmoid_grad},
    {"hard_swish_grad", torch_activation_grad},
    {"layer_norm", torch_layer_norm},
    {"layer_norm_grad", torch_layer_norm_grad},
    {"leaky_relu", torch_leaky_relu},
    {"leaky_relu_grad", torch_leaky_relu_grad},
    {"less", torch_binary},
    {"less_or_equal", torch_binary},
    {"linear", torch_linear},
    {"log_grad", torch_log_grad},
    {"log_softmax", torch_softmax},
    {"log_softmax_grad", torch_softmax_grad},
    {"lrn", torch_lrn},
    {"lrn_grad", torch_lrn_grad},
    {"matmul", torch_matmul},
    {"max_pool", torch_max_pool},
    {"max_pool_grad", torch_max_pool_grad},
    {"max_pool_train", torch_max_pool},
    {"mse_loss", torch_loss},
    {"mse_loss_grad", torch_loss_grad},
    {"mul", torch_binary},
    {"pad", torch_pad},
    {"plane_max_grad", torch_plane_max_grad},
    {"pow", torch_binary},
    {"quick_gelu", torch_quick_gelu},
    {"quick_gelu_grad", torch_quick_gelu_grad},
    {"reciprocal_grad", torch_reciprocal_grad},
    {"reduce_max", torch_reduce},
    {"reduce_mean", torch_reduce},
    {"reduce_min", torch_reduce},
    {"reduce_sum", torch_reduce},
    {"relu_grad", torch_relu_grad},
    {"sigmoid_grad", torch_activation_grad},
    {"silu", torch_quick_gelu},
    {"silu_grad", torch_quick_gelu_grad},
    {"slice", torch_slice},
    {"slice_grad", torch_slice_grad},
    {"softmax", torch_softmax},
    {"softmax_cross_entropy", torch_cross_entropy},
    {"softmax_cross_entropy_grad", torch_cross_entropy_grad},
    {"softmax_grad", torch_softmax_grad},
    {"softsign", torch_softsign},
    {"split", torch_split},
    {"sqrt_grad", torch_sqrt_grad},
    {"sub", torch_sub},
    {"sum", torch_sum},
    {"sum_to", torch_sum_to},
    {"tanh_grad", torch_activation_grad},
    {"transpose", torch_transpose},
    {"where", torch_where},
};

}  // namespace

MakeTorchKernel torch_kernel_of(const Op& op) {
  if (op.kind == OpKind::update) return torch_update;
  if (is_torch_unary(op.name)) return torch_unary;
  for (const Line& line : kLines)
    if (line.op == op.name) return line.make;
  return nullptr;
}

}  // namespace plimsoll
