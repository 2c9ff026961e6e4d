// descent_paths: what the batch does to the path of descent. Logistic regression on the first 2,000 digits of MNIST, by
// one sample, by mini-batches and by all samples at a time, from the same start with as many passes over the data.
// Prints JSON: the paths in the plane that shows most of them, and the loss in that plane. tools/plot_descent.py draws
// it.
//
// It is also the shortest use of the library: a network, a step, an executor, a loader.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "model/ir/bind.h"
#include "model/ir/program_lookup.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "model/zoo/all_models.h"
#include "run/data/all_datasets.h"
#include "run/data/loader.h"
#include "run/data/normalised.h"
#include "run/data/subset.h"
#include "run/exec/backend.h"
#include "run/train/initialise.h"
#include "tell/report/json.h"

namespace plimsoll {
namespace {

using Numbers = std::vector<float>;

constexpr int64_t kSamples = 2000, kPasses = 20, kShown = 250;
constexpr uint64_t kSeed = 3;

struct Way {
  const char* name;
  int64_t batch;
  float learning_rate;
};
constexpr Way kWays[] = {
    {"one sample", 1, 0.02F}, {"mini-batches of 50", 50, 0.1F}, {"all 2,000 samples", kSamples, 0.5F}};

Result<DatasetPtr> digits() {
  PLIM_ASSIGN(const DataParts parts, open_dataset({.name = "mnist"}));
  std::vector<uint32_t> first(kSamples);
  std::iota(first.begin(), first.end(), 0U);
  return normalised(subset(parts.train, std::move(first), "digits"), {});
}

// A training step of the network for one batch size, with its parameters as one vector.
class Descent {
 public:
  static Result<Descent> make(int64_t batch) {
    PLIM_ASSIGN(const Graph graph, build_model("logistic", {}));
    PLIM_ASSIGN(Program forward, bind(graph, {.batch = batch}));
    StepOptions options;
    PLIM_ASSIGN(options.optimizer, find_optimizer("sgd"));
    PLIM_ASSIGN(Program step, make_step(std::move(forward), options));
    PLIM_ASSIGN(auto executor, make_executor(*all_backends().front(), std::move(step), 1));
    initialise(*executor, kSeed);
    return Descent(std::move(executor));
  }

  float step(const Batch& batch, float learning_rate, int64_t number) {
    write("learning_rate", std::as_bytes(std::span(&learning_rate, 1)));
    write("step", std::as_bytes(std::span(&number, 1)));
    write("targets", std::as_bytes(batch.labels));
    executor_->write(executor_->program().inputs[0], batch.inputs);
    executor_->compute();
    float loss = 0;
    executor_->read(executor_->program().loss, std::as_writable_bytes(std::span(&loss, 1)));
    return loss;
  }
  void update() { executor_->update(); }

