#include "run/surface/network_surface.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/build/builder.h"
#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "run/exec/reference/reference_backend.h"
#include "run/train/evaluate_network.h"
#include "run/train/initialise.h"
#include "tests/unit/run/train/blobs.h"

namespace plimsoll {
namespace {

constexpr int64_t kSurfaceBatch = 4;

// With what a training step would change or leave to chance: running statistics, dropout.
Program surface_forward() {
  Builder b("small", {1, 6, 6});
  auto x = b.conv("conv", b.input(), 4, {.kernel = {3, 3}});
  x = b.apply("tanh", "tanh", {b.batch_norm("bn", x)});  // smooth, so that differences tell the slope
  x = b.dropout("dropout", b.flatten("flatten", x), 0.5);
  auto graph = b.finish(b.linear("fc", x, 3));
  EXPECT_TRUE(graph.ok());
  BindOptions options;
  options.batch = kSurfaceBatch;
  return *bind(*graph, options);
}

struct SmallSurface {
  DatasetPtr data = std::make_shared<Blobs>(12);
  std::unique_ptr<NetworkSurface> surface;

  SmallSurface() {
    StepOptions options;
    options.optimizer = find_optimizer("sgd").value();
    options.form = TrainingForm::frozen;
    const auto step = make_step(surface_forward(), options), inference = make_step(surface_forward(), {});
    auto executor = *make_executor(reference_backend(), *step, 1);
    initialise(*executor, 3);
    LoaderOptions loader;
    loader.batch = kSurfaceBatch;
    auto made = NetworkSurface::make(*step, std::move(executor), *Judge::make(*step, *inference, 3), data, loader, 12);
    EXPECT_TRUE(made.ok()) << made.error().line();
    surface = *std::move(made);
  }
};

TEST(NetworkSurface, ItsLossIsThatOfAnInference) {
  SmallSurface small;
  const auto inference = make_step(surface_forward(), {});
  StepOptions training;
  training.optimizer = find_optimizer("sgd").value();
  Judge judge = *Judge::make(*make_step(surface_forward(), training), *inference, 3);
  const auto executor = *make_executor(reference_backend(), *inference, 1);
  initialise(*executor, 3);
  LoaderOptions loader;
  loader.batch = kSurfaceBatch;
  const auto evaluated = evaluate_network(*executor, judge, small.data, loader);
  EXPECT_EQ(small.surface->samples(), 12);
  EXPECT_NEAR(*small.surface->loss(small.surface->trained()), evaluated->evaluation.all.loss(), 1e-5);
}

TEST(NetworkSurface, TheGradientIsThatOfTheLoss) {
  SmallSurface small;
  const Point trained = small.surface->trained();
  Point gradient(trained.size());
  const double here = *small.surface->loss(trained, gradient);
  EXPECT_NEAR(here, *small.surface->loss(trained), 1e-6);
  for (const auto& parameter : small.surface->parameters()) {
    const size_t i = parameter.first + parameter.count() / 2;
    Point moved = trained;
    moved[i] = trained[i] + 0.01f;
    const double above = *small.surface->loss(moved);
    moved[i] = trained[i] - 0.01f;
    const double slope = (above - *small.surface->loss(moved)) / 0.02;
    EXPECT_NEAR(gradient[i], slope, 1e-3 + 0.02 * std::abs(slope)) << parameter.name;
  }
}

TEST(NetworkSurface, TheSameAgain) {
  SmallSurface small;
  const Point trained = small.surface->trained();
  EXPECT_EQ(sharpness(*small.surface, trained, 1e-3, 3, 5)->loss, sharpness(*small.surface, trained, 1e-3, 3, 5)->loss);
}

double length(const Point& point, size_t first, size_t stride, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; ++i) sum += std::pow(double(point[first + i * stride]), 2);
  return std::sqrt(sum);
}

TEST(FilterDirection, EachFilterIsAsLongAsTheNetworks) {
  SmallSurface small;
  const Point& trained = small.surface->trained();
  const Point direction = filter_direction(small.surface->parameters(), trained, 1);
  int filters = 0;
  for (const auto& parameter : small.surface->parameters()) {
    if (!parameter.axis) {
      EXPECT_EQ(length(direction, parameter.first, 1, parameter.count()), 0) << parameter.name;
      continue;
    }
    ASSERT_EQ(*parameter.axis, 0) << parameter.name;
    const size_t size = parameter.count() / size_t(parameter.shape[0]);
    for (size_t at = parameter.first; at < parameter.first + parameter.count(); at += size, ++filters)
      EXPECT_NEAR(length(direction, at, 1, size), length(trained, at, 1, size), 1e-5) << parameter.name;
  }
  EXPECT_EQ(filters, 4 + 3);
}

TEST(FilterDirection, ColumnsWhereNeuronsAreColumns) {
  const std::vector<FilteredParameter> parameters{{"w", Shape{5, 2}, 0, 1}};
  const Point own{1, 0, 2, 0, 3, 0, 4, 0, 5, 0};
  const Point direction = filter_direction(parameters, own, 4);
  EXPECT_NEAR(length(direction, 0, 2, 5), std::sqrt(55), 1e-5);
  EXPECT_EQ(length(direction, 1, 2, 5), 0);
}

}  // namespace
}  // namespace plimsoll
