#include "tests/fuzz/random_graphs/random_graph.h"

#include <algorithm>

#include "model/optim/all_optimizers.h"
#include "tests/fuzz/random_graphs/bricks.h"

namespace plimsoll {
namespace {

uint64_t hash_of(const std::string& name) {  // FNV-1a: the same everywhere, which std::hash is not
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char letter : name) hash = (hash ^ uint64_t(uint8_t(letter))) * 0x100000001b3ULL;
  return hash;
}

// Each as likely as the others; one that is added to the list later takes the place of few, so that most seeds still
// mean the network that they meant before.
const WeightedBrick& random_example(Dice& dice) {
  static const auto examples = example_bricks();
  static const auto hashes = [] {
    std::vector<uint64_t> list;
    for (const auto& brick : examples) list.push_back(hash_of(brick.name));
    return list;
  }();
  const uint64_t draw = dice.next();
  size_t best = 0;
  uint64_t least = ~uint64_t{0};
  for (size_t i = 0; i < hashes.size(); ++i) {
    const uint64_t rank = Dice(draw ^ hashes[i]).next();
    if (rank < least) {
      least = rank;
      best = i;
    }
  }
  return examples[best];
}

const WeightedBrick& random_brick(Dice& dice) {
  static const auto made = [] {
    auto list = layer_bricks();
    for (auto& brick : shape_bricks()) list.push_back(std::move(brick));
    return list;
  }();
  if (dice.chance(0.45)) return random_example(dice);
  int64_t all = 0;
  for (const auto& brick : made) all += brick.weight;
  int64_t left = dice.below(all);
  for (const auto& brick : made)
    if ((left -= brick.weight) < 0) return brick;
  return made.back();
}

Shape random_shape(Dice& dice) {
  if (dice.chance(0.5)) return {dice.from_to(1, 4), dice.from_to(1, 7), dice.from_to(1, 8), dice.from_to(1, 8)};
  Shape shape;
  for (int64_t rank = dice.from_to(0, 5); rank > 0; --rank) shape.push_back(dice.from_to(1, 5));
  return shape;
}

// Scores of classes: what comes before, flat, times weights.
std::optional<ValueId> scores(GraphMaker& maker, ValueId x, int64_t rows, int64_t classes) {
  const int64_t numbers = maker.shape(x).elements().value();
  const int64_t each = std::clamp<int64_t>(numbers / rows, 1, 64);
  const auto flat = maker.fit(x, {rows, each});
  return flat ? maker.apply("gemm", {*flat, maker.parameter({classes, each}), maker.parameter({classes})},
                            {{"transB", int64_t{1}}, {"alpha", 0.5}})
              : flat;
}

// The last nodes, with a loss that suits them.
ValueId finish(GraphMaker& maker, ValueId x, RandomGraph& result) {
  Dice& dice = maker.dice;
  const auto kind = dice.below(6);
  if (kind == 0) {
    result.step.loss = Loss::mean_squared_error;
    return x;
  }
  const int64_t rows = dice.from_to(1, 4), classes = kind == 1 ? 1 : dice.from_to(2, 6);
  const auto out = scores(maker, x, rows, classes);
  if (!out) return x;
  if (kind == 2) result.step.loss = Loss::mean_squared_error;
  if (kind == 3) {  // binary cross-entropy by itself; of a probability that f32 tells from 0 and 1
    const auto near = maker.apply("tanh", {*out});
    return near ? maker.apply("sigmoid", {*near}).value_or(*near) : *out;
  }
  if (kind == 4) return maker.apply("softmax", {*out}).value_or(*out);  // goes into the loss
  if (kind == 5 && dice.chance(0.5)) result.step.label_smoothing = 0.1;
  return *out;
}

void choose_step(Dice& dice, RandomGraph& result) {
  StepOptions& step = result.step;
  step.optimizer = dice.pick(all_optimizers());
  step.micro_batches = dice.chance(0.2) ? dice.from_to(2, 3) : 1;
  if (dice.chance(0.25)) step.recompute = dice.between(0.2, 1);
  step.fuse = dice.chance(0.85);
  if (dice.chance(0.1)) step.form = TrainingForm::frozen;
  result.conv = dice.pick({ConvSetting::automatic, ConvSetting::direct, ConvSetting::winograd, ConvSetting::fft});
}

void add_outputs(GraphMaker& maker, ValueId out) {
  Graph& graph = maker.graph();
  graph.outputs = {out};
  if (maker.dice.chance(0.15))
    if (const ValueId more = maker.earlier(out); more != out) graph.outputs.push_back(more);
}

Tensor in_floats(const Tensor& tensor) {
  Tensor result(TensorType{DType::f32, tensor.type.shape});
  const auto numbers = tensor.doubles();
  std::transform(numbers.begin(), numbers.end(), result.as<float>(), [](double x) { return float(x); });
  return result;
}

}  // namespace

Status StoredNumbers::read(const std::string& name, int64_t first, std::span<float> into) const {
  const Tensor& tensor = tensors_.at(name);
  std::copy_n(tensor.as<float>() + first, into.size(), into.begin());
  return {};
}

RandomGraph random_graph(uint64_t seed, Kind kind) {
  Dice dice(seed);
  GraphMaker maker(dice);
  RandomGraph result;
  result.seed = seed;
  const bool picture = kind == Kind::picture;
  ValueId x = maker.input(picture ? Shape{2, 3, dice.from_to(6, 10), dice.from_to(6, 10)} : random_shape(dice));
  for (int64_t left = dice.from_to(1, 9), tries = 60; left > 0 && tries > 0; --tries) {
    const WeightedBrick& brick = random_brick(dice);
    const auto next = brick.lay(maker, x);
    if (!next) continue;
    x = *next;
    result.bricks += (result.bricks.empty() ? "" : ", ") + brick.name;
    --left;
  }
  const ValueId out = picture ? scores(maker, x, 2, 2).value_or(x) : finish(maker, x, result);
  add_outputs(maker, out);
  choose_step(dice, result);
  result.input = in_floats(maker.numbers(maker.graph().inputs[0]));
  result.graph = maker.graph();
  result.graph.name = "random";
  result.stored = maker.stored();
  return result;
}

}  // namespace plimsoll
