#include "model/ops/all_ops.h"

#include <unordered_map>

#include "base/check.h"

// One line an operation, in alphabetical order: PLIM_OP(conv) is conv_op() in conv.cpp.
// clang-format off
#define PLIM_ALL_OPS(PLIM_OP) \
  PLIM_OP(abs) \
  PLIM_OP(accumulate) \
  PLIM_OP(acos) \
  PLIM_OP(acosh) \
  PLIM_OP(adaptive_average_pool) \
  PLIM_OP(adaptive_max_pool) \
  PLIM_OP(add) \
  PLIM_OP(affine_grid) \
  PLIM_OP(arg_max) \
  PLIM_OP(arg_min) \
  PLIM_OP(asin) \
  PLIM_OP(asinh) \
  PLIM_OP(atan) \
  PLIM_OP(atanh) \
  PLIM_OP(attention) \
  PLIM_OP(average_pool) \
  PLIM_OP(batch_norm) \
  PLIM_OP(bernoulli) \
  PLIM_OP(bias_gelu) \
  PLIM_OP(binary_cross_entropy) \
  PLIM_OP(binary_cross_entropy_with_logits) \
  PLIM_OP(bit_shift) \
  PLIM_OP(bitwise_and) \
  PLIM_OP(bitwise_not) \
  PLIM_OP(bitwise_or) \
  PLIM_OP(bitwise_xor) \
  PLIM_OP(blackman_window) \
  PLIM_OP(branch) \
  PLIM_OP(cached_attention) \
  PLIM_OP(cast) \
  PLIM_OP(cast_like) \
  PLIM_OP(ceil) \
  PLIM_OP(celu) \
  PLIM_OP(center_crop_pad) \
  PLIM_OP(clip) \
  PLIM_OP(col2im) \
  PLIM_OP(compress) \
  PLIM_OP(concat) \
  PLIM_OP(concat_from_sequence) \
  PLIM_OP(constant) \
  PLIM_OP(constant_of_shape) \
  PLIM_OP(conv) \
  PLIM_OP(conv_integer) \
  PLIM_OP(conv_transpose) \
  PLIM_OP(cos) \
  PLIM_OP(cosh) \
  PLIM_OP(cum_sum) \
  PLIM_OP(deform_conv) \
  PLIM_OP(depth_to_space) \
  PLIM_OP(dequantize_linear) \
  PLIM_OP(det) \
  PLIM_OP(dft) \
  PLIM_OP(div) \
  PLIM_OP(dropout) \
  PLIM_OP(dynamic_quantize_linear) \
  PLIM_OP(einsum) \
  PLIM_OP(elu) \
  PLIM_OP(equal) \
  PLIM_OP(erf) \
  PLIM_OP(exp) \
  PLIM_OP(expand) \
  PLIM_OP(experts) \
  PLIM_OP(eye_like) \
  PLIM_OP(fast_gelu) \
  PLIM_OP(flatten) \
  PLIM_OP(floor) \
  PLIM_OP(gated_delta_rule) \
  PLIM_OP(gather) \
  PLIM_OP(gather_elements) \
  PLIM_OP(gather_nd) \
  PLIM_OP(gelu) \
  PLIM_OP(gemm) \
  PLIM_OP(global_average_pool) \
  PLIM_OP(global_lp_pool) \
  PLIM_OP(global_max_pool) \
  PLIM_OP(greater) \
  PLIM_OP(greater_or_equal) \
  PLIM_OP(grid_sample) \
  PLIM_OP(group_norm) \
  PLIM_OP(grouped_attention) \
  PLIM_OP(gru) \
  PLIM_OP(hamming_window) \
  PLIM_OP(hann_window) \
  PLIM_OP(hard_sigmoid) \
  PLIM_OP(hard_swish) \
  PLIM_OP(hardmax) \
  PLIM_OP(identity) \
  PLIM_OP(instance_norm) \
  PLIM_OP(is_inf) \
  PLIM_OP(is_nan) \
  PLIM_OP(layer_norm) \
  PLIM_OP(leaky_relu) \
  PLIM_OP(less) \
  PLIM_OP(less_or_equal) \
  PLIM_OP(linear) \
  PLIM_OP(log) \
  PLIM_OP(log_softmax) \
  PLIM_OP(logical_and) \
  PLIM_OP(logical_not) \
  PLIM_OP(logical_or) \
  PLIM_OP(logical_xor) \
  PLIM_OP(loop) \
  PLIM_OP(lp_normalization) \
  PLIM_OP(lp_pool) \
  PLIM_OP(lrn) \
  PLIM_OP(lstm) \
  PLIM_OP(matmul) \
  PLIM_OP(matmul_integer) \
  PLIM_OP(matmul_nbits) \
  PLIM_OP(max) \
  PLIM_OP(max_pool) \
  PLIM_OP(max_roi_pool) \
  PLIM_OP(max_unpool) \
  PLIM_OP(mean) \
  PLIM_OP(mean_variance_norm) \
  PLIM_OP(mel_weight_matrix) \
  PLIM_OP(min) \
  PLIM_OP(mish) \
  PLIM_OP(ml_array_feature_extractor) \
  PLIM_OP(ml_binarizer) \
  PLIM_OP(ml_category_mapper) \
  PLIM_OP(ml_feature_vectorizer) \
  PLIM_OP(ml_imputer) \
  PLIM_OP(ml_label_encoder) \
  PLIM_OP(ml_linear_classifier) \
  PLIM_OP(ml_linear_regressor) \
  PLIM_OP(ml_normalizer) \
  PLIM_OP(ml_one_hot_encoder) \
  PLIM_OP(ml_scaler) \
  PLIM_OP(ml_svm_classifier) \
  PLIM_OP(ml_svm_regressor) \
  PLIM_OP(ml_tree_ensemble_classifier) \
  PLIM_OP(ml_tree_ensemble_regressor) \
  PLIM_OP(ml_zip_map) \
  PLIM_OP(mod) \
  PLIM_OP(mse_loss) \
  PLIM_OP(mul) \
  PLIM_OP(multinomial) \
  PLIM_OP(nchwc_conv) \
  PLIM_OP(nchwc_global_pool) \
  PLIM_OP(nchwc_pool) \
  PLIM_OP(nchwc_reorder) \
  PLIM_OP(neg) \
  PLIM_OP(nll_loss) \
  PLIM_OP(non_max_suppression) \
  PLIM_OP(non_zero) \
  PLIM_OP(one_hot) \
  PLIM_OP(pad) \
  PLIM_OP(pow) \
  PLIM_OP(prelu) \
  PLIM_OP(qgemm) \
  PLIM_OP(qlinear_add) \
  PLIM_OP(qlinear_average_pool) \
  PLIM_OP(qlinear_concat) \
  PLIM_OP(qlinear_conv) \
  PLIM_OP(qlinear_global_average_pool) \
  PLIM_OP(qlinear_leaky_relu) \
  PLIM_OP(qlinear_matmul) \
  PLIM_OP(qlinear_mul) \
  PLIM_OP(qlinear_sigmoid) \
  PLIM_OP(qlinear_softmax) \
  PLIM_OP(quantize_linear) \
  PLIM_OP(quick_gelu) \
  PLIM_OP(random_normal) \
  PLIM_OP(random_normal_like) \
  PLIM_OP(random_uniform) \
  PLIM_OP(random_uniform_like) \
  PLIM_OP(range) \
  PLIM_OP(reciprocal) \
  PLIM_OP(reduce_l1) \
  PLIM_OP(reduce_l2) \
  PLIM_OP(reduce_log_sum) \
  PLIM_OP(reduce_log_sum_exp) \
  PLIM_OP(reduce_max) \
  PLIM_OP(reduce_mean) \
  PLIM_OP(reduce_min) \
  PLIM_OP(reduce_prod) \
  PLIM_OP(reduce_sum) \
  PLIM_OP(reduce_sum_square) \
  PLIM_OP(relative_bias) \
  PLIM_OP(relu) \
  PLIM_OP(reshape) \
  PLIM_OP(resize) \
  PLIM_OP(reverse_sequence) \
  PLIM_OP(rms_norm) \
  PLIM_OP(rnn) \
  PLIM_OP(roi_align) \
  PLIM_OP(rope) \
  PLIM_OP(round) \
  PLIM_OP(route_top_k) \
  PLIM_OP(scaled_tanh) \
  PLIM_OP(scan) \
  PLIM_OP(scatter_elements) \
  PLIM_OP(scatter_nd) \
  PLIM_OP(selective_scan) \
  PLIM_OP(selu) \
  PLIM_OP(sequence_at) \
  PLIM_OP(sequence_construct) \
  PLIM_OP(sequence_empty) \
  PLIM_OP(sequence_erase) \
  PLIM_OP(sequence_insert) \
  PLIM_OP(sequence_length) \
  PLIM_OP(shape) \
  PLIM_OP(shrink) \
  PLIM_OP(sigmoid) \
  PLIM_OP(sign) \
  PLIM_OP(silu) \
  PLIM_OP(sin) \
  PLIM_OP(sinh) \
  PLIM_OP(size) \
  PLIM_OP(skip_layer_norm) \
  PLIM_OP(slice) \
  PLIM_OP(softmax) \
  PLIM_OP(softmax_cross_entropy) \
  PLIM_OP(softplus) \
  PLIM_OP(softsign) \
  PLIM_OP(space_to_depth) \
  PLIM_OP(split) \
  PLIM_OP(split_to_sequence) \
  PLIM_OP(sqrt) \
  PLIM_OP(squeeze) \
  PLIM_OP(stft) \
  PLIM_OP(sub) \
  PLIM_OP(sum) \
  PLIM_OP(sum_to) \
  PLIM_OP(tan) \
  PLIM_OP(tanh) \
  PLIM_OP(tensor_scatter) \
  PLIM_OP(thresholded_relu) \
  PLIM_OP(tile) \
  PLIM_OP(top_k) \
  PLIM_OP(transpose) \
  PLIM_OP(trilu) \
  PLIM_OP(unique) \
  PLIM_OP(unsqueeze) \
  PLIM_OP(upsample) \
  PLIM_OP(where) \
  /* end of the list */
