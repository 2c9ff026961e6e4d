#include "run/train/noise_scale_of_run.h"

#include <fmt/format.h>

#include "base/text.h"
#include "run/measure/run_log.h"
#include "run/train/run_directory.h"

namespace plimsoll {

Result<std::string> noise_scale_of_run(const std::string& folder) {
  PLIM_ASSIGN(const auto log, read_run_log(folder + "/" + std::string(kLogFile)));
  for (auto entry = log.rbegin(); entry != log.rend(); ++entry)
    if (const auto noise = entry->find("noise_scale"); noise != entry->end() && noise->is_number())
      return fmt::format("{}", noise->get<double>());
  return user_error("has no gradient noise scale", "runs of several workers measure it: train … -np 2")
      .in(printable(folder, 200));
}

}  // namespace plimsoll
