// Graphs that ask for far more than their size: each kind is imported, weighed and fitted in a process of its own with
// little memory. None may crash, run out of memory or never end; what is refused is refused with an error.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "plan/verdict/fit.h"
#include "plan/weight/weigh.h"
#include "tests/onnx_model.h"

namespace plimsoll {
namespace {

constexpr rlim_t kMemory = rlim_t{1} << 30;
constexpr unsigned kLongest = 300;  // seconds until a child is taken to hang, on a machine that does much else

std::string numbered(const std::string& name, int64_t i) { return name + std::to_string(i); }

void set_text(onnx::NodeProto& node, const std::string& name, const std::string& text) {
  auto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(onnx::AttributeProto::STRING);
  attribute->set_s(text);
}

// x → MatMul → "v0": something to train.
void begin_trained(OnnxModel& model) {
  model.input("x", {"N", 4});
  model.weight("w", {4, 4});
  model.node("MatMul", {"x", "w"}, {"v0"});
}

// Ones of a shape in "c", which `count` nodes read; the network itself is a relu.
using NodeOf = std::function<onnx::NodeProto&(OnnxModel&, const std::string& output)>;
void fold_often(OnnxModel& model, const std::vector<int64_t>& shape, int count, const NodeOf& node_of) {
  model.input("x", {"N", 4});
  model.integers("s", shape);
  model.node("ConstantOfShape", {"s"}, {"c"});
  for (int i = 0; i < count; ++i) node_of(model, numbered("q", i));
  model.node("Relu", {"x"}, {"y"});
  model.output("y");
}

NodeOf reading(const std::string& op, const Names& inputs) {
  return
      [=](OnnxModel& model, const std::string& output) -> onnx::NodeProto& { return model.node(op, inputs, {output}); };
}

NodeOf einsum_of(const std::string& equation, size_t operands) {
  return [=](OnnxModel& model, const std::string& output) -> onnx::NodeProto& {
    auto& node = model.node("Einsum", Names(operands, "c"), {output});
    set_text(node, "equation", equation);
    return node;
  };
}

struct HostileGraph {
  const char* what;
  void (*build)(OnnxModel&);
};

void build_einsum_forever(OnnxModel& model) {
  fold_often(model, {9, 9}, 1, einsum_of("ab,cd,ef,gh,ij,kl,mn,op,qr,st,uv,wx,yz->", 13));
}
void build_einsum_chain(OnnxModel& model) { fold_often(model, {128, 128}, 60, einsum_of("ab,bc,cd->", 3)); }
void build_softmax(OnnxModel& model) { fold_often(model, {1024, 1024}, 400, reading("Softmax", {"c"})); }
void build_transpose(OnnxModel& model) {
  fold_often(model, std::vector<int64_t>(20, 2), 400, reading("Transpose", {"c"}));
}
void build_top_k(OnnxModel& model) {
  model.integers("k", {5});
  fold_often(model, {1 << 20}, 400, [](OnnxModel& to, const std::string& output) -> onnx::NodeProto& {
    return to.node("TopK", {"c", "k"}, {output, output + "i"});
  });
}
void build_unique(OnnxModel& model) { fold_often(model, {65536}, 5000, reading("Unique", {"c"})); }
void build_non_zero(OnnxModel& model) { fold_often(model, {1 << 20}, 5000, reading("NonZero", {"c"})); }
void build_small_products(OnnxModel& model) { fold_often(model, {16, 16}, 50'000, reading("MatMul", {"c", "c"})); }
void build_wide_sums(OnnxModel& model) { fold_often(model, {100'000}, 300, reading("Sum", Names(300, "c"))); }

void build_ranges(OnnxModel& model) {
  for (const auto& [name, number] : {std::pair{"from", 0}, {"to", 1 << 20}, {"by", 1}})
    model.integers(name, {number}).clear_dims();
  fold_often(model, {1}, 450, reading("Range", {"from", "to", "by"}));
}

void build_deep(OnnxModel& model) {
  model.input("x", {"N", 2});
  for (int i = 0; i < 15'000; ++i) {
    model.weight(numbered("w", i), {2, 2});
    model.node("MatMul", {i == 0 ? "x" : numbered("r", i - 1), numbered("w", i)}, {numbered("m", i)});
    model.node("Relu", {numbered("m", i)}, {numbered("r", i)});
  }
  model.output("r14999");
}

void build_chain(OnnxModel& model) {
  begin_trained(model);
  for (int i = 0; i < 60'000; ++i) model.node("Sigmoid", {numbered("v", i)}, {numbered("v", i + 1)});
  model.output("v60000");
}

void build_dense(OnnxModel& model) {
  begin_trained(model);
  Names before{"v0"};
  for (int i = 1; i < 1000; ++i) {
    model.node("Sum", before, {numbered("v", i)});
    before.push_back(numbered("v", i));
  }
  model.output(before.back());
}

void build_fan(OnnxModel& model) {
  begin_trained(model);
  Names read;
  for (int i = 0; i < 30'000; ++i) read.push_back(model.node("Relu", {"v0"}, {numbered("r", i)}).output(0));
  model.node("Sum", read, {"y"});
  model.output("y");
}

void build_largest(OnnxModel& model) {
  begin_trained(model);
  Names read;
  for (int i = 0; i < 20'000; ++i) read.push_back(model.node("Relu", {"v0"}, {numbered("r", i)}).output(0));
  model.node("Max", read, {"y"});
  model.output("y");
}

// Packing meets as many gaps as there are pieces, for each of them.
void build_joined(OnnxModel& model) {
  begin_trained(model);
  Names read;
  for (int i = 0; i < 60'000; ++i) read.push_back(model.node("Relu", {"v0"}, {numbered("r", i)}).output(0));
  set_integer(model.node("Concat", read, {"y"}), "axis", 1);
  model.output("y");
}

void build_views(OnnxModel& model) {
  begin_trained(model);
  Names read;
  for (int i = 0; i < 30'000; ++i) read.push_back(model.node("Identity", {"v0"}, {numbered("r", i)}).output(0));
  model.node("Sum", read, {"y"});
  model.output("y");
}

void build_masks(OnnxModel& model) {
  begin_trained(model);
  for (int i = 0; i < 30'000; ++i) model.node("Dropout", {numbered("v", i)}, {numbered("v", i + 1), numbered("m", i)});
  model.output("v30000");
}

// 2^34 times the same tensor.
void build_doubled_weight(OnnxModel& model) {
  model.input("x", {"N", 4});
  model.weight("v0", {1, 4});
  for (int i = 0; i < 34; ++i)
    set_integer(model.node("Concat", {numbered("v", i), numbered("v", i)}, {numbered("v", i + 1)}), "axis", 0);
  model.node("Transpose", {"v34"}, {"t"});
  model.node("MatMul", {"x", "t"}, {"y"});
  model.output("y");
}

void build_rank(OnnxModel& model) {
  model.input("v0", {"N", 4});
  model.integers("axis", {0});
  for (int i = 0; i < 20'000; ++i) model.node("Unsqueeze", {numbered("v", i), "axis"}, {numbered("v", i + 1)});
  model.output("v20000");
}

void build_sequence(OnnxModel& model) {
  model.input("x", {"N", 4});
  model.node("SequenceConstruct", Names(50'000, "x"), {"s"});
  for (int i = 0; i < 20'000; ++i) model.node("SequenceLength", {"s"}, {numbered("l", i)});
  for (int i = 0; i < 500; ++i) model.node("ConcatFromSequence", {"s"}, {numbered("k", i)});
  model.node("Relu", {"x"}, {"y"});
  model.output("y");
}

// A loop that fills a list 60 times, with a branch of 10,000 nodes inside.
void build_unrolled_branch(OnnxModel& model) {
  model.input("x", {"N", 4});
  model.integers("rounds", {60}).clear_dims();
  model.input("choice", {}, onnx::TensorProto::BOOL);
  model.node("SequenceEmpty", {}, {"empty"});
  auto& loop = model.node("Loop", {"rounds", "", "empty"}, {"list"});
  GraphMaker body{set_graph(loop, "body")};
  body.input("round", {}, onnx::TensorProto::INT64);
  body.input("goes", {}, onnx::TensorProto::BOOL);
  body.graph.add_input()->set_name("so_far");
  body.node("Identity", {"goes"}, {"goes_on"});
  auto& branch = body.node("If", {"choice"}, {"item"});
  for (const char* name : {"then_branch", "else_branch"}) {
    GraphMaker inner{set_graph(branch, name)};
    const std::string value(1, name[0]);
    for (int i = 0; i < 10'000; ++i) inner.node("Relu", {i == 0 ? "x" : numbered(value, i - 1)}, {numbered(value, i)});
    inner.output(value + "9999");
  }
  body.node("SequenceInsert", {"so_far", "item"}, {"more"});
  body.output("goes_on");
  body.output("more");
  model.node("Relu", {"x"}, {"y"});
  model.output("y");
}

// Each function calls the one before twice.
void build_functions(OnnxModel& model) {
  model.proto.add_opset_import()->set_domain("f");
  model.input("x", {"N", 4});
  for (int i = 0; i < 40; ++i) {
    auto& function = *model.proto.add_functions();
    function.set_domain("f");
    function.set_name(numbered("F", i));
    function.add_input("a");
    function.add_output("b");
    function.add_opset_import()->set_version(13);
    function.add_opset_import()->set_domain("f");
    for (const auto& [from, to] : {std::pair{"a", "t"}, {"t", "b"}}) {
      auto& node = *function.add_node();
      node.set_op_type(i == 0 ? "Relu" : numbered("F", i - 1));
      node.set_domain(i == 0 ? "" : "f");
      node.add_input(from);
      node.add_output(to);
    }
  }
  model.node("F39", {"x"}, {"y"}).set_domain("f");
  model.output("y");
}

constexpr HostileGraph kGraphs[] = {
    {"einsum over all letters", build_einsum_forever},
    {"einsums of matrices", build_einsum_chain},
    {"softmax of a large constant", build_softmax},
    {"transposes of 20 axes", build_transpose},
    {"top-k of a large constant", build_top_k},
    {"different numbers of a constant", build_unique},
    {"places in a constant", build_non_zero},
    {"many small products", build_small_products},
    {"sums of many large constants", build_wide_sums},
    {"long ranges", build_ranges},
    {"a deep chain with weights", build_deep},
    {"a long chain", build_chain},
    {"each layer reads all before it", build_dense},
    {"one value with many readers", build_fan},
    {"the largest of many", build_largest},
    {"many pieces of one concat", build_joined},
    {"many views in one sum", build_views},
    {"many outputs that nobody reads", build_masks},
    {"a weight doubled again and again", build_doubled_weight},
    {"ever more axes", build_rank},
    {"a long list, used often", build_sequence},
    {"a loop around a large branch", build_unrolled_branch},
    {"functions that double", build_functions},
};

Network network_of(const Graph& graph) {
  return Network("net", [&graph](std::optional<int64_t> batch, const NumberFormat& format) {
    BindOptions options;
    options.batch = batch;
    options.parameters = format.parameters;
    options.activations = format.activations;
    return bind(graph, options);
  });
}

// Errors are answers too: a network without parameters cannot be trained.
void answer(const std::string& bytes) {
  const auto graph = import_onnx_bytes(bytes);
  if (!graph.ok()) return;
  if (const auto program = bind(*graph, {}); program.ok())
    std::ignore = weigh(*program, Mode::train, **find_optimizer("adam"));
  const Network network = network_of(*graph);
  FitQuestion question;
  question.network = &network;
  question.memory = Bytes(int64_t{8} << 30);
  question.batch = 1;
  for (const char* optimizer : {"", "adam"}) {
    question.step.optimizer = *optimizer ? *find_optimizer(optimizer) : nullptr;
    for (const Framework framework : {Framework::plimsoll, Framework::pytorch}) {
      question.framework = framework;
      std::ignore = fit(question);
    }
  }
}

// The child's own way to end: nothing of the test program runs in it.
int status_of_child(const std::string& bytes) {
  const pid_t child = fork();
  if (child == 0) {
#ifndef __SANITIZE_ADDRESS__
    const rlimit limit{kMemory, kMemory};
    setrlimit(RLIMIT_DATA, &limit);
#endif
    alarm(kLongest);
    // What is asked here is what a user waits for; every other test has its steps validated after each pass.
    setenv("PLIMSOLL_VALIDATE", "0", 1);
    try {
      answer(bytes);
    } catch (...) {
      _exit(1);
    }
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

class HostileGraphs : public ::testing::TestWithParam<HostileGraph> {};

TEST_P(HostileGraphs, AreAnsweredInLittleMemory) {
  OnnxModel model;
  GetParam().build(model);
  const int status = status_of_child(model.bytes());
  EXPECT_TRUE(WIFEXITED(status)) << GetParam().what << ": signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0) << GetParam().what << ": out of memory";
}

INSTANTIATE_TEST_SUITE_P(Sweep, HostileGraphs, ::testing::ValuesIn(kGraphs), [](const auto& each) {
  std::string name = each.param.what;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
  return name;
});

}  // namespace
}  // namespace plimsoll
