// gpu_time_rows: for tools/fit_gpu_time.py. Each line of its input is an operator list with the runs that were measured
// of it; for each run it prints a line: the predicted seconds, or with --kernels every kernel with the numbers of the
// table that its time is made of. `--parameters` prints the table; `--networks FILE` predicts the networks of the zoo
// that are in that file of tests/data/facts/modern; `--network-kernels FILE` lists their kernels.
#include <fmt/format.h>

#include <iostream>
#include <map>

#include "plan/devices/all_devices.h"
#include "plan/time/compiled_layout.h"
#include "plan/time/network_kind.h"
#include "plan/time/torch_time.h"
#include "tests/accuracy/modern_steps.h"
#include "tests/accuracy/operator_list.h"

namespace plimsoll {
namespace {

using nlohmann::json;

Execution execution_of(const json& run) {
  Execution execution;
  execution.dtype = dtype_named(run.value("dtype", "f16")).value_or(DType::f16);
  execution.layout = run.value("layout", "nchw") == "nhwc" ? ImageLayout::nhwc : ImageLayout::nchw;
  execution.compiled = run.value("compiled", false);
  const std::string torch = run.value("torch", "2.4");
  execution.torch = {std::atoi(torch.c_str()), std::atoi(torch.substr(torch.find('.') + 1).c_str())};
  return execution;
}

int index_of(TorchFactor factor) {
  const auto all = all_torch_parameters();
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].member == factor) return int(i);
  return -1;
}

void print_term(std::string& out, const KernelTerm& term) {
  fmt::format_to(std::back_inserter(out), " {:.6g}", term.seconds);
  for (const TorchFactor factor : term.factors) fmt::format_to(std::back_inserter(out), " {}", index_of(factor));
}

void print_kernels(const TimedProgram& program, const TorchTime& time) {
  std::string out;
  for (const auto& operation : program.operations) {
    const KernelCost cost = time.cost(operation, program.trains);
    if (cost.repeat == 0) continue;
    fmt::format_to(std::back_inserter(out), " {}", cost.repeat);
    for (const KernelTerm* term : {&cost.arithmetic, &cost.bytes, &cost.copies}) print_term(out, *term);
  }
  std::cout << name_of(kind_of(program)) << ':' << out << '\n';
}

// `generation`: taken for one of this generation, where that is not empty.
const Device& device_named(const std::string& name, const std::string& generation) {
  static std::map<std::string, Device> known;
  const std::string key = name + ' ' + generation;
  if (!known.contains(key)) {
    auto found = find_device(name);
    if (!found.ok()) {
      std::cerr << found.error().line() << '\n';
      std::exit(2);
    }
    if (!generation.empty()) found->generation = generation;
    known.emplace(key, std::move(found).value());
  }
  return known.at(key);
}

// As step_time does: cards before Volta by the older model.
double seconds_of(const TimedProgram& program, const Device& device, const Execution& execution,
                  const TorchParameters& parameters) {
  const TimeParameters older;
  const TorchTime torch(device, execution, older, parameters);
  const GpuTime gpu(device, execution, older);
  const bool covered = TorchTime::covers(device, execution);
  double seconds = 0;
  for (const auto& operation : program.operations)
    seconds += (covered ? torch(operation, program.trains) : gpu(operation)).seconds.value;
  return seconds;
}

// Calls that were measured alone: a power limit acts on an average over milliseconds, so short ones draw more than it.
// The multiple and the time are a T4's and an A100's (neusight), whose products are quicker by 1.5 and 1.08 below a
// millisecond than beyond ten.
double seconds_alone(const TimedProgram& program, const Device& device, const Execution& execution,
                     const TorchParameters& parameters) {
  constexpr double kBurst = 1.4, kUnnoticed = 0.7e-3;
  const double throttled = seconds_of(program, device, execution, parameters);
  if (!device.tdp) return throttled;
  Device unlimited = device;
  unlimited.tdp->value *= kBurst;
  const double burst = seconds_of(program, unlimited, execution, parameters);
  return burst <= kUnnoticed ? burst : kUnnoticed + throttled * (1 - kUnnoticed / burst);
}

