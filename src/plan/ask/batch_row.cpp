#include "plan/ask/batch_row.h"

namespace plimsoll {

Row batch_row(std::string help, std::string fallback) {
  return {.name = "batch",
          .subject = Subject::step,
          .help = std::move(help),
          .value = "N",
          .fallback = std::move(fallback),
          .least = 1,
          .most = double(kLargestBatch),
          .page = true};
}

}  // namespace plimsoll
