// Operations that rename, reorder, cut, join and pick: by hand, on several number types.
#include <limits>

#include "tests/unit/model/ops/op_table.h"

namespace plimsoll::detail {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max(), kMin = std::numeric_limits<int64_t>::min();
const Attributes kAxis1{{"axis", int64_t{1}}};

TEST(Move, Views) {
  check({{"keeps", "identity", {}, {bools({2}, {true, false})}, {bools({2}, {true, false})}},
         {"default axis", "flatten", {}, {counting({2, 3, 2})}, {counting({2, 6})}},
         {"axis 0", "flatten", {{"axis", int64_t{0}}}, {counting({2, 3})}, {counting({1, 6})}},
         {"axis past the end", "flatten", {{"axis", int64_t{2}}}, {counting({2, 3})}, {counting({6, 1})}},
         {"negative axis", "flatten", {{"axis", int64_t{-1}}}, {counting({2, 3, 2})}, {counting({6, 2})}},
         {"all ones", "squeeze", {}, {counting({1, 3, 1})}, {counting({3})}},
         {"no axes at all", "squeeze", {}, {counting({1, 3, 1}), i64(Ints{})}, {counting({1, 3, 1})}},
         {"named", "squeeze", {{"axes", Ints{-1}}}, {counting({1, 3, 1})}, {counting({1, 3})}},
         {"unordered", "unsqueeze", {}, {counting({2, 3}), i64({3, 0})}, {counting({1, 2, 3, 1})}},
         {"scalar", "unsqueeze", {{"axes", Ints{0}}}, {integer_scalar(5)}, {i64({5})}}});
}

TEST(Move, Transpose) {
  check({{"reversed", "transpose", {}, {counting({2, 3})}, {f32({3, 2}, {0, 3, 1, 4, 2, 5})}},
         {"perm",
          "transpose",
          {{"perm", Ints{1, 0, 2}}},
          {counting({2, 2, 2})},
          {f32({2, 2, 2}, {0, 1, 4, 5, 2, 3, 6, 7})}},
         {"bytes",
          "transpose",
          {},
          {typed<int8_t>(DType::i8, {2, 2}, {1, 2, 3, 4})},
          {typed<int8_t>(DType::i8, {2, 2}, {1, 3, 2, 4})}},
         {"scalar", "transpose", {}, {integer_scalar(3)}, {integer_scalar(3)}}});
}

TEST(Move, ConcatAndSplit) {
  check(
      {{"columns", "concat", kAxis1, {counting({2, 2}), f32({2, 1}, {7, 8})}, {f32({2, 3}, {0, 1, 7, 2, 3, 8})}},
       {"with an empty one", "concat", {{"axis", int64_t{0}}}, {i64({1, 2}), i64(Ints{}), i64({3})}, {i64({1, 2, 3})}},
       {"equal", "split", kAxis1, {counting({2, 4})}, {f32({2, 2}, {0, 1, 4, 5}), f32({2, 2}, {2, 3, 6, 7})}},
       {"sizes", "split", {}, {i64({5, 6, 7}), i64({2, 0, 1})}, {i64({5, 6}), i64(Ints{}), i64({7})}},
       {"last one smaller",
        "split",
        {{"num_outputs", int64_t{3}}},
        {counting({5})},
        {f32({2}, {0, 1}), f32({2}, {2, 3}), f32({1}, {4})}}});
}

TEST(Move, Slice) {
  const auto x = counting({3, 4});
  check(
      {{"attributes",
        "slice",
        {{"starts", Ints{1, 0}}, {"ends", Ints{kMax, -1}}},
        {x},
        {f32({2, 3}, {4, 5, 6, 8, 9, 10})}},
       {"steps", "slice", {}, {x, i64({0}), i64({4}), i64({1}), i64({3})}, {f32({3, 2}, {0, 3, 4, 7, 8, 11})}},
       {"backwards to the very start",
        "slice",
        {},
        {counting({4}), i64({-1}), i64({kMin}), i64({0}), i64({-1})},
        {f32({4}, {3, 2, 1, 0})}},
       {"backwards from past the end by 2",
        "slice",
        {},
        {counting({5}), i64({kMax}), i64({0}), i64({0}), i64({-2})},
        {f32({2}, {4, 2})}},
       {"the largest step", "slice", {}, {counting({5}), i64({1}), i64({5}), i64({0}), i64({kMax})}, {f32({1}, {1})}},
       {"the smallest step",
        "slice",
        {},
        {counting({5}), i64({3}), i64({kMin}), i64({0}), i64({kMin})},
        {f32({1}, {3})}},
       {"nothing", "slice", {}, {counting({5}), i64({4}), i64({2})}, {f32({0}, {})}},
       {"of nothing", "slice", {}, {f32({0}, {}), i64({-1}), i64({kMin}), i64({0}), i64({-1})}, {f32({0}, {})}},
       {"int32 bounds, bool data",
        "slice",
        {},
        {bools({3}, {true, false, true}), typed<int32_t>(DType::i32, {1}, {-2}), typed<int32_t>(DType::i32, {1}, {3})},
        {bools({2}, {false, true})}}});
}

TEST(Move, Gather) {
  check({{"rows", "gather", {}, {counting({3, 2}), i64({2, 0})}, {f32({2, 2}, {4, 5, 0, 1})}},
         {"columns", "gather", kAxis1, {counting({2, 3}), i64({1, 2}, {2, -3})}, {f32({2, 1, 2}, {2, 0, 5, 3})}},
         {"outside", "gather", {}, {i64({7, 8, 9}), i64({kMax, kMin, -4, 3})}, {i64({9, 7, 7, 9})}},
         {"elements",
          "gather_elements",
          kAxis1,
          {f32({2, 2}, {1, 2, 3, 4}), i64({2, 2}, {0, 0, 1, 0})},
          {f32({2, 2}, {1, 1, 4, 3})}},
         {"elements, rows",
          "gather_elements",
          {},
          {f32({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}), i64({2, 3}, {1, 2, 0, 2, 0, 0})},
          {f32({2, 3}, {4, 8, 3, 7, 2, 3})}},
         {"nd", "gather_nd", {}, {i64({2, 2}, {0, 1, 2, 3}), i64({2, 2}, {0, 0, 1, 1})}, {i64({0, 3})}},
         {"nd blocks", "gather_nd", {}, {i64({2, 2}, {0, 1, 2, 3}), i64({2, 1}, {1, 0})}, {i64({2, 2}, {2, 3, 0, 1})}},
         {"nd in a batch",
          "gather_nd",
          {{"batch_dims", int64_t{1}}},
          {i64({2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7}), i64({2, 1}, {1, 0})},
          {i64({2, 2}, {2, 3, 4, 5})}},
         {"nd outside", "gather_nd", {}, {i64({2, 2}, {0, 1, 2, 3}), i64({1, 2}, {9, -9})}, {i64({2})}}});
}

TEST(Move, ExpandAndTile) {
  check({{"rows",
          "expand",
          {},
          {f32({3, 1}, {1, 2, 3}), i64({2, 1, 2})},
          {f32({2, 3, 2}, {1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3})}},
         {"to nothing", "expand", {}, {f32({1}, {1}), i64({0})}, {f32({0}, {})}},
         {"both axes", "tile", {}, {i64({1, 2}, {1, 2}), i64({2, 2})}, {i64({2, 4}, {1, 2, 1, 2, 1, 2, 1, 2})}},
         {"never", "tile", {}, {i64({1, 2}, {1, 2}), i64({1, 0})}, {i64({1, 0}, Ints{})}}});
}

TEST(Move, Scatter) {
  const auto add = Attributes{{"reduction", std::string("add")}};
  check({{"replace",
          "scatter_elements",
          kAxis1,
          {f32({1, 5}, {1, 2, 3, 4, 5}), i64({1, 2}, {1, -2}), f32({1, 2}, {1.5, 2.5})},
          {f32({1, 5}, {1, 1.5, 3, 2.5, 5})}},
         {"add twice", "scatter_elements", add, {i64({1, 1}), i64({0, 0}), i64({5, 6})}, {i64({12, 1})}},
         {"an overflowing product wraps",
          "scatter_elements",
          {{"reduction", std::string("mul")}},
          {i64({kMin}), i64({0}), i64({-1})},
          {i64({kMin})}},
         {"outside", "scatter_elements", {}, {i64({1, 2}), i64({kMax}), i64({9})}, {i64({1, 9})}},
         {"elements", "scatter_nd", {}, {i64({1, 2, 3, 4}), i64({2, 1}, {3, 0}), i64({9, 8})}, {i64({8, 2, 3, 9})}},
         {"blocks, the largest",
          "scatter_nd",
          {{"reduction", std::string("max")}},
          {i64({2, 2}, {1, 2, 3, 4}), i64({1, 1}, {1}), i64({1, 2}, {0, 9})},
          {i64({2, 2}, {1, 2, 3, 9})}}});
}

TEST(Move, DepthAndSpace) {
  const auto blocks = Attributes{{"blocksize", int64_t{2}}};
  Attributes crd = blocks;
  crd.set("mode", std::string("CRD"));
  check({{"DCR", "depth_to_space", blocks, {counting({1, 8, 1, 1})}, {f32({1, 2, 2, 2}, {0, 2, 4, 6, 1, 3, 5, 7})}},
         {"CRD", "depth_to_space", crd, {counting({1, 8, 1, 1})}, {counting({1, 2, 2, 2})}},
         {"and back",
          "space_to_depth",
          blocks,
          {f32({1, 2, 2, 2}, {0, 2, 4, 6, 1, 3, 5, 7})},
          {counting({1, 8, 1, 1})}}});
}

TEST(Move, Sequences) {
  check({{"time first",
          "reverse_sequence",
          {},
          {f32({3, 2}, {0, 10, 1, 11, 2, 12}), i64({2, 3})},
          {f32({3, 2}, {1, 12, 0, 11, 2, 10})}},
         {"lengths outside",
          "reverse_sequence",
          {{"batch_axis", int64_t{0}}, {"time_axis", int64_t{1}}},
          {counting({2, 2}), i64({kMax, kMin})},
          {f32({2, 2}, {1, 0, 2, 3})}},
         {"cut and padded", "center_crop_pad", {}, {counting({3, 2}), i64({1, 5})}, {f32({1, 5}, {0, 2, 3, 0, 0})}},
         {"upper", "trilu", {}, {f32({2, 3}, {1, 2, 3, 4, 5, 6})}, {f32({2, 3}, {1, 2, 3, 0, 5, 6})}},
         {"lower, k",
          "trilu",
          {{"upper", int64_t{0}}},
          {f32({2, 3}, {1, 2, 3, 4, 5, 6}), integer_scalar(1)},
          {f32({2, 3}, {1, 2, 0, 4, 5, 6})}},
         {"k outside", "trilu", {}, {i64({1, 2}, {1, 2}), integer_scalar(kMax)}, {i64({1, 2}, {0, 0})}}});
}

TEST(Move, MistakesAreRefused) {
  const auto x = counting({2, 3});
  check_refused(
      {{"flatten", {{"axis", int64_t{3}}}, {x}, "axis 3 is outside 2x3"},
       {"squeeze", {{"axes", Ints{1}}}, {x}, "axis 1 of 2x3 has size 3, expected 1"},
       {"squeeze", {{"axes", Ints{2}}}, {x}, "axis 2 is outside"},
       {"squeeze", {{"axes", Ints{0, -2}}}, {counting({1, 3})}, "given twice"},
       {"unsqueeze", {{"axes", Ints{5}}}, {x}, "axis 5 is outside"},
       {"unsqueeze", {}, {x}, "no axes"},
       {"unsqueeze", {{"axes", Ints(1000, 0)}}, {x}, "1000 axes"},
       {"transpose", {{"perm", Ints{0}}}, {x}, "perm names 1 axes"},
       {"transpose", {{"perm", Ints{0, 0}}}, {x}, "given twice"},
       {"transpose", {{"perm", Ints{0, kMax}}}, {x}, "is outside"},
       {"concat", {{"axis", int64_t{2}}}, {x, x}, "axis 2 is outside"},
       {"concat", kAxis1, {x, counting({3, 3})}, "3x3 does not join 2x3"},
       {"concat", kAxis1, {x, std::nullopt}, "input 1 is missing"},
       {"concat", kAxis1, {x, i64({2, 1}, {1, 2})}, "expected one type"},
       {"split", {{"split", Ints{1, 2}}}, {x}, "does not add up", 2},
       {"split", {{"split", Ints{kMax, kMax}}}, {x}, "does not add up", 2},
       {"split", {{"split", Ints{3, -1}}}, {x}, "negative", 2},
       {"split", kAxis1, {x}, "does not split into 2 equal parts", 2},
       {"split", {{"num_outputs", kMax}}, {x}, "outputs are named", 2},
       {"split", {{"axis", int64_t{1}}, {"num_outputs", int64_t{5}}}, {counting({1, 6})}, "6 does not split", 5},
       {"slice", {{"starts", Ints{0}}, {"ends", Ints{1, 2}}}, {x}, "do not agree"},
       {"slice", {}, {x, i64({0}), i64({1}), i64({2})}, "axis 2 is outside"},
       {"slice", {}, {x, i64({0}), i64({1}), i64({0}), i64({0})}, "step along axis 0 is 0"},
       {"slice", {}, {x, i64({0, 0}), i64({1, 1}), i64({0, -2})}, "given twice"},
       {"gather", {{"axis", int64_t{2}}}, {x, i64({0})}, "axis 2 is outside"},
       {"gather", {}, {x, f32({1}, {0})}, "expected integer indices"},
       {"gather", {}, {f32({0, 3}, {}), i64({0})}, "nothing to gather"},
       {"gather", {}, {integer_scalar(1), i64({0})}, "outside a tensor of rank 0"},
       {"gather_elements", {}, {x, i64({1, 4}, {0, 0, 0, 0})}, "do not fit"},
       {"gather_nd", {}, {x, i64({1, 3}, {0, 0, 0})}, "out of range"},
       {"gather_nd", {{"batch_dims", kMax}}, {x, i64({1, 1}, {0})}, "batch_dims is out of range"},
       {"expand", {}, {x, i64({2, 4})}, "2x3 and 2x4 do not broadcast"},
       {"expand", {}, {x, i64({-1, 3})}, "negative"},
       {"expand", {}, {f32({1}, {0}), i64({kMax, kMax})}, "overflow"},
       {"tile", {}, {x, i64({1, -1})}, "expected at least 0"},
       {"tile", {}, {x, i64({1})}, "1 repeats"},
       {"tile", {}, {x, i64({kMax, 2})}, "overflow"},
       {"tile", {}, {x, i64({kMax, 0})}, "overflow"},
       {"scatter_elements", {}, {x, i64({3}), f32({1}, {1})}, "do not fit"},
       {"scatter_elements", {{"reduction", std::string("xor")}}, {x, i64({1, 1}, {0}), f32({1, 1}, {1})}, "'xor'"},
       {"scatter_elements", {}, {x, i64({1, 1}, {0}), i64({1, 1}, {1})}, "expected one type"},
       {"scatter_nd", {}, {x, i64({1, 3}, {0, 0, 0}), f32({1}, {1})}, "do not name elements"},
       {"scatter_nd", {}, {x, i64({1, 1}, {0}), f32({1, 2}, {1, 1})}, "expected 1x3"},
       {"depth_to_space", {{"blocksize", int64_t{2}}}, {counting({1, 3, 1, 1})}, "does not unfold"},
       {"depth_to_space", {{"blocksize", kMax}}, {counting({1, 4, 1, 1})}, "does not unfold"},
       {"depth_to_space", {}, {counting({1, 4, 1, 1})}, "blocksize 0"},
       {"space_to_depth", {{"blocksize", int64_t{0}}}, {counting({1, 4, 2, 2})}, "blocksize 0"},
       {"reverse_sequence", {{"time_axis", int64_t{1}}}, {x, i64({1, 1, 1})}, "batch_axis 1 and time_axis 1"},
       {"reverse_sequence", {}, {x, i64({1, 1})}, "expected 3"},
       {"center_crop_pad", {}, {x, i64({1})}, "1 sizes are given for 2 axes"},
       {"center_crop_pad", {}, {x, i64({1, -1})}, "negative"},
       {"trilu", {}, {f32({2}, {1, 2})}, "expected matrices"}});
}

// What only a run can tell.
TEST(Move, TargetsThatAreNotKnownAreUndetermined) {
  const TensorType data{DType::f32, {2, 3}}, target{DType::i64, {2}};
  const Attributes none;
  for (const char* name : {"reshape", "expand", "tile", "slice", "pad", "center_crop_pad", "split", "squeeze"}) {
    const bool third = std::string_view(name) == "slice";
    const OpCall call(none, {&data, &target, third ? &target : nullptr}, {}, 1);
    const auto types = infer(op_named(name), call);
    ASSERT_FALSE(types.ok()) << name;
    EXPECT_EQ(types.error().kind, ErrorKind::undetermined) << name;
  }
}

TEST(Move, AnEmbeddingReadsOnlyTheRowsItIsAskedFor) {
  const TensorType types[] = {{DType::f32, {30000, 768}}, {DType::i64, {2, 5}}};
  const Attributes none;
  OpCall call(none, {&types[0], &types[1]}, {}, 1);
  call.outputs = infer(op_named("gather"), call).value();
  EXPECT_EQ(bytes_moved(op_named("gather"), call).value(), 10 * 8 + 2 * 10 * 768 * 4);
}

// Where entries are written is a stranger's number: no sum with it may run over.
TEST(Move, EntriesAreWrittenFromAnyIndex) {
  const Tensor cache = counting({2, 3, 1}), update = f32({2, 2, 1}, {10, 11, 12, 13});
  check({{"all numbers, linear",
          "tensor_scatter",
          {},
          {cache, update, i64({kMax, kMin})},
          {f32({2, 3, 1}, {0, 1, 11, 13, 4, 5})}},
         {"all numbers, circular",
          "tensor_scatter",
          {{"mode", std::string("circular")}},
          {cache, update, i64({kMax, kMin})},
          {f32({2, 3, 1}, {0, 10, 11, 3, 12, 13})}}});
}

}  // namespace
}  // namespace plimsoll::detail