void answer(const json& line, bool kernels, const TorchParameters& parameters) {
  const OperatorList list = operator_list(line);
  const TimeParameters older;
  for (const json& run : line.at("runs")) {
    const Execution asked = execution_of(run);
    const TimedProgram program = timed(list, run.value("batch", 1.0), asked.torch);
    const std::string device = run.at("device"), generation = run.value("generation", "");
    const Device& card = device_named(device, generation);
    const Execution execution = as_run(program, asked);
    if (kernels) print_kernels(program, TorchTime(card, execution, older, parameters));
    else
      std::cout << fmt::format(
          "{:.6g}\n", (run.value("alone", false) ? seconds_alone : seconds_of)(program, card, execution, parameters));
  }
}

// "name=value,name=value": other numbers than the table's.
TorchParameters with_numbers(std::string_view text) {
  TorchParameters parameters;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    const size_t sign = one.find('=');
    for (const auto& p : all_torch_parameters())
      if (p.name == one.substr(0, sign)) parameters.*p.member = std::stod(std::string(one.substr(sign + 1)));
  }
  return parameters;
}

// A line of facts and a line of kernels for each network.
void print_network_kernels(const std::string& file) {
  const TorchParameters parameters;
  const TimeParameters older;
  for (const auto& step : modern_steps(file)) {
    const bool nhwc = step.execution.layout == ImageLayout::nhwc;
    const json facts = {{"set", step.set},       {"model", step.network},      {"device", step.device},
                        {"mode", step.mode},     {"dtype", step.dtype},        {"layout", nhwc ? "nhwc" : "nchw"},
                        {"batch", step.batch},   {"seconds", step.measured},   {"compiled", step.execution.compiled},
                        {"launch", step.launch}, {"predicted", step.predicted}};
    std::cout << facts.dump() << '\n';
    const Execution execution = as_run(*step.program, step.execution);
    print_kernels(*step.program, TorchTime(device_named(step.device, ""), execution, older, parameters));
  }
}

void print_networks(const std::string& file) {
  fmt::print("set,network,image,mode,device,dtype,layout,compiled,torch,batch,measured,predicted,launch\n");
  for (const auto& step : modern_steps(file))
    fmt::print("{},{},{},{},{},{},{},{:d},{}.{},{},{:.6g},{:.6g},{:.6g}\n", step.set, step.network, step.image,
               step.mode, step.device, step.dtype, step.execution.layout == ImageLayout::nhwc ? "nhwc" : "nchw",
               step.execution.compiled, step.execution.torch.major, step.execution.torch.minor, step.batch,
               step.measured, step.predicted, step.launch);
}

}  // namespace
}  // namespace plimsoll

int main(int argc, char** argv) {
  using namespace plimsoll;
  const std::string_view mode = argc > 1 ? argv[1] : "";
  if (mode == "--parameters") {
    for (const auto& p : all_torch_parameters())
      fmt::print("{},{:.6g},{:.6g},{:.6g},{:.6g}\n", p.name, TorchParameters{}.*p.member, p.expected, p.low, p.high);
    return 0;
  }
  if (mode == "--networks" && argc > 2) {
    print_networks(argv[2]);
    return 0;
  }
  if (mode == "--network-kernels" && argc > 2) {
    print_network_kernels(argv[2]);
    return 0;
  }
  std::ios::sync_with_stdio(false);
  const TorchParameters parameters = with_numbers(mode == "--set" && argc > 2 ? argv[2] : "");
  std::string line;
  while (std::getline(std::cin, line)) answer(nlohmann::json::parse(line), mode == "--kernels", parameters);
  return 0;
}
