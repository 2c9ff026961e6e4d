// FrameworkLoad: the memory of a network's step under one framework, over the batch. Our own engine's is the packed
// arena of its plan; another framework's is what its profile expects of the largest sum of live bytes.
#pragma once

#include <memory>

#include "plan/verdict/fit.h"
#include "plan/verdict/load_curve.h"

namespace plimsoll {

class FrameworkLoad {
 public:
  // The question's network, format, step, framework and device. Borrows the network.
  static Result<FrameworkLoad> make(const FitQuestion& question);

  Result<int64_t> largest_under(Bytes line);
  Result<Bytes> expected_at(int64_t batch);
  Result<BatchLoad> at(int64_t batch) const;
  Result<Program> program_at(int64_t batch) const { return family_->at(batch); }

  // The tensor whose allocation crosses the line.
  Result<std::optional<TensorInMemory>> first_over(int64_t batch, Bytes line) const;

  // How good the profile has been.
  std::vector<std::string> notes() const;

 private:
  FrameworkLoad(const BatchFamily* family, std::shared_ptr<const FrameworkProfile> profile, LoadCurve curve)
      : family_(family), profile_(std::move(profile)), curve_(std::move(curve)) {}

  const BatchFamily* family_;
  std::shared_ptr<const FrameworkProfile> profile_;  // nullptr: our own engine
  LoadCurve curve_;
  std::map<int64_t, Bytes> planned_;  // peaks of our own plans
};

}  // namespace plimsoll
