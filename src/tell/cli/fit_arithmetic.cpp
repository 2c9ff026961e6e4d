#include "tell/cli/fit_arithmetic.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "base/size_text.h"
#include "base/text.h"
#include "plan/verdict/load_line.h"
#include "tell/cli/command.h"
#include "tell/cli/disk_flag.h"
#include "tell/cli/numbers.h"
#include "tell/report/arithmetic_fit_report.h"

namespace plimsoll {
namespace {

constexpr double kMostMegabytes = 1e9;  // a petabyte

Result<Bytes> parse_megabytes(const std::string& flag, const std::string& text, Edge edge) {
  if (text.empty())
    return user_error(flag + " is missing: the arithmetic form needs the model, a sample and its activations",
                      "for example fit --model-mb 100 --sample-mb 100 --activation-mb 500 --memory 8GB");
  PLIM_ASSIGN(const double megabytes, parse_number(flag, text, 0, edge, kMostMegabytes));
  const double bytes = megabytes * 1e6;
  if (edge == Edge::above && bytes < 0.5)
    return user_error(fmt::format("{} is {}, expected at least 1 byte", flag, plimsoll::in_quotes(text)));
  return Bytes(std::llround(bytes));
}

Result<ArithmeticLoad> load_of(const ArithmeticFlags& flags) {
  ArithmeticLoad load;
  PLIM_ASSIGN(load.model, parse_megabytes("--model-mb", flags.model_mb, Edge::above));
  PLIM_ASSIGN(load.sample, parse_megabytes("--sample-mb", flags.sample_mb, Edge::included));
  PLIM_ASSIGN(load.activations, parse_megabytes("--activation-mb", flags.activation_mb, Edge::included));
  if (load.sample + load.activations == Bytes(0))
    return user_error("--sample-mb and --activation-mb are both 0, so that every batch fits; expected one above 0");
  return load;
}

Result<Bytes> memory_of(const ArithmeticFitRequest& request) {
  if (!request.memory.empty() && request.device)
    return user_error("--memory and --device are both given, expected one of them");
  if (!request.memory.empty()) return parse_bytes("--memory", request.memory);
  if (!request.device)
    return user_error("neither --memory nor --device is given, expected one of them", "for example --memory 8GB");
  if (!request.device->memory) return user_error("its memory is not known", "use --memory").in(request.device->name);
  return *request.device->memory;
}

}  // namespace

void ArithmeticFlags::declare(CLI::App& app) {
  app.add_option("--model-mb", model_mb, "without MODEL: the parameters, in MB (10^6 bytes)");
  app.add_option("--sample-mb", sample_mb, "without MODEL: one sample as the network reads it, in MB");
  app.add_option("--activation-mb", activation_mb, "without MODEL: activations and gradients of one sample, in MB");
}

Result<ArithmeticAnswer> answer_arithmetic_fit(const ArithmeticFlags& flags, const ArithmeticFitRequest& request) {
  PLIM_ASSIGN(const ArithmeticLoad load, load_of(flags));
  PLIM_ASSIGN(const Bytes memory, memory_of(request));
  double load_line = kLoadLine;
  if (!request.load_line.empty()) {
    PLIM_ASSIGN(load_line, parse_number("--load-line", request.load_line, 0, Edge::above, 1));
  }
  std::optional<int64_t> batch;
  if (!request.batch.empty()) {
    PLIM_ASSIGN(batch, parse_integer("--batch", request.batch, 1, kLargestBatch));
  }
  PLIM_ASSIGN(const Disk disk, parse_disk("--disk", request.disk.empty() ? kDefaultDisk : request.disk));
  PLIM_ASSIGN(const ArithmeticFit fit, fit_by_arithmetic(load, memory, load_line, batch));
  std::optional<DeviceKind> kind;
  if (request.device) kind = request.device->kind;
  const PastLine past = past_line(fit.peak, memory, load_line, kind, disk);
  const ArithmeticFitView view{.asked = batch.has_value(), .device = request.device ? request.device->name : ""};
  return ArithmeticAnswer{
      request.json ? json_text(arithmetic_fit_json(fit, past, view)) : arithmetic_fit_text(fit, past, view), fit.fits};
}

Result<int> run_arithmetic_fit(const ArithmeticFlags& flags, const ArithmeticFitRequest& request) {
  PLIM_ASSIGN(const ArithmeticAnswer answer, answer_arithmetic_fit(flags, request));
  std::fwrite(answer.text.data(), 1, answer.text.size(), stdout);
  return int(answer.fits ? kExitDone : kExitNo);
}

}  // namespace plimsoll
