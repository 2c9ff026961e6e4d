// attention: onnxruntime's fused self-attention: x (batch, sequence, width) times weights (width, queries
// + keys + values), heads of softmax(Q·Kᵀ · scale) · V, side by side. A past (2, batch, heads, length,
// head) goes before keys and values; with it comes the second output, the present.
// Cost: the four matrix products, exact, and 5 a score for the softmax. Masks are not counted.
// The maths is there without mask, past and bias of the scores.
// Backward, queries, keys, values and scores are computed again, so that nothing but the inputs is kept: the
// projection three times, the scores' product three times, the values' twice, 9 a score for the softmax.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

struct Sizes {
  int64_t batch, sequence, width, heads, past;
  std::vector<int64_t> hidden;  // of queries, keys and values
};

Result<std::vector<int64_t>> hidden_sizes(const OpCall& call, int64_t heads) {
  auto hidden = call.attributes.integers("qkv_hidden_sizes");
  const int64_t columns = call.shape(1)[1];
  if (hidden.empty()) hidden.assign(3, columns / 3);
  Count sum;
  bool good = hidden.size() == 3 && hidden[0] == hidden[1];
  for (const int64_t size : hidden) {
    good = good && size >= 0 && size % heads == 0;
    sum += Count(std::max<int64_t>(0, size));
  }
  if (!good || sum != Count(columns))
    return user_error(fmt::format("weights have {} columns, which are not queries, keys and values of {} ({} heads)",
                                  columns, fmt::join(hidden, ", "), heads));
  return hidden;
}

Result<Sizes> sizes_of(const OpCall& call) {
  const Shape &x = call.shape(0), &w = call.shape(1);
  const int64_t heads = call.attributes.integer("num_heads", 0);
  if (x.rank() != 3 || w.rank() != 2 || w[0] != x[2] || heads < 1)
    return user_error(
        fmt::format("input {} and weights {} with num_heads {}: expected (batch, sequence, width), (width, "
                    "columns) and at least one head",
                    x.text(), w.text(), heads));
  if (call.has(2) && call.shape(2) != Shape{w[1]})
    return user_error(fmt::format("bias has the shape {}, expected {}", call.shape(2).text(), w[1]));
  PLIM_ASSIGN(std::vector<int64_t> hidden, hidden_sizes(call, heads));
  Sizes sizes{x[0], x[1], x[2], heads, 0, hidden};
  if (call.has(4)) {
    const Shape& past = call.shape(4);
    if (past.rank() != 5 || past[0] != 2 || past[1] != x[0] || past[2] != heads || past[4] != hidden[1] / heads)
      return user_error(fmt::format("past has the shape {}, expected 2x{}x{}xlengthx{}", past.text(), x[0], heads,
                                    hidden[1] / heads));
    sizes.past = past[3];
  }
  return sizes;
}

Result<std::vector<TensorType>> infer_attention(const OpCall& call) {
  PLIM_ASSIGN(Sizes size, sizes_of(call));
  std::vector<TensorType> outputs{{call.dtype(0), {size.batch, size.sequence, size.hidden[2]}}};
  const Count length = Count(size.past) + Count(size.sequence);
  if (call.output_count() > 1)
    outputs.push_back({call.dtype(0), {2, size.batch, size.heads, length.value(), size.hidden[1] / size.heads}});
  return outputs;
}

Cost cost_attention(const OpCall& call) {
  const Sizes size = *sizes_of(call);
  const Count rows = Count(size.batch) * size.sequence;
  const Count length = Count(size.past) + Count(size.sequence);
  const Count projected = rows * size.width * call.shape(1)[1];
  const Count mixed = rows * length * size.hidden[0] + rows * length * size.hidden[2];
  const Count macs = projected + mixed;
  return {as<Macs>(macs), as<Flops>(macs * 2 + rows * length * size.heads * 5)};
}

// x · W + bias: (batch × sequence, columns).
std::vector<double> project(const Sizes& size, std::span<const TensorView> in) {
  const auto x = read_doubles(in[0]), w = read_doubles(in[1]), bias = read_doubles(in, 2);
  const int64_t columns = in[1].shape()[1], rows = size.batch * size.sequence;
  std::vector<double> y(size_t(rows * columns));
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c) {
      double sum = bias.empty() ? 0 : bias[size_t(c)];
      for (int64_t k = 0; k < size.width; ++k) sum += x[size_t(r * size.width + k)] * w[size_t(k * columns + c)];
      y[size_t(r * columns + c)] = sum;
    }
  return y;
}

