#include <fmt/format.h>

#include <array>

#include "base/text.h"
#include "run/exec/backend.h"
#include "run/exec/onednn/onednn_backend.h"
#include "run/exec/reference/reference_backend.h"

namespace plimsoll {

std::span<const Backend* const> all_backends() {
  static const std::array backends{&onednn_backend(), &reference_backend()};
  return backends;
}

Result<const Backend*> find_backend(std::string_view name) {
  std::string known;
  for (const Backend* backend : all_backends()) {
    if (backend->name() == name) return backend;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", backend->name());
  }
  return user_error(fmt::format("unknown backend {}, expected one of: {}", in_quotes(std::string(name)), known));
}

Result<std::unique_ptr<Executor>> make_executor(const Backend& backend, Program step, const EngineOptions& options) {
  PLIM_ASSIGN(auto lowered, backend.lowering(options)->lower(std::move(step)));
  MemoryPlan plan = plan_memory(lowered->program, lowered->rules());
  return backend.compile(std::move(lowered), std::move(plan));
}

}  // namespace plimsoll
