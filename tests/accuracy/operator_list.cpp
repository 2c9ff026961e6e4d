#include "tests/accuracy/operator_list.h"

#include <array>
#include <map>
#include <set>

namespace plimsoll {
namespace {

using nlohmann::json;

double volume(const std::vector<double>& shape, size_t from) {
  double numbers = 1;
  for (size_t i = from; i < shape.size(); ++i) numbers *= shape[i];
  return numbers;
}

bool starts(const std::string& text, std::string_view with) { return text.rfind(with, 0) == 0; }
bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

bool rearranges(const std::string& name) {
  static const std::set<std::string> kNames = {
      "cat",    "stack", "constant_pad_nd",    "reflection_pad2d",    "index",      "copy_", "repeat",
      "im2col", "clone", "upsample_nearest2d", "upsample_bilinear2d", "as_strided_"};
  return kNames.contains(name);
}

DType torch_dtype(const std::string& name) {
  if (name == "float16") return DType::f16;
  if (name == "bfloat16") return DType::bf16;
  if (name == "float64") return DType::f64;
  return name == "float32" ? DType::f32 : DType::i64;
}

// Makes the kernels of a step, operator by operator.
class Step {
 public:
  Step(const OperatorList& list, double batch, TorchVersion torch)
      : list_(list), scale_(batch / list.batch), torch_(torch) {
    program_.trains = list.trains;
    program_.parameters = list.parameters;
  }

  TimedProgram run() && {
    for (size_t i = 0; i < list_.operators.size(); ++i) {
      // The kernels of fused attention write what they are asked for as it is read next: no copy.
      if (i > 0 && list_.operators[i].name == "clone" && list_.operators[i - 1].name == "sdpa") continue;
      add(list_.operators[i], i + 1 < list_.operators.size() ? list_.operators[i + 1].name : "");
    }
    if (list_.trains && list_.parameters > 0) {
      // Momentum: three numbers read, two written.
      TimedOperation update{.work = Work::update, .phase = Phase::update, .bytes = list_.parameters * 4 * 5};
      put(update);
    }
    return std::move(program_);
  }

 private:
  void add(const ListedOperator& op, const std::string& next) {
    if (op.name == "convolution") convolution(op);
    else if (op.name == "sdpa") attention(op);
    else if (op.product.size() == 3) product(op);
    else if (op.product.size() == 4) batched_product(op);
    else if (has(op.name, "batch_norm")) norm(op, Norm::batch, 2 * op.in + op.out);
    else if (has(op.name, "softmax")) norm(op, Norm::row, op.in + 2 * op.out);
    else if (op.name == "native_layer_norm" || op.name == "native_group_norm") norm(op, Norm::row, 2 * op.in + op.out);
    else if (has(op.name, "pool2d")) {
      pass(op, Work::pool, Phase::forward, op.in + op.out, 0);
      if (list_.trains) pass(op, Work::pool, Phase::backward, op.in + 2 * op.out, 0);
    } else if (op.name == "mean" || op.name == "sum" || op.name == "var" || op.name == "amax" ||
               starts(op.name, "nll_loss")) {
      pass(op, Work::reduce, Phase::forward, op.in + op.out, 0);
      if (list_.trains) pass(op, Work::element, Phase::backward, op.in + op.out, 0);
    } else element(op, next);
  }

  void convolution(const ListedOperator& op) {
    const double taps = volume(op.weights, 2), channels = op.weights[1], kernels = op.weights[0] / op.groups;
    const double out = op.output[0] * volume(op.output, 2) * scale_, in = op.data[0] * volume(op.data, 2) * scale_;
    TimedOperation conv{.work = Work::convolution, .dtype = op.dtype};
    conv.flops = 2 * out * kernels * channels * taps * op.groups;
    conv.bytes = (op.in + op.out) * scale_ + volume(op.weights, 0) * double(element_size(op.dtype));
    conv.product = {.groups = op.groups, .rows = kernels, .columns = out, .depth = channels * taps};
    conv.product.taps = taps, conv.product.channels = channels;
    conv.product.transforms = op.groups == 1 && (taps == 9 || taps == 25) && in == out;
    put(conv);
    if (!list_.trains) return;
    conv.phase = Phase::backward;
    TimedOperation data = conv, weights = conv;
    data.work = Work::grad_data;
    data.product.rows = channels, data.product.columns = in, data.product.depth = kernels * taps;
    weights.work = Work::grad_weights;
    weights.product.columns = channels * taps, weights.product.depth = out;
    if (!first_) put(data);
    first_ = false;
    put(weights);
    if (op.operands > 2) pass(op, Work::reduce, Phase::backward, op.out, 0);
  }

