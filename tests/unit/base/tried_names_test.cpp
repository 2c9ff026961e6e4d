#include "base/rows/tried_names.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(TriedNames, WhatIsMeantWhereTheVerbHasIt) {
  const std::vector<std::string> known = {"batch", "device", "dtype", "lr"};
  EXPECT_EQ(meant_by("batch_size", known), "did you mean 'batch'?");
  EXPECT_EQ(meant_by("gpu", known), "did you mean 'device'?");
  EXPECT_EQ(meant_by("amp", known), "did you mean 'dtype' with 'amp'?");
  EXPECT_EQ(meant_by("learning_rate", known), "did you mean 'lr'?");
  EXPECT_EQ(meant_by("load_in_4bit", {{"method"}}), "did you mean 'method' with 'qlora:16'?");
  EXPECT_EQ(meant_by("patience", known), "");  // this verb does not stop early
  EXPECT_EQ(meant_by("devise", known), "did you mean 'device'?");
  EXPECT_EQ(meant_by("lr", {{"kv"}}), "") << "a verb without a rate: none of its names is meant";
  EXPECT_EQ(meant_by("num_workers", {{"loaders", "workers"}}), "did you mean 'loaders'?");
  EXPECT_EQ(meant_by("fsdp", {{"shard"}}), "did you mean 'shard' with 'fsdp'?");
}

}  // namespace
}  // namespace plimsoll
