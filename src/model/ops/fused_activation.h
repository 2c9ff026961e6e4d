// The activation that onnxruntime's optimiser folds into a convolution or a product (attributes
// activation, activation_alpha, activation_beta, activation_params) and the ones a recurrent
// layer names. All work on one number.
#pragma once

#include <string>

#include "model/ir/op.h"

namespace plimsoll {

struct Activation {
  std::string name;  // "Relu", "Tanh" …; empty: none
  double alpha = 0, beta = 0;
  int parameters = 0;  // how many of alpha and beta it reads
  ActivationKind kind = ActivationKind::none;

  double operator()(double x) const;
  double slope(double x) const;  // its derivative at x
};

// The activation of that name, any case, with ONNX's defaults for alpha and beta where none is
// given; an error when there is none of that name.
Result<Activation> activation_named(const std::string& name, std::optional<double> alpha, std::optional<double> beta);

// As the attributes of a fused node state it; the empty one when they state none.
Result<Activation> fused_activation(const Attributes& attributes);

// The name that an activation bears as the attribute of an operation that it was fused into: "HardSwish".
std::string_view fused_name(ActivationKind kind);

}  // namespace plimsoll
