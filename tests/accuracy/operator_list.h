// OperatorList: the operators that PyTorch runs for a network's forward pass, as torch itself lists them, and the step
// that they make: the same TimedProgram that the program makes of its own graphs. So the time model can be held
// against networks that are not in the zoo.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "plan/time/execution.h"
#include "plan/time/timed_program.h"

namespace plimsoll {

struct ListedOperator {
  std::string name;
  DType dtype = DType::f32;
  double in = 0, out = 0, own = 0;                     // bytes: data read, data written, parameters read
  std::vector<double> output, data, weights, product;  // shapes; of a product m, n, k, of several count, m, n, k
  double groups = 1, keys = 1;
  size_t operands = 1;
};

struct OperatorList {
  double batch = 1, parameters = 0;
  bool trains = false;
  std::vector<ListedOperator> operators;
};

OperatorList operator_list(const nlohmann::json& json);

// The step at another batch, with its backward pass and its update where it trains. Kernels that are alike are one
// operation with a count.
TimedProgram timed(const OperatorList& list, double batch, TorchVersion torch = {});

}  // namespace plimsoll
