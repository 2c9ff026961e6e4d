// attention: onnxruntime's fused self-attention: x (batch, sequence, width) times weights (width, queries
// + keys + values), heads of softmax(Q·Kᵀ · scale) · V, side by side. A past (2, batch, heads, length,
// head) goes before keys and values; with it comes the second output, the present.
// Cost: the four matrix products, exact, and 5 a score for the softmax. Masks are not counted.
// The maths is there without mask, past and bias of the scores.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "model/ops/doubles.h"
#include "model/ops/example.h"

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

// One head of one query: the weighted mean of the values it sees, added to `y`.
void attend(const double* query, const double* keys, const double* values, int64_t stride, int64_t seen, int64_t head,
            int64_t value_head, double scale, double* y) {
  std::vector<double> scores;
  for (int64_t t = 0; t < seen; ++t)
    scores.push_back(scale * std::inner_product(query, query + head, keys + t * stride, 0.0));
  const double largest = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (double& score : scores) sum += score = std::exp(score - largest);
  for (int64_t t = 0; t < seen; ++t)
    for (int64_t k = 0; k < value_head; ++k) y[k] += scores[size_t(t)] / sum * values[t * stride + k];
}

bool reference_attention(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out) || out.size() > 1) return false;
  for (size_t i = 3; i < in.size(); ++i)
    if (in[i].present()) return false;
  const Sizes size = *sizes_of(call);
  const int64_t columns = in[1].shape()[1], head = size.hidden[0] / size.heads,
                value_head = size.hidden[2] / size.heads;
  const double stated = call.attributes.number("scale", 0);
  const double scale = stated != 0 ? stated : 1 / std::sqrt(double(head));
  const bool causal = call.attributes.integer("unidirectional", 0) != 0;
  const auto projected = project(size, in);
  std::vector<double> y(size_t(out[0].size()));
  for (int64_t n = 0; n < size.batch; ++n)
    for (int64_t h = 0; h < size.heads; ++h)
      for (int64_t s = 0; s < size.sequence; ++s) {
        const double* first = projected.data() + n * size.sequence * columns;
        attend(first + s * columns + h * head, first + size.hidden[0] + h * head,
               first + 2 * size.hidden[0] + h * value_head, columns, causal ? s + 1 : size.sequence, head, value_head,
               scale, y.data() + (n * size.sequence + s) * size.hidden[2] + h * value_head);
      }
  write_doubles(out, 0, y);
  return true;
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
                     .onnx = {"com.microsoft:Attention"},
                     .roles = "xwwx",
                     .required_inputs = 2,
                     .infer = infer_attention,
                     .cost = cost_attention,
                     .reference = reference_attention,
                     .examples = examples_attention};
  return op;
}

}  // namespace plimsoll
