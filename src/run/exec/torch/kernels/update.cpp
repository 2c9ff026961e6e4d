// Updates of a parameter and of what its optimizer keeps, in place: parameter, gradient, states, learning rate, step.
// The rate and the step stay on the device.
#include <cmath>

#include "run/exec/torch/kernels/torch_kernel_makers.h"

namespace plimsoll {
namespace {

// Where the operands of an update are, by how many states it has.
struct Operands {
  const TorchOperands& p;
  size_t states;

  const TorchTensor& parameter() const { return p.out(0); }
  const TorchTensor& gradient() const { return p.in(1); }
  const TorchTensor& state(size_t i) const { return p.out(1 + i); }
  const TorchTensor& rate() const { return p.in(2 + states); }
  const TorchTensor& step() const { return p.in(3 + states); }
  TorchTensor step_as(DType type) const {
    return call("aten::to", "dtype", step(), detail::Type{type}, false, false, none);
  }
};

using Rule = void (*)(const Operands& now, const Attributes& settings);

detail::Tensors list(const TorchTensor& tensor) { return {{&tensor}}; }

// The gradient with the decay that belongs to it.
TorchTensor decayed(const Operands& now, const Attributes& settings) {
  const double decay = settings.number("weight_decay", 0);
  return decay == 0 ? call("aten::alias", "", now.gradient()) : add(now.gradient(), now.parameter(), decay);
}

void descend(const Operands& now, const Attributes& settings, double momentum, bool nesterov) {
  const detail::Tensors states = momentum == 0 ? detail::Tensors{} : list(now.state(0));
  calls<0>("aten::_fused_sgd_", "tensor_lr", list(now.parameter()), list(now.gradient()), states,
           settings.number("weight_decay", 0), momentum, now.rate(), 0.0, nesterov, false, false, none, none);
}

void sgd(const Operands& now, const Attributes& settings) { descend(now, settings, 0, false); }
void momentum(const Operands& now, const Attributes& settings) {
  descend(now, settings, settings.number("momentum", 0.9), false);
}
void nesterov(const Operands& now, const Attributes& settings) {
  descend(now, settings, settings.number("momentum", 0.9), true);
}

void adam_by(const char* name, const Operands& now, const Attributes& settings, double usual_decay) {
  const TorchTensor step = now.step_as(DType::f32);
  calls<0>(name, "tensor_lr", list(now.parameter()), list(now.gradient()), list(now.state(0)), list(now.state(1)),
           detail::Tensors{}, list(step), now.rate(), settings.number("beta1", 0.9), settings.number("beta2", 0.999),
           settings.number("weight_decay", usual_decay), settings.number("epsilon", 1e-8), false, false, none, none);
}

void adam(const Operands& now, const Attributes& settings) { adam_by("aten::_fused_adam_", now, settings, 0); }
void adamw(const Operands& now, const Attributes& settings) { adam_by("aten::_fused_adamw_", now, settings, 0.01); }

// share · a + (1 - share) · b
TorchTensor mixed(const TorchTensor& a, const TorchTensor& b, double share) {
  return add(multiply(a, share), b, 1 - share);
}

// The parameter moves by -rate · direction.
void move(const Operands& now, const TorchTensor& direction) {
  now.p.give(0, add(now.parameter(), multiply(direction, now.rate()), -1));
}

void rmsprop(const Operands& now, const Attributes& settings) {
  const TorchTensor g = decayed(now, settings);
  const TorchTensor v = mixed(now.state(0), multiply(g, g), settings.number("alpha", 0.99));
  const TorchTensor size = add(call("aten::sqrt", "", v), settings.number("epsilon", 1e-8));
  move(now, divide(g, size));
  now.p.give(1, v);
}

void lion(const Operands& now, const Attributes& settings) {
  const TorchTensor way = mixed(now.state(0), now.gradient(), settings.number("beta1", 0.9));
  const TorchTensor m = mixed(now.state(0), now.gradient(), settings.number("beta2", 0.99));
  move(now, add(call("aten::sign", "", way), now.parameter(), settings.number("weight_decay", 0)));
  now.p.give(1, m);
}

TorchTensor length(const TorchTensor& x) { return call("aten::sqrt", "", call("aten::sum", "", multiply(x, x), none)); }

// `ratio` where both lengths are more than 0, else 1.
TorchTensor where_positive(const TorchTensor& a, const TorchTensor& b, const TorchTensor& ratio) {
  const TorchTensor zero = torch_number(DType::f32, 0), one = torch_number(DType::f32, 1);
  const TorchTensor positive =
      call("aten::logical_and", "", call("aten::gt", "Tensor", a, zero), call("aten::gt", "Tensor", b, zero));
  return call("aten::where", "self", positive, ratio, one);
}

void lars(const Operands& now, const Attributes& settings) {
  const double decay = settings.number("weight_decay", 0);
  TorchTensor direction = add(now.gradient(), now.parameter(), decay);
  if (settings.integer("adapt", 1) != 0) {
    const TorchTensor weight = length(now.parameter()), gradient = length(now.gradient());
    const TorchTensor ratio =
        divide(multiply(weight, settings.number("trust_coefficient", 0.001)), add(gradient, weight, decay));
    direction = multiply(direction, where_positive(weight, gradient, ratio));
  }
  const TorchTensor m = add(multiply(now.state(0), settings.number("momentum", 0.9)), multiply(direction, now.rate()));
  now.p.give(0, add(now.parameter(), m, -1));
  now.p.give(1, m);
}

// 1 - beta^step
TorchTensor correction(const Operands& now, double beta) {
  const TorchTensor power = multiply(now.step_as(DType::f64), std::log(beta));
  const TorchTensor left = multiply(call("aten::expm1", "", power), -1.0);
  return call("aten::to", "dtype", left, detail::Type{DType::f32}, false, false, none);
}

void lamb(const Operands& now, const Attributes& settings) {
  const double beta1 = settings.number("beta1", 0.9), beta2 = settings.number("beta2", 0.999);
  const TorchTensor& g = now.gradient();
  const TorchTensor m = mixed(now.state(0), g, beta1), v = mixed(now.state(1), multiply(g, g), beta2);
  const TorchTensor root = call("aten::sqrt", "", divide(v, correction(now, beta2)));
  TorchTensor direction = divide(divide(m, correction(now, beta1)), add(root, settings.number("epsilon", 1e-6)));
  direction = add(direction, now.parameter(), settings.number("weight_decay", 0.01));
  if (settings.integer("adapt", 1) != 0) {
    const TorchTensor weight = length(now.parameter()), whole = length(direction);
    direction = multiply(direction, where_positive(weight, whole, divide(weight, whole)));
  }
  move(now, direction);
  now.p.give(1, m);
  now.p.give(2, v);
}

struct Known {
  std::string_view op;
  size_t states;
  Rule rule;
};

constexpr Known kKnown[] = {
    {"adam_update", 2, adam},         {"adamw_update", 2, adamw},     {"lamb_update", 2, lamb},
    {"lars_update", 1, lars},         {"lion_update", 1, lion},       {"momentum_update", 1, momentum},
    {"nesterov_update", 1, nesterov}, {"rmsprop_update", 1, rmsprop}, {"sgd_update", 0, sgd},
};

}  // namespace

TorchKernel torch_update(TorchSite& site) {
  const Attributes& settings = site.attributes();
  if (settings.number("dampening", 0) != 0) return site.decline("its first step is another one");
  for (const Known& known : kKnown) {
    if (known.op != site.operation.op->name) continue;
    for (size_t i = 0; i < known.states + 2; ++i)
      if (site.input(i).dtype != DType::f32) return site.decline("not f32");
    if (site.input(2 + known.states).dtype != DType::f32) return site.decline("a rate that is not f32");
    if (known.op == "momentum_update" && settings.number("momentum", 0.9) == 0) return site.decline("no momentum");
    return [known, settings](const TorchOperands& p) {
      for (size_t i = 0; i <= known.states; ++i) p.give(i, p.in(i == 0 ? 0 : i + 1));  // they share their memory
      known.rule({p, known.states}, settings);
    };
  }
  return site.decline("no function of torch's");
}

}  // namespace plimsoll
