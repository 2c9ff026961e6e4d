// StepRequest: what a step is: training or inference, optimizer, loss, recomputation, micro-batches.
#pragma once

#include "base/rows/fields.h"
#include "model/passes/pipeline.h"
#include "plan/weight/weigh.h"

namespace plimsoll {

inline constexpr int64_t kMostMicroBatches = 1'000'000;

template <>
struct Choices<Mode> {
  static constexpr std::pair<Mode, std::string_view> kAll[] = {
      {Mode::train, "train"}, {Mode::inference, "inference"}, {Mode::generate, "generate"}};
};

// The loss by its name on the command line; automatic has none.
template <>
struct Form<Loss> {
  static Result<Loss> parse(const Row& row, const std::string& called, const std::string& text);
  static Result<Loss> read(const Row& row, const std::string& called, const Json& json);
  static Json write(Loss value);
  static Json schema(const Row&);
};

struct StepRequest {
  Mode mode = Mode::train;
  std::optional<std::string> optimizer;
  std::optional<Loss> loss;
  std::optional<double> recompute;
  std::optional<int64_t> micro_batches;

  void describe(Fields& fields);
  Result<StepOptions> options() const;
};

// The rows that training has in common with what plans it.
Row optimizer_row();
Row loss_row();
Row micro_batches_row();

}  // namespace plimsoll
