#include "run/surface/network_surface.h"

#include "base/rows/named.h"

#include <algorithm>

namespace plimsoll {

Result<std::unique_ptr<NetworkSurface>> NetworkSurface::make(const Program& step, std::unique_ptr<Executor> executor,
                                                             Judge judge, DatasetPtr dataset, LoaderOptions loader,
                                                             int64_t samples) {
  std::unique_ptr<NetworkSurface> made(new NetworkSurface(std::move(executor), std::move(judge)));
  loader.shuffle = loader.drop_last = true;
  PLIM_ASSIGN(made->loader_, Loader::make(std::move(dataset), loader));
  if (made->loader_->batches() == 0)
    return user_error("the training set has fewer samples than a batch", "choose a smaller " + named("batch"));
  made->batches_ = std::clamp<int64_t>(samples / loader.batch, 1, made->loader_->batches());
  made->parameters_ = filtered_parameters(step);
  if (made->parameters_.empty()) return user_error("the network has no parameters that training moves");
  size_t next = 0, largest = 0;
  for (const auto& operation : made->executor_->program().operations) {
    if (operation.phase != Phase::update || operation.inputs.size() < 2) continue;  // a reorder before an update
    const FilteredParameter& parameter = made->parameters_.at(next++);
    made->places_.push_back({operation.inputs[0], operation.inputs[1], parameter.first, parameter.count()});
    largest = std::max(largest, parameter.count());
  }
  PLIM_CHECK(next == made->parameters_.size(), "lowering keeps the updates and their order");
  const auto& last = made->parameters_.back();
  made->trained_.resize(last.first + last.count());
  made->read_.resize(largest);
  for (const auto& place : made->places_)
    made->executor_->read(place.parameter,
                          std::as_writable_bytes(std::span(made->trained_).subspan(place.first, place.count)));
  return made;
}

Result<double> NetworkSurface::loss(const Point& at) {
  move_to(at);
  return mean_loss(nullptr);
}

Result<double> NetworkSurface::loss(const Point& at, Point& gradient) {
  move_to(at);
  std::fill(gradient.begin(), gradient.end(), 0.0f);
  PLIM_ASSIGN(const double mean, mean_loss(&gradient));
  for (float& number : gradient) number /= float(batches_);
  return mean;
}

void NetworkSurface::move_to(const Point& at) {
  for (const auto& place : places_)
    executor_->write(place.parameter, std::as_bytes(std::span(at).subspan(place.first, place.count)));
}

Result<double> NetworkSurface::mean_loss(Point* gradient) {
  PLIM_TRY(loader_->start(0));
  double sum = 0;
  for (int64_t i = 0; i < batches_; ++i) {
    PLIM_ASSIGN(const auto batch, loader_->next());
    PLIM_CHECK(batch.has_value(), "the loader has as many batches as it said");
    const JudgedBatch judged = judge_.judged(*batch);
    executor_->write(executor_->program().inputs.at(0), judged.inputs);
    judge_.write_targets(*executor_, judged.labels);
    executor_->compute();
    float loss = 0;
    executor_->read(executor_->program().loss, std::as_writable_bytes(std::span(&loss, 1)));
    sum += double(loss);
    if (gradient) add_gradients(*gradient);
  }
  return sum / double(batches_);
}

void NetworkSurface::add_gradients(Point& sum) {
  for (const auto& place : places_) {
    const auto read = std::span(read_).first(place.count);
    executor_->read(place.gradient, std::as_writable_bytes(read));
    for (size_t i = 0; i < place.count; ++i) sum[place.first + i] += read[i];
  }
}

}  // namespace plimsoll
