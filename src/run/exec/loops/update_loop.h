// One pass over a parameter, its gradient and its optimizer's states, whatever their (common) layout: the update rules
// of model/optim in f32. Norms are summed in pieces of fixed size, so they do not depend on the number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "model/ir/attributes.h"

namespace plimsoll {

struct UpdateArrays {
  float* parameter;
  const float* gradient;
  float *first, *second;  // states; nullptr when there are fewer
  int64_t size;
  float learning_rate;
  int64_t step;                   // from 1
  double* trust_ratio = nullptr;  // where LARS and LAMB write what they took, when they adapt
};

// What a rule takes for settings that are not given.
struct UpdateDefaults {
  double decay = 0, epsilon = 1e-8, beta2 = 0.999;
};

struct UpdateSettings {
  float decay, momentum, dampening, alpha, beta1, beta2, epsilon, trust;
  bool adapt;  // LARS and LAMB: by the norms of parameter and gradient
  UpdateSettings(const UpdateDefaults& usual, const Attributes& attributes);
};

struct UpdateLoop {
  std::string_view op;  // "adam_update"
  size_t states;
  void (*run)(const UpdateArrays&, const UpdateSettings&);
  UpdateDefaults usual = {};
};

std::span<const UpdateLoop> all_update_loops();

}  // namespace plimsoll