  Numbers weights() const {
    Numbers all;
    for (const ValueId id : parameters_) {
      Numbers one(size_t(executor_->program().value(id).type->elements().value()));
      executor_->read(id, std::as_writable_bytes(std::span(one)));
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }

  void set_weights(const Numbers& all) {
    size_t at = 0;
    for (const ValueId id : parameters_) {
      const auto count = size_t(executor_->program().value(id).type->elements().value());
      executor_->write(id, std::as_bytes(std::span(all).subspan(at, count)));
      at += count;
    }
  }

 private:
  explicit Descent(std::unique_ptr<Executor> executor) : executor_(std::move(executor)) {
    const Program& program = executor_->program();
    for (size_t i = 0; i < program.values.size(); ++i)
      if (program.values[i].role == Role::parameter) parameters_.push_back({int32_t(i)});
  }

  void write(std::string_view name, std::span<const std::byte> bytes) {
    executor_->write(input_named(executor_->program(), name), bytes);
  }

  std::unique_ptr<Executor> executor_;
  std::vector<ValueId> parameters_;
};

struct Path {
  const Way* way;
  std::vector<Numbers> points;
  std::vector<double> losses;  // of each pass, over its samples as they were met
};

Result<Path> descend(const Way& way, const DatasetPtr& data) {
  PLIM_ASSIGN(Descent descent, Descent::make(way.batch));
  PLIM_ASSIGN(const auto loader, Loader::make(data, {.batch = way.batch, .seed = kSeed, .shuffle = true}));
  Path path{&way, {descent.weights()}, {}};
  const int64_t steps = kPasses * loader->batches(), every = std::max<int64_t>(1, steps / kShown);
  int64_t number = 0;
  for (int64_t pass = 0; pass < kPasses; ++pass) {
    PLIM_TRY(loader->start(pass));
    double sum = 0;
    for (;;) {
      PLIM_ASSIGN(const auto batch, loader->next());
      if (!batch) break;
      sum += descent.step(*batch, way.learning_rate, ++number);
      descent.update();
      if (number % every == 0) path.points.push_back(descent.weights());
    }
    path.losses.push_back(sum / double(loader->batches()));
  }
  return path;
}

double dot(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += double(a[i]) * b[i];
  return sum;
}

void scale(Numbers& a, double factor) {
  for (float& number : a) number = float(number * factor);
}

// The two directions in which the points differ most: power iteration on their distances from the start.
std::vector<Numbers> directions(const std::vector<Numbers>& moves) {
  std::vector<Numbers> found;
  for (int k = 0; k < 2; ++k) {
    Numbers direction = moves.back();
    for (int round = 0; round < 50; ++round) {
      Numbers next(direction.size(), 0);
      for (const auto& move : moves) {
        const double along = dot(move, direction);
        for (size_t i = 0; i < next.size(); ++i) next[i] += float(along * move[i]);
      }
      for (const auto& other : found) {
        const double along = dot(next, other);
        for (size_t i = 0; i < next.size(); ++i) next[i] -= float(along * other[i]);
      }
      scale(next, 1 / std::sqrt(dot(next, next)));
      direction = std::move(next);
    }
    found.push_back(std::move(direction));
  }
  return found;
}

// The loss over all samples on a grid of the plane.
Result<Json> loss_in_plane(const DatasetPtr& data, const Numbers& start, const std::vector<Numbers>& plane, double left,
                           double right, double bottom, double top) {
  constexpr int kGrid = 41;
  PLIM_ASSIGN(Descent descent, Descent::make(kSamples));
  PLIM_ASSIGN(const auto loader, Loader::make(data, {.batch = kSamples, .seed = kSeed}));
  PLIM_TRY(loader->start(0));
  PLIM_ASSIGN(const auto batch, loader->next());
  Json rows = Json::array();
  for (int row = 0; row < kGrid; ++row) {
    Json losses = Json::array();
    for (int column = 0; column < kGrid; ++column) {
      const double x = left + (right - left) * column / (kGrid - 1), y = bottom + (top - bottom) * row / (kGrid - 1);
      Numbers here = start;
      for (size_t i = 0; i < here.size(); ++i) here[i] += float(x * plane[0][i] + y * plane[1][i]);
      descent.set_weights(here);
      losses.push_back(descent.step(*batch, 0, 1));
    }
    rows.push_back(std::move(losses));
  }
  return Json{{"left", left}, {"right", right}, {"bottom", bottom}, {"top", top}, {"loss", std::move(rows)}};
}

Result<Json> run() {
  PLIM_ASSIGN(const DatasetPtr data, digits());
  std::vector<Path> paths;
  for (const auto& way : kWays) {
    PLIM_ASSIGN(Path path, descend(way, data));
    paths.push_back(std::move(path));
  }
  const Numbers start = paths[0].points[0];
  std::vector<Numbers> moves;
  for (const auto& path : paths)
    for (const auto& point : path.points) {
      Numbers move = point;
      for (size_t i = 0; i < move.size(); ++i) move[i] -= start[i];
      moves.push_back(std::move(move));
    }
  const std::vector<Numbers> plane = directions(moves);
  Json json{{"samples", kSamples}, {"passes", kPasses}, {"paths", Json::array()}};
  double left = 0, right = 0, bottom = 0, top = 0;
  size_t at = 0;
  for (const auto& path : paths) {
    Json points = Json::array();
    for (size_t i = 0; i < path.points.size(); ++i, ++at) {
      const double x = dot(moves[at], plane[0]), y = dot(moves[at], plane[1]);
      left = std::min(left, x), right = std::max(right, x), bottom = std::min(bottom, y), top = std::max(top, y);
      points.push_back({x, y});
    }
    json["paths"].push_back({{"name", path.way->name},
                             {"batch", path.way->batch},
                             {"learning_rate", path.way->learning_rate},
                             {"points", std::move(points)},
                             {"losses", path.losses}});
  }
  const double across = 0.1 * (right - left), up = 0.1 * (top - bottom);
  PLIM_ASSIGN(json["plane"], loss_in_plane(data, start, plane, left - across, right + across, bottom - up, top + up));
  return json;
}

}  // namespace
}  // namespace plimsoll

int main() {
  const auto json = plimsoll::run();
  if (!json.ok()) {
    fmt::print(stderr, "descent_paths: {}\n", json.error().line());
    return 2;
  }
  std::fputs(plimsoll::json_text(*json).c_str(), stdout);
}
