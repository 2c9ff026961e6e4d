// route_top_k: which experts a token goes to, and with which weight. Scores (…, experts) → weights and indices (…,
// top_k), the largest first. `scores`: "softmax" over all experts, "sigmoid" of each, or "chosen", a softmax over those
// that were chosen. Input 1, a bias an expert (a buffer), counts for the choice and not for the weight. With `groups`
// only the `chosen_groups` best groups are looked at, a group being as good as its best two experts (its best one
// without a bias). `normalise` makes weights add up to 1; `scale` multiplies them. Cost: 5 a score, and one for each
// comparison of the choice.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/ops/activations.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

struct Routing {
  int64_t experts, top_k, groups, chosen_groups;
  std::string scores;
  bool normalise;
  double scale;
};

Result<Routing> routing_of(const OpCall& call, size_t scores) {
  const Shape& x = call.shape(scores);
  const Attributes& a = call.attributes;
  if (x.rank() < 2) return user_error(fmt::format("scores are {}, expected experts as the last axis", x.text()));
  const Routing routing{x[x.rank() - 1],
                        a.integer("top_k", 0),
                        a.integer("groups", 1),
                        a.integer("chosen_groups", a.integer("groups", 1)),
                        a.text("scores", "softmax"),
                        a.integer("normalise", 0) != 0,
                        a.number("scale", 1)};
  if (routing.top_k < 1 || routing.top_k > routing.experts)
    return user_error(
        fmt::format("{} of {} experts are to be chosen, expected from 1 to all", routing.top_k, routing.experts));
  if (routing.groups < 1 || routing.experts % routing.groups != 0 || routing.chosen_groups < 1 ||
      routing.chosen_groups > routing.groups ||
      routing.chosen_groups * (routing.experts / routing.groups) < routing.top_k)
    return user_error(
        fmt::format("{} of {} groups of experts are to be looked at for {} of {} experts: they do not divide",
                    routing.chosen_groups, routing.groups, routing.top_k, routing.experts));
  if (routing.scores != "softmax" && routing.scores != "sigmoid" && routing.scores != "chosen")
    return user_error("scores are neither softmax nor sigmoid nor chosen");
  return routing;
}

Result<std::vector<TensorType>> infer_route_top_k(const OpCall& call) {
  PLIM_ASSIGN(const Routing routing, routing_of(call, 0));
  if (call.has(1) && call.shape(1) != Shape{routing.experts})
    return user_error(fmt::format("the bias is {}, expected one of {} experts", call.shape(1).text(), routing.experts));
  Shape chosen = call.shape(0);
  chosen[chosen.rank() - 1] = routing.top_k;
  return std::vector{TensorType{call.dtype(0), chosen}, TensorType{DType::i64, chosen}};
}

Cost cost_route_top_k(const OpCall& call) {
  return {{}, as<Flops>(call.type(0).elements() * (5 + call.attributes.integer("top_k", 1)))};
}

// What the choice goes by, before the bias.
std::vector<double> probabilities(const Routing& routing, const double* logits) {
  std::vector<double> p(logits, logits + routing.experts);
  if (routing.scores == "chosen") return p;
  if (routing.scores == "sigmoid") {
    for (double& score : p) score = sigmoid(score);
    return p;
  }
  const double largest = *std::max_element(p.begin(), p.end());
  double sum = 0;
  for (double& score : p) sum += score = std::exp(score - largest);
  for (double& score : p) score /= sum;
  return p;
}

void leave_out_groups(const Routing& routing, std::vector<double>& scores, bool biased) {
  const auto size = size_t(routing.experts / routing.groups);
  std::vector<double> worth;
  for (size_t g = 0; g < size_t(routing.groups); ++g) {
    std::vector<double> group(scores.begin() + int64_t(g * size), scores.begin() + int64_t((g + 1) * size));
    std::sort(group.rbegin(), group.rend());
    worth.push_back(group[0] + (biased && size > 1 ? group[1] : 0));
  }
  std::vector<double> order = worth;
  std::sort(order.rbegin(), order.rend());
  const double least = order[size_t(routing.chosen_groups) - 1];
  for (size_t e = 0; e < scores.size(); ++e)
    if (worth[e / size] < least) scores[e] = -std::numeric_limits<double>::infinity();
}

std::vector<size_t> choose(const Routing& routing, std::vector<double> scores, const std::vector<double>& bias) {
  for (size_t e = 0; e < bias.size(); ++e) scores[e] += bias[e];
  if (routing.chosen_groups < routing.groups) leave_out_groups(routing, scores, !bias.empty());
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return scores[a] > scores[b]; });
  order.resize(size_t(routing.top_k));
  return order;
}

// The chosen scores as weights: with those that they are divided by, and what their sum was.
struct Weights {
  std::vector<double> weights;
  double sum = 1;
};

Weights weights_of(const Routing& routing, const std::vector<double>& p, const std::vector<size_t>& chosen) {
  Weights found;
  for (const size_t e : chosen) found.weights.push_back(p[e]);
  if (routing.scores == "chosen") {
    const double largest = *std::max_element(found.weights.begin(), found.weights.end());
    for (double& weight : found.weights) weight = std::exp(weight - largest);
  }
  if (routing.scores == "chosen" || routing.normalise)
    found.sum = std::accumulate(found.weights.begin(), found.weights.end(), 0.0);
  for (double& weight : found.weights) weight *= routing.scale / found.sum;
  return found;
}