// clang-format on

namespace plimsoll {

#define PLIM_DECLARE(name) const Op& name##_op();
PLIM_ALL_OPS(PLIM_DECLARE)

std::span<const Op* const> all_ops() {
#define PLIM_ENTRY(name) &name##_op(),
  static const Op* const kOps[] = {PLIM_ALL_OPS(PLIM_ENTRY)};
  return kOps;
}

const Op* find_op(std::string_view name) {
  static const auto kByName = [] {
    std::unordered_map<std::string_view, const Op*> map;
    for (const Op* op : all_ops()) PLIM_CHECK(map.emplace(op->name, op).second, "two operations of one name");
    return map;
  }();
  const auto found = kByName.find(name);
  return found == kByName.end() ? nullptr : found->second;
}

const Op* find_onnx_op(std::string_view onnx_name) {
  static const auto kByName = [] {
    std::unordered_map<std::string_view, const Op*> map;
    for (const Op* op : all_ops())
      for (const auto name : op->onnx) PLIM_CHECK(map.emplace(name, op).second, "two operations of one ONNX name");
    return map;
  }();
  const auto found = kByName.find(onnx_name);
  return found == kByName.end() ? nullptr : found->second;
}

const Op& op_named(std::string_view name) {
  const Op* op = find_op(name);
  PLIM_CHECK(op != nullptr, name);
  return *op;
}

}  // namespace plimsoll
