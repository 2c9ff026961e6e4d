#include "plan/verdict/arithmetic_fit.h"

#include <fmt/format.h>

#include <algorithm>

#include "plan/verdict/load_line.h"

namespace plimsoll {
namespace {

Status check(const ArithmeticLoad& load, Bytes memory, double load_line, std::optional<int64_t> batch) {
  for (const auto& [name, bytes] : {std::pair{"the model", load.model},
                                    {"a sample", load.sample},
                                    {"activations", load.activations},
                                    {"the memory", memory}})
    if (bytes < Bytes(0) || bytes.overflowed())
      return user_error(fmt::format("{} of {} bytes, expected 0 or more, below 2^63", name, bytes.value()));
  if (memory == Bytes(0)) return user_error("the memory has 0 bytes, expected more");
  if ((load.sample + load.activations) == Bytes(0))
    return user_error("a sample and its activations have 0 bytes, so that every batch fits; expected more");
  if (!(load_line > 0 && load_line <= 1))
    return user_error(fmt::format("the load line is {}, expected a share of the memory above 0, at most 1", load_line));
  if (batch && *batch < 1) return user_error(fmt::format("the batch is {}, expected at least 1", *batch));
  return {};
}

}  // namespace

Result<ArithmeticFit> fit_by_arithmetic(const ArithmeticLoad& load, Bytes memory, double load_line,
                                        std::optional<int64_t> batch) {
  PLIM_TRY(check(load, memory, load_line, batch));
  ArithmeticFit fit;
  fit.load = load;
  fit.memory = memory;
  fit.load_line = load_line;
  fit.line = bytes_under_line(memory, load_line);
  const Bytes one = load.sample + load.activations;
  if (fit.line > load.model && !one.overflowed()) fit.largest = (fit.line - load.model).value() / one.value();
  fit.batch = batch.value_or(std::max<int64_t>(1, fit.largest));
  fit.fits = fit.batch <= fit.largest;
  fit.peak = load.at(fit.batch);
  fit.smallest_memory = smallest_memory(fit.peak, load_line);
  if (fit.peak.overflowed() || fit.smallest_memory.overflowed())
    return user_error(fmt::format("a batch of {} takes more than 2^63 bytes", with_commas(fit.batch)));
  if (!fit.fits) fit.shortfall = fit.peak - fit.line;
  return fit;
}

}  // namespace plimsoll
