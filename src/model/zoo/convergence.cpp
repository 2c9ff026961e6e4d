// The small residual network behind the published convergence table: a stem, a block that keeps the size and
// one that halves it, for CIFAR-10. Softmax belongs to the loss. Batch norm with Keras' settings.
#include "model/build/builder.h"
#include "model/zoo/all_models.h"

namespace plimsoll {
namespace {

// The network with or without batch norm, which follows every convolution.
class Convergence {
 public:
  Convergence(Builder& builder, bool norm) : b_(builder), norm_(norm) {}

  Result<Graph> build(int64_t classes) {
    ValueId x = conv("stem", b_.input(), 64, {.kernel = {7, 7}, .stride = {2, 2}, .padding = {3, 3}});
    x = b_.max_pool("stem.pool", b_.relu("stem.relu", x), {.kernel = {3, 3}, .stride = {2, 2}});
    x = block("block1", x, 64, 1);
    x = block("block2", x, 128, 2);
    x = b_.flatten("flatten", b_.average_pool("pool", x, {.kernel = {2, 2}}));
    return b_.finish(b_.linear("fc", x, classes));
  }

 private:
  ValueId conv(const std::string& name, ValueId x, int64_t kernels, const ConvOptions& options) {
    x = b_.conv(name + ".conv", x, kernels, options);
    return norm_ ? b_.batch_norm(name + ".bn", x, 1e-3, 0.99) : x;
  }

  ValueId block(const std::string& name, ValueId from, int64_t kernels, int64_t stride) {
    const auto scope = b_.enter(name);
    ValueId x = b_.relu("1.relu", conv("1", from, kernels, {.kernel = {1, 1}, .stride = {stride, stride}}));
    x = b_.relu("2.relu", conv("2", x, kernels, {.kernel = {3, 3}, .padding = {1, 1}}));
    x = conv("3", x, 4 * kernels, {.kernel = {1, 1}});
    const ValueId shortcut = conv("shortcut", from, 4 * kernels, {.kernel = {1, 1}, .stride = {stride, stride}});
    return b_.relu("relu", b_.add("add", x, shortcut));
  }

  Builder& b_;
  bool norm_;
};

template <bool norm>
Result<Graph> build_convergence(const ZooModel& self, const Shape& input, int64_t classes) {
  Builder b(std::string(self.name), input);
  PLIM_ASSIGN(Graph graph, Convergence(b, norm).build(classes));
  for (auto& node : graph.nodes)  // Keras' rule for weights, with which the table was made
    if (node.op_name == "conv" || node.op_name == "gemm") node.attributes.set("start", std::string("glorot"));
  return graph;
}

}  // namespace

std::vector<ZooModel> convergence_models() {
  const Shape image{3, 32, 32};
  return {
      {"convergence", "the convergence table's residual network", image, 10, DType::f32, build_convergence<false>},
      {"convergence_bn", "the same with batch norm", image, 10, DType::f32, build_convergence<true>},
  };
}

}  // namespace plimsoll
