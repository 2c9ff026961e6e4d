// Devices, networks and optimizers by the names that people try.
#include "plan/devices/guessed_device.h"

#include <gtest/gtest.h>

#include "model/optim/all_optimizers.h"
#include "model/zoo/all_models.h"
#include "plan/verdict/candidate.h"

namespace plimsoll {
namespace {

TEST(GuessedDevice, ShortAndLongNames) {
  const std::pair<const char*, const char*> names[] = {
      {"4090", "nvidia-rtx-4090"},
      {"rtx4090", "nvidia-rtx-4090"},
      {"RTX 4090", "nvidia-rtx-4090"},
      {"NVIDIA GeForce RTX 4090", "nvidia-rtx-4090"},
      {"T4", "nvidia-t4"},
      {"NVIDIA T4", "nvidia-t4"},
      {"rtx-3090", "nvidia-rtx-3090"},
      {"nvidia-gtx-1080ti", "nvidia-gtx-1080-ti"},
      {"Tesla T4", "nvidia-t4"},
      {"L4", "nvidia-l4"},
      {"A100-SXM4-80GB", "nvidia-a100-80gb"},
      {"a100-40gb", "nvidia-a100-40gb"},
      {"g5.xlarge", "aws-g5.xlarge"},
      {"1080 Ti", "nvidia-gtx-1080-ti"},
      {"GeForce RTX 4090", "nvidia-rtx-4090"},
      {"h100", "nvidia-h100-80gb"},
      {"H100", "nvidia-h100-80gb"},
      {"NVIDIA H100 80GB HBM3", "nvidia-h100-80gb"},
      {"a100-80gb", "nvidia-a100-80gb"},
      {"a100-40", "nvidia-a100-40gb"},
      {"A100-SXM4-40GB", "nvidia-a100-40gb"},
      {"NVIDIA A100-PCIE-40GB", "nvidia-a100-pcie-40gb"},
      {"t4", "nvidia-t4"},
      {"l4", "nvidia-l4"},
      {"L40S", "nvidia-l40s"},
      {"m1", "apple-m1"},
      {"Apple M1", "apple-m1"},
      {"m3 max", "apple-m3-max-gpu"},
      {"Tesla V100-SXM2-32GB", "nvidia-v100-32gb"},
      {"3090", "nvidia-rtx-3090"},
      {"3090 Ti", "nvidia-rtx-3090-ti"},
      {"2080ti", "nvidia-rtx-2080-ti"},
      {"RTX A6000", "nvidia-rtx-a6000"},
      {"a10g", "nvidia-a10g"},
      {"MI300X", "amd-mi300x"},
      {"7950x", "amd-ryzen-9-7950x"},
      {"AMD Instinct MI210", "amd-mi210"},
      {"Arc Pro B60", "intel-arc-b60"},
      {"Arc A770", "intel-arc-a770"},
      {"RTX 3060 12GB", "nvidia-rtx-3060"},
      {"Tesla T4 16GB", "nvidia-t4"},
      {"NVIDIA GeForce RTX 4090 24GB", "nvidia-rtx-4090"},
      {"RTX 6000 Ada Generation", "nvidia-rtx-6000-ada"},
      {"NVIDIA RTX PRO 6000 Blackwell Server Edition", "nvidia-rtx-pro-6000-server"},
      {"RTX PRO 6000 Blackwell Max-Q Workstation Edition", "nvidia-rtx-pro-6000-max-q"},
      {"p4d.24xlarge", "aws-p4d.24xlarge"}};
  for (const auto& [typed, name] : names) {
    const auto device = find_candidate(typed);
    ASSERT_TRUE(device.ok()) << typed << ": " << device.error().line();
    EXPECT_EQ(device->whole.name, name) << typed;
  }
}

// A size that the part never had is not that part.
TEST(GuessedDevice, TheWrongMemoryIsNoName) {
  EXPECT_FALSE(guess_device("RTX 3060 16GB"));
  EXPECT_FALSE(guess_device("T4 99999999999999999999gb"));
}

TEST(GuessedDevice, AShortNameOfSeveralIsTheLargestAndSaysSo) {
  const auto device = find_candidate("a100");
  ASSERT_TRUE(device.ok()) << device.error().line();
  EXPECT_EQ(device->whole.name, "nvidia-a100-80gb");
  ASSERT_FALSE(device->notes.empty());
  EXPECT_EQ(device->notes.front(), "'a100' was taken to mean nvidia-a100-80gb; there is also nvidia-a100-40gb.");
}

TEST(GuessedDevice, WhatIsNotThereIsRefused) {
  for (const char* typed : {"", "nvidia", "rtx", "409", "a1000000", "gb", "-", "no-such-card"})
    EXPECT_FALSE(find_candidate(typed).ok()) << typed;
}

TEST(LooseNames, NetworksAndOptimizers) {
  ASSERT_TRUE(find_model("ResNet-50"));
  EXPECT_EQ(find_model("ResNet-50")->name, "resnet50");
  EXPECT_EQ(find_model("VGG16")->name, "vgg16");
  EXPECT_FALSE(find_model("resnet51"));
  EXPECT_EQ((*find_optimizer("AdamW"))->name, "adamw");
  EXPECT_EQ((*find_optimizer("SGD"))->name, "sgd");
}

}  // namespace
}  // namespace plimsoll
