#include "model/ops/fused_activation.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "base/text.h"

namespace plimsoll {
namespace {

struct Row {
  std::string_view name;
  ActivationKind kind;
  int parameters;      // how many of alpha and beta it reads
  double alpha, beta;  // ONNX's defaults
  double (*apply)(double x, double alpha, double beta);
  double (*slope)(double x, double alpha, double beta);
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

double logistic_slope(double x) { return sigmoid(x) * (1 - sigmoid(x)); }
double tanh_slope(double x) { return 1 - std::tanh(x) * std::tanh(x); }

// clang-format off
const Row kActivations[] = {
    {"relu", ActivationKind::relu, 0, 0, 0,
     [](double x, double, double) { return std::max(x, 0.0); },
     [](double x, double, double) { return x > 0 ? 1.0 : 0.0; }},
    {"tanh", ActivationKind::bounded, 0, 0, 0,
     [](double x, double, double) { return std::tanh(x); },
     [](double x, double, double) { return tanh_slope(x); }},
    {"sigmoid", ActivationKind::bounded, 0, 0, 0,
     [](double x, double, double) { return sigmoid(x); },
     [](double x, double, double) { return logistic_slope(x); }},
    {"affine", ActivationKind::none, 2, 1, 0,
     [](double x, double a, double b) { return a * x + b; },
     [](double, double a, double) { return a; }},
    {"leakyrelu", ActivationKind::rectifier, 1, 0.01, 0,
     [](double x, double a, double) { return x >= 0 ? x : a * x; },
     [](double x, double a, double) { return x >= 0 ? 1 : a; }},
    {"thresholdedrelu", ActivationKind::rectifier, 1, 1, 0,
     [](double x, double a, double) { return x > a ? x : 0.0; },
     [](double x, double a, double) { return x > a ? 1.0 : 0.0; }},
    {"scaledtanh", ActivationKind::bounded, 2, 1, 1,
     [](double x, double a, double b) { return a * std::tanh(b * x); },
     [](double x, double a, double b) { return a * b * tanh_slope(b * x); }},
    {"hardsigmoid", ActivationKind::bounded, 2, 0.2, 0.5,
     [](double x, double a, double b) { return std::min(std::max(a * x + b, 0.0), 1.0); },
     [](double x, double a, double b) { return a * x + b > 0 && a * x + b < 1 ? a : 0; }},
    {"elu", ActivationKind::rectifier, 1, 1, 0,
     [](double x, double a, double) { return x >= 0 ? x : a * std::expm1(x); },
     [](double x, double a, double) { return x >= 0 ? 1 : a * std::exp(x); }},
    {"softsign", ActivationKind::bounded, 0, 0, 0,
     [](double x, double, double) { return x / (1 + std::abs(x)); },
     [](double x, double, double) { return 1 / ((1 + std::abs(x)) * (1 + std::abs(x))); }},
    {"softplus", ActivationKind::rectifier, 0, 0, 0,
     [](double x, double, double) { return softplus(x); },
     [](double x, double, double) { return sigmoid(x); }},
    {"clip", ActivationKind::clip, 2, 0, 0,
     [](double x, double a, double b) { return std::min(std::max(x, a), b); },
     [](double x, double a, double b) { return x > a && x < b ? 1.0 : 0.0; }},
    {"silu", ActivationKind::silu, 0, 0, 0,
     [](double x, double, double) { return x * sigmoid(x); },
     [](double x, double, double) { return sigmoid(x) + x * logistic_slope(x); }},
    {"hardswish", ActivationKind::hard_swish, 0, 0, 0,
     [](double x, double, double) { return x * std::min(std::max(x / 6 + 0.5, 0.0), 1.0); },
     [](double x, double, double) { return x <= -3 ? 0 : x >= 3 ? 1 : x / 3 + 0.5; }},
};
// clang-format on

const Row* find(std::string_view name) {
  std::string lower;
  for (const char c : name) lower += char(std::tolower(static_cast<unsigned char>(c)));
  for (const Row& row : kActivations)
    if (row.name == lower) return &row;
  return nullptr;
}

}  // namespace

double Activation::operator()(double x) const {
  const Row* row = find(name);
  return row ? row->apply(x, alpha, beta) : x;
}

double Activation::slope(double x) const {
  const Row* row = find(name);
  return row ? row->slope(x, alpha, beta) : 1;
}

Result<Activation> activation_named(const std::string& name, std::optional<double> alpha, std::optional<double> beta) {
  const Row* row = find(name);
  if (!row) return user_error(fmt::format("{} is not an activation we know", in_quotes(name)));
  return Activation{std::string(row->name), alpha.value_or(row->alpha), beta.value_or(row->beta), row->parameters,
                    row->kind};
}

std::string_view fused_name(ActivationKind kind) {
  switch (kind) {
    case ActivationKind::relu: return "Relu";
    case ActivationKind::clip: return "Clip";
    case ActivationKind::hard_swish: return "HardSwish";
    case ActivationKind::silu: return "Silu";
    default: return {};
  }
}

Result<Activation> fused_activation(const Attributes& attributes) {
  const std::string name = attributes.text("activation", "");
  if (name.empty()) return Activation{};
  const auto parameters = attributes.numbers("activation_params");
  const auto given = [&](size_t i, std::string_view attribute) -> std::optional<double> {
    if (i < parameters.size()) return parameters[i];
    if (attributes.has(attribute)) return attributes.number(attribute, 0);
    return std::nullopt;
  };
  return activation_named(name, given(0, "activation_alpha"), given(1, "activation_beta"));
}

}  // namespace plimsoll
