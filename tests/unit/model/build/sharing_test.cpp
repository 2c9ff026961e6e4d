#include <gtest/gtest.h>

#include <algorithm>

#include "model/build/builder.h"

namespace plimsoll {
namespace {

TEST(BuilderSharing, AskedForTwiceIsOneTensor) {
  Builder b("twice", {4});
  ValueId x = b.input();
  for (const char* layer : {"first", "second"}) {
    const auto scope = b.enter(layer);
    const auto sharing = b.share("both");
    const auto inside = b.enter("mlp");
    x = b.linear("up", x, 4);
  }
  x = b.linear("last", x, 4);
  const auto graph = b.finish(x);
  ASSERT_TRUE(graph.ok()) << graph.error().line();
  std::vector<std::string> stored;
  for (const auto& value : graph->values)
    if (value.role == Role::parameter) stored.push_back(value.name);
  EXPECT_EQ(stored, (std::vector<std::string>{"both.mlp.up.weight", "both.mlp.up.bias", "last.weight", "last.bias"}));
  // Layers keep names of their own.
  const auto is_named = [&](const char* name) {
    return std::any_of(graph->nodes.begin(), graph->nodes.end(), [&](const Node& node) { return node.name == name; });
  };
  EXPECT_TRUE(is_named("first.mlp.up"));
  EXPECT_TRUE(is_named("second.mlp.up"));
}

}  // namespace
}  // namespace plimsoll