// One head of one query: where its parts begin in the projections and in the output, and what it sees.
struct Head {
  size_t query, keys, values, output, stride;
  int64_t seen, size, value_size;
  double scale;

  // How much of each value it takes; they add up to 1.
  std::vector<double> shares(const double* projected) const {
    std::vector<double> shares;
    const double* first = projected + query;
    for (int64_t t = 0; t < seen; ++t)
      shares.push_back(scale * std::inner_product(first, first + size, projected + keys + size_t(t) * stride, 0.0));
    const double largest = *std::max_element(shares.begin(), shares.end());
    double sum = 0;
    for (double& share : shares) sum += share = std::exp(share - largest);
    for (double& share : shares) share /= sum;
    return shares;
  }
};

template <class F>
void for_heads(const Attributes& attributes, const Sizes& size, F&& f) {
  const int64_t head = size.hidden[0] / size.heads, value_head = size.hidden[2] / size.heads;
  const int64_t columns = 2 * size.hidden[0] + size.hidden[2];
  const double stated = attributes.number("scale", 0);
  const double scale = stated != 0 ? stated : 1 / std::sqrt(double(head));
  const bool causal = attributes.integer("unidirectional", 0) != 0;
  for (int64_t n = 0; n < size.batch; ++n)
    for (int64_t h = 0; h < size.heads; ++h)
      for (int64_t s = 0; s < size.sequence; ++s) {
        const int64_t first = n * size.sequence * columns;
        f(Head{size_t(first + s * columns + h * head), size_t(first + size.hidden[0] + h * head),
               size_t(first + 2 * size.hidden[0] + h * value_head),
               size_t((n * size.sequence + s) * size.hidden[2] + h * value_head), size_t(columns),
               causal ? s + 1 : size.sequence, head, value_head, scale});
      }
}

bool reference_attention(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out) || out.size() > 1) return false;
  for (size_t i = 3; i < in.size(); ++i)
    if (in[i].present()) return false;
  const Sizes size = *sizes_of(call);
  const auto projected = project(size, in);
  std::vector<double> y(size_t(out[0].size()));
  for_heads(call.attributes, size, [&](const Head& head) {
    const auto shares = head.shares(projected.data());
    for (size_t t = 0; t < shares.size(); ++t)
      for (size_t k = 0; k < size_t(head.value_size); ++k)
        y[head.output + k] += shares[t] * projected[head.values + t * head.stride + k];
  });
  write_doubles(out, 0, y);
  return true;
}

// Gradients of queries, keys and values, side by side as they are projected.
std::vector<double> projected_gradient(const Attributes& attributes, const Sizes& size, const std::vector<double>& p,
                                       const std::vector<double>& dy) {
  std::vector<double> dp(p.size());
  for_heads(attributes, size, [&](const Head& head) {
    const auto shares = head.shares(p.data());
    std::vector<double> slopes(shares.size());  // of the loss by each share
    double mean = 0;
    for (size_t t = 0; t < shares.size(); ++t) {
      for (size_t k = 0; k < size_t(head.value_size); ++k) {
        slopes[t] += dy[head.output + k] * p[head.values + t * head.stride + k];
        dp[head.values + t * head.stride + k] += shares[t] * dy[head.output + k];
      }
      mean += shares[t] * slopes[t];
    }
    for (size_t t = 0; t < shares.size(); ++t) {
      const double score = shares[t] * (slopes[t] - mean) * head.scale;
      for (size_t k = 0; k < size_t(head.size); ++k) {
        dp[head.query + k] += score * p[head.keys + t * head.stride + k];
        dp[head.keys + t * head.stride + k] += score * p[head.query + k];
      }
    }
  });
  return dp;
}

// The forward call of attention_grad, whose inputs are dy and then attention's.
OpCall forward_of(const OpCall& call) {
  std::vector<const TensorType*> inputs;
  for (size_t i = 1; i < call.input_count(); ++i) inputs.push_back(call.has(i) ? &call.type(i) : nullptr);
  return OpCall(call.attributes, std::move(inputs), {}, 1);
}