bool reference_route_top_k(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Routing routing = *routing_of(call, 0);
  const auto logits = read_doubles(in[0]), bias = read_doubles(in, 1);
  std::vector<double> weights, indices;
  for (size_t row = 0; row + size_t(routing.experts) <= logits.size(); row += size_t(routing.experts)) {
    const auto p = probabilities(routing, logits.data() + row);
    const auto chosen = choose(routing, p, bias);
    const auto found = weights_of(routing, p, chosen).weights;
    weights.insert(weights.end(), found.begin(), found.end());
    indices.insert(indices.end(), chosen.begin(), chosen.end());
  }
  write_doubles(out, 0, weights);
  write_doubles(out, 1, indices);
  return true;
}

// Of the loss by each logit, from the slopes by each weight.
std::vector<double> logit_slopes(const Routing& routing, const double* logits, const std::vector<size_t>& chosen,
                                 const double* slopes) {
  const auto p = probabilities(routing, logits);
  const Weights now = weights_of(routing, p, chosen);
  double mean = 0;  // of the slopes, by their share
  const bool shares = routing.scores == "chosen" || routing.normalise;
  for (size_t i = 0; i < chosen.size(); ++i) mean += shares ? now.weights[i] * slopes[i] / routing.scale : 0;
  std::vector<double> by_score(p.size());
  for (size_t i = 0; i < chosen.size(); ++i) {
    const double slope = routing.scale * (slopes[i] - mean);
    by_score[chosen[i]] = routing.scores == "chosen" ? now.weights[i] / routing.scale * slope : slope / now.sum;
  }
  if (routing.scores == "chosen") return by_score;
  double along = 0;
  for (size_t e = 0; e < p.size(); ++e) along += p[e] * by_score[e];
  for (size_t e = 0; e < p.size(); ++e)
    by_score[e] = routing.scores == "sigmoid" ? by_score[e] * p[e] * (1 - p[e]) : p[e] * (by_score[e] - along);
  return by_score;
}

// dweights, scores, indices → dscores.
bool reference_route_top_k_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Routing routing = *routing_of(call, 1);
  const auto slopes = read_doubles(in[0]), logits = read_doubles(in[1]), indices = read_doubles(in[2]);
  std::vector<double> dx;
  const auto k = size_t(routing.top_k), experts = size_t(routing.experts);
  for (size_t row = 0; (row + 1) * experts <= logits.size(); ++row) {
    std::vector<size_t> chosen;
    for (size_t i = row * k; i < (row + 1) * k; ++i) {
      if (!(indices[i] >= 0 && indices[i] < double(experts))) return false;
      chosen.push_back(size_t(indices[i]));
    }
    const auto found = logit_slopes(routing, logits.data() + row * experts, chosen, slopes.data() + row * k);
    dx.insert(dx.end(), found.begin(), found.end());
  }
  write_doubles(out, 0, dx);
  return true;
}

Result<std::vector<TensorType>> infer_route_top_k_grad(const OpCall& call) {
  PLIM_TRY(routing_of(call, 1));
  if (call.shape(0) != call.shape(2)) return user_error("weights and indices are not of one shape");
  return std::vector{call.type(1)};
}

const Op& route_top_k_grad() {
  static const Op op{.name = "route_top_k_grad",
                     .onnx = {},
                     .roles = "xxt",
                     .required_inputs = 3,
                     .infer = infer_route_top_k_grad,
                     .cost =
                         [](const OpCall& call) {
                           return Cost{{}, as<Flops>(call.type(1).elements() * 8)};
                         },
                     .reference = reference_route_top_k_grad};
  return op;
}

void gradient_route_top_k(Backward& backward) {
  if (!backward.wants(0)) return;
  if (!backward.output(1).present()) return backward.fail("its choice is not kept");
  backward.set(0, backward.emit(route_top_k_grad(), {backward.gradient(0), backward.input(0), backward.output(1)},
                                backward.attributes()));
}

std::vector<OpExample> examples_route_top_k() {
  using example::f32;
  return {{"softmax", {{"top_k", int64_t{2}}, {"normalise", int64_t{1}}}, {f32({2, 3, 5})}, 2},
          {"of the chosen", {{"top_k", int64_t{2}}, {"scores", std::string("chosen")}}, {f32({3, 4})}, 2},
          {"sigmoid, groups, bias",
           {{"top_k", int64_t{2}},
            {"scores", std::string("sigmoid")},
            {"groups", int64_t{3}},
            {"chosen_groups", int64_t{2}},
            {"normalise", int64_t{1}},
            {"scale", 2.5}},
           {f32({2, 6}), example::known(float_tensor({6}, {0, 0.1F, 0.2F, 0, 0.3F, 0.1F}))},
           2}};
}

}  // namespace

const Op& route_top_k_op() {
  static const Op op{.name = "route_top_k",
                     .onnx = {},
                     .roles = "xb",
                     .infer = infer_route_top_k,
                     .cost = cost_route_top_k,
                     .reference = reference_route_top_k,
                     .gradient = gradient_route_top_k,
                     .examples = examples_route_top_k};
  return op;
}

}  // namespace plimsoll