  void put_product(DType dtype, Phase phase, double m, double n, double k, double batches, double bytes) {
    TimedOperation product{.work = Work::product, .phase = phase, .dtype = dtype};
    product.flops = 2 * m * n * k * batches;
    product.bytes = bytes;
    product.product = {.rows = n, .columns = m * batches, .depth = k, .channels = k, .batches = batches};
    put(product);
  }

  void product(const ListedOperator& op) {
    const double m = op.product[0] * scale_, n = op.product[1], k = op.product[2];
    const double bytes = double(element_size(op.dtype)) * (m * k + m * n + n * k);
    put_product(op.dtype, Phase::forward, m, n, k, 1, bytes);
    if (!list_.trains) return;
    put_product(op.dtype, Phase::backward, m, k, n, 1, bytes);
    put_product(op.dtype, Phase::backward, n, k, m, 1, bytes);
    if (op.name == "addmm") pass(op, Work::reduce, Phase::backward, double(element_size(op.dtype)) * m * n / scale_, 0);
  }

  void batched_product(const ListedOperator& op) {
    const double b = op.product[0] * scale_, m = op.product[1], n = op.product[2], k = op.product[3];
    const double bytes = double(element_size(op.dtype)) * b * (m * k + m * n + n * k);
    put_product(op.dtype, Phase::forward, m, n, k, b, bytes);
    if (!list_.trains) return;
    put_product(op.dtype, Phase::backward, m, k, n, b, bytes);
    put_product(op.dtype, Phase::backward, k, n, m, b, bytes);
  }

  // Kernels of fused attention take four axes. Of more, its operations run one by one, since 2.5 in 32 bits.
  void plain_attention(const ListedOperator& op, double rows, double width, double batches) {
    const bool widened = torch_ >= TorchVersion{2, 5};
    const DType dtype = widened ? DType::f32 : op.dtype;
    const double size = double(element_size(dtype)), operands = rows * width + op.keys * width;
    const auto pass = [&](double numbers, double bytes, Norm norm) {
      const Work work = norm == Norm::none ? Work::element : Work::normalise;
      put({.work = work, .dtype = dtype, .bytes = batches * numbers * bytes, .norm = norm, .channels = op.keys});
    };
    if (widened) pass(operands + op.keys * width, size + 2, Norm::none);
    pass(operands, 2 * size, Norm::none);  // both are scaled
    const double bytes = batches * size * (operands + rows * op.keys);
    put_product(dtype, Phase::forward, rows, op.keys, width, batches, bytes);
    pass(rows * op.keys, 2 * size, Norm::row);
    put_product(dtype, Phase::forward, rows, width, op.keys, batches, bytes);
    if (widened) pass(rows * width, size + 2, Norm::none);
  }

  void attention(const ListedOperator& op) {
    const size_t rank = op.output.size();
    const double rows = op.output[rank - 2], width = op.output[rank - 1];
    const double batches = volume(op.output, 0) / rows / width * scale_;
    constexpr size_t kFused = 4;
    if (rank > kFused) return plain_attention(op, rows, width, batches);
    TimedOperation attention{.work = Work::product, .dtype = op.dtype, .attends = true};
    attention.flops = 4 * batches * rows * op.keys * width;
    attention.bytes = (op.in + op.out) * scale_;
    attention.product = {.groups = 2, .rows = op.keys, .columns = rows * batches, .depth = width};
    attention.product.channels = width, attention.product.batches = batches;
    put(attention);
  }

