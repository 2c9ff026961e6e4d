// What a Program's totals leave out: unknown operations wherever they are, unknown sizes, loops without an end.
#include "plan/weight/uncounted.h"

#include <gtest/gtest.h>

#include "tests/onnx_model.h"
#include "tests/unit/model/ir/small_graph.h"

namespace plimsoll {
namespace {

using UnknownCounts = std::map<std::string, int64_t>;

Uncounted uncounted_of(const Graph& graph) {
  const auto program = bind(graph, {});
  EXPECT_TRUE(program.ok()) << program.error().line();
  return program.ok() ? uncounted_in(*program) : Uncounted();
}

TEST(Uncounted, IsNothingWhereEverythingIsKnown) {
  SmallGraph net;
  const auto x = net.input("x", {2, 3});
  net.finish({net.node("y", "relu", {x})});
  EXPECT_FALSE(uncounted_of(net.graph).lower_bound());
}

TEST(Uncounted, UnknownOperationsAndWhatFollowsThem) {
  SmallGraph net;
  const auto x = net.input("x", {2, 3});
  const auto odd = net.node("odd", "my:Odd", {x});
  const auto even = net.node("even", "my:Even", {odd});
  net.finish({net.node("y", "relu", {net.node("odd2", "my:Odd", {even})}), net.node("z", "relu", {x})});
  const Uncounted found = uncounted_of(net.graph);
  EXPECT_TRUE(found.lower_bound());
  EXPECT_EQ(found.unknown_ops, (UnknownCounts{{"my:Even", 1}, {"my:Odd", 2}}));
  EXPECT_EQ(found.unknown(), 3);
  EXPECT_EQ(found.unsized, 1) << "the relu after them; the other has a size";
}

TEST(Uncounted, InsideAFunction) {
  OnnxModel model;
  model.input("x", {2, 3});
  auto& block = *model.proto.add_functions();
  block.set_domain("my");
  block.set_name("Block");
  block.add_input("a");
  block.add_output("b");
  block.add_opset_import()->set_version(13);
  auto& inner = *block.add_node();
  inner.set_op_type("Secret");
  inner.set_domain("my.own");
  inner.add_input("a");
  inner.add_output("b");
  model.node("Block", {"x"}, {"y"}, "one").set_domain("my");
  model.output("y");
  const auto graph = model.import();
  ASSERT_TRUE(graph.ok()) << graph.error().line();
  EXPECT_EQ(uncounted_of(*graph).unknown_ops, (UnknownCounts{{"my.own:Secret", 1}}));
}

// The other branch is taken, as its cost is known to be more than nothing; the unknown one may cost more still.
TEST(Uncounted, InABranchThatIsNotTaken) {
  SmallGraph secret, open;
  const auto in = secret.input("in", {2, 3});
  const auto then = secret.finish({secret.node("secret", "my:Secret", {in})});
  const auto same = open.input("in", {2, 3});
  const auto other = open.finish({open.node("open", "relu", {same})});
  for (const bool first : {true, false}) {
    SmallGraph net;
    const auto x = net.input("x", {2, 3});
    const auto y = net.node("y", "if", {net.input("c", {}, DType::boolean), x},
                            {{"then_branch", first ? then : other}, {"else_branch", first ? other : then}});
    net.finish({net.node("after", "relu", {y})});
    const auto program = bind(net.graph, {});
    ASSERT_TRUE(program.ok()) << program.error().line();
    const Uncounted found = uncounted_in(*program);
    EXPECT_EQ(found.unknown_ops, (UnknownCounts{{"my:Secret", 1}}));
    EXPECT_EQ(found.unsized, 0);
    EXPECT_NE(operation_named(*program, "open"), nullptr);
    EXPECT_EQ(value_named(*program, "after")->type->shape, (Shape{2, 3}));
  }
}

TEST(Uncounted, LoopsWithoutAKnownEnd) {
  SmallGraph body;
  body.input("i", {}, DType::i64);
  const auto go = body.input("go", {}, DType::boolean);
  const auto state = body.input("state", {1, 3});
  const auto odd = body.node("odd", "my:Odd", {state});
  const auto next = body.node("next", "relu", {state});
  const auto graph = body.finish({body.node("keep", "identity", {go}), next, odd});
  SmallGraph net;
  const auto x = net.input("x", {1, 3});
  const auto rounds = net.input("n", {}, DType::i64);
  net.finish({net.node("y", "loop", {rounds, net.boolean("go", true), x}, {{"body", graph}})});
  const Uncounted found = uncounted_of(net.graph);
  EXPECT_EQ(found.unknown_ops, (UnknownCounts{{"my:Odd", 1}}));
  EXPECT_GE(found.unbounded, 1);
  EXPECT_TRUE((Uncounted{{}, 0, 1}).lower_bound());
  EXPECT_TRUE((Uncounted{{}, 1, 0}).lower_bound());
}

}  // namespace
}  // namespace plimsoll