Result<std::vector<TensorType>> infer_attention_grad(const OpCall& call) {
  const OpCall forward = forward_of(call);
  PLIM_ASSIGN(const auto types, infer_attention(forward));
  if (call.shape(0) != types[0].shape)
    return user_error(
        fmt::format("the gradient has the shape {}, expected {}", call.shape(0).text(), types[0].shape.text()));
  return std::vector{call.type(1), call.type(2), TensorType{call.dtype(2), {call.shape(2)[1]}}};
}

Cost cost_attention_grad(const OpCall& call) {
  const Sizes size = *sizes_of(forward_of(call));
  const Count rows = Count(size.batch) * size.sequence, columns(call.shape(2)[1]);
  const Count pairs = rows * size.sequence;
  const Count macs = rows * size.width * columns * 3 + pairs * size.hidden[0] * 3 + pairs * size.hidden[2] * 2;
  return {as<Macs>(macs), as<Flops>(macs * 2 + pairs * size.heads * 9 + rows * columns)};
}

bool reference_attention_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  for (size_t i = 4; i < in.size(); ++i)
    if (in[i].present()) return false;
  const Sizes size = *sizes_of(forward_of(call));
  const auto x = read_doubles(in[1]), w = read_doubles(in[2]);
  const auto dp = projected_gradient(call.attributes, size, project(size, in.subspan(1)), read_doubles(in[0]));
  const auto width = size_t(size.width), columns = size_t(in[2].shape()[1]),
             rows = dp.size() / std::max<size_t>(1, columns);
  std::vector<double> dx(x.size()), dw(w.size()), dbias(columns);
  for (size_t r = 0; r < rows; ++r)
    for (size_t c = 0; c < columns; ++c) {
      const double slope = dp[r * columns + c];
      dbias[c] += slope;
      for (size_t k = 0; k < width; ++k) {
        dx[r * width + k] += slope * w[k * columns + c];
        dw[k * columns + c] += slope * x[r * width + k];
      }
    }
  write_doubles(out, 0, dx);
  write_doubles(out, 1, dw);
  write_doubles(out, 2, dbias);
  return true;
}

const Op& attention_grad() {
  static const Op op{.name = "attention_grad",
                     .kind = OpKind::attention,
                     .onnx = {},
                     .roles = "xxwwx",
                     .required_inputs = 3,
                     .infer = infer_attention_grad,
                     .cost = cost_attention_grad,
                     .reference = reference_attention_grad};
  return op;
}

void gradient_attention(Backward& backward) {
  if (backward.input(4).present() || backward.output(1).present())
    return backward.fail("attention over the keys and values of earlier calls has no gradient");
  for (size_t i = 3; i < backward.call().input_count(); ++i)
    if (backward.wants(i)) return backward.fail("a learned bias of the scores has no gradient");
  std::vector<ValueId> inputs{backward.gradient()};
  for (size_t i = 0; i < backward.call().input_count(); ++i) inputs.push_back(backward.input(i));
  const auto gradients = backward.emit(attention_grad(), std::move(inputs), backward.attributes(), 3);
  for (size_t i = 0; i < 3; ++i)
    if (backward.wants(i)) backward.set(i, gradients[i]);
}

std::vector<OpExample> examples_attention() {
  using example::f32;
  return {{"self-attention", {{"num_heads", int64_t{2}}}, {f32({2, 3, 4}), f32({4, 12}), f32({12})}},
          {"causal, wide values",
           {{"num_heads", int64_t{2}}, {"unidirectional", int64_t{1}}, {"qkv_hidden_sizes", example::Ints{4, 4, 6}}},
           {f32({2, 3, 4}), f32({4, 14})}}};
}

}  // namespace

const Op& attention_op() {
  static const Op op{.name = "attention",
                     .kind = OpKind::attention,
                     .starts = "mm0",
                     .onnx = {"com.microsoft:Attention"},
                     .roles = "xwwx",
                     .required_inputs = 2,
                     .infer = infer_attention,
                     .cost = cost_attention,
                     .reference = reference_attention,
                     .gradient = gradient_attention,
                     .examples = examples_attention};
  return op;
}

}  // namespace plimsoll