  void norm(const ListedOperator& op, Norm norm, double backward) {
    TimedOperation pass{.work = Work::normalise, .dtype = op.dtype, .norm = norm};
    pass.bytes = (op.in + op.out) * scale_ + op.own;
    if (norm == Norm::batch && op.output.size() > 1) pass.channels = op.output[1];
    if (has(op.name, "softmax") && !op.output.empty()) pass.channels = op.output.back();
    put(pass);
    if (!list_.trains) return;
    pass.phase = Phase::backward;
    pass.bytes = backward * scale_ + op.own;
    put(pass);
  }

  void element(const ListedOperator& op, const std::string& next) {
    if (op.dtype == DType::i64) return;
    const double data = op.in + op.out;
    if (rearranges(op.name)) {
      pass(op, Work::element, Phase::forward, data, op.own, true);
      // A copy that the next operator writes over is one only for the list's sake.
      const bool overwritten = op.name == "clone" && !next.empty() && next.back() == '_';
      if (list_.trains && !overwritten) pass(op, Work::element, Phase::backward, data, op.own, true);
      return;
    }
    const bool of_parameters = op.name == "_to_copy" && op.in == 0;
    if (of_parameters) {
      pass(op, Work::element, Phase::forward, 0, op.own + op.out);
      if (list_.trains) pass(op, Work::element, Phase::backward, 0, op.own + op.out);
      return;
    }
    pass(op, Work::element, Phase::forward, data, op.own);
    if (!list_.trains) return;
    const bool two = (op.name == "mul" || op.name == "addcmul") && op.operands > 1;
    const double back = op.name == "_to_copy" ? data : two ? 2 * data : 3 * op.out;
    pass(op, Work::element, Phase::backward, back, op.own);
  }

  void pass(const ListedOperator& op, Work work, Phase phase, double grows, double stays, bool rearranges = false) {
    TimedOperation pass{.work = work, .phase = phase, .dtype = op.dtype, .rearranges = rearranges};
    pass.bytes = grows * scale_ + stays;
    if (op.name == "upsample_bilinear2d" && phase == Phase::forward)
      pass.channels = op.output[0] * op.output[1] * scale_;
    put(pass);
  }

  void put(TimedOperation operation) {
    const ProductShape& p = operation.product;
    const std::array<double, 15> key = {double(operation.work),
                                        double(operation.phase),
                                        double(operation.dtype),
                                        double(operation.norm),
                                        double(operation.rearranges),
                                        operation.flops,
                                        operation.bytes,
                                        p.groups,
                                        p.rows,
                                        p.columns,
                                        p.depth,
                                        p.taps,
                                        p.channels,
                                        p.batches,
                                        operation.channels};
    const auto [known, fresh] = at_.try_emplace(key, program_.operations.size());
    if (fresh) program_.operations.push_back(operation);
    else program_.operations[known->second].repeat += 1;
  }

  const OperatorList& list_;
  const double scale_;
  const TorchVersion torch_;
  bool first_ = true;
  TimedProgram program_;
  std::map<std::array<double, 15>, size_t> at_;
};

}  // namespace

OperatorList operator_list(const json& from) {
  OperatorList list{.batch = from.value("B", 1.0), .parameters = from.value("params", 0.0)};
  list.trains = from.value("mode", "infer") == "train";
  for (const json& op : from.at("ops")) {
    ListedOperator made{.name = op.at("n"), .dtype = torch_dtype(op.value("dt", "float32"))};
    made.in = op.value("ib", 0.0), made.out = op.value("ob", 0.0), made.own = op.value("pb", 0.0);
    made.output = op.value("os", std::vector<double>());
    made.data = op.value("x", std::vector<double>());
    made.weights = op.value("w", std::vector<double>());
    made.product = op.value(op.contains("mnk") ? "mnk" : "bmnk", std::vector<double>());
    made.groups = op.value("g", 1.0);
    if (op.contains("ss")) made.operands = op["ss"].size();
    if (made.name == "sdpa") made.keys = *(op["ss"][1].end() - 2);
    list.operators.push_back(std::move(made));
  }
  return list;
}

TimedProgram timed(const OperatorList& list, double batch, TorchVersion torch) {
  return Step(list, batch, torch).run();
}

}  // namespace plimsoll
