// NetworkSurface: the loss of a network on samples as a function of its parameters. Norms keep the statistics that
// training left, and nothing is dropped.
#pragma once

#include "run/data/loader.h"
#include "run/surface/filters.h"
#include "run/train/judge.h"

namespace plimsoll {

class NetworkSurface : public Surface {
 public:
  // `step`: a frozen training step (TrainingForm::frozen), its executor filled from a checkpoint. The samples are the
  // first of a seeded shuffle of `dataset`, in whole batches, at least one.
  static Result<std::unique_ptr<NetworkSurface>> make(const Program& step, std::unique_ptr<Executor> executor,
                                                      Judge judge, DatasetPtr dataset, LoaderOptions loader,
                                                      int64_t samples);

  // Where the executor's parameters were when this was made.
  const Point& trained() const { return trained_; }
  const std::vector<FilteredParameter>& parameters() const { return parameters_; }
  int64_t samples() const { return batches_ * loader_->options().batch; }

  Result<double> loss(const Point& at) override;
  Result<double> loss(const Point& at, Point& gradient) override;

 private:
  NetworkSurface(std::unique_ptr<Executor> executor, Judge judge) : executor_(std::move(executor)), judge_(judge) {}

  struct Place {
    ValueId parameter, gradient;
    size_t first = 0, count = 0;
  };

  void move_to(const Point& at);
  Result<double> mean_loss(Point* gradient);
  void add_gradients(Point& sum);

  std::unique_ptr<Executor> executor_;
  Judge judge_;
  std::unique_ptr<Loader> loader_;
  int64_t batches_ = 1;
  std::vector<FilteredParameter> parameters_;
  std::vector<Place> places_;
  Point trained_, read_;
};

}  // namespace plimsoll
