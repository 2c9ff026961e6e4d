#include <fmt/format.h>

#include <array>

#include "base/rows/named.h"
#include "base/text.h"
#include "run/exec/backend.h"
#include "run/exec/onednn/onednn_backend.h"
#include "run/exec/reference/reference_backend.h"
#include "run/exec/torch/torch_backend.h"

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

Result<const Backend*> backend_on(const RunDevice& device, const std::optional<std::string>& name) {
  if (!device.by_torch()) return name ? find_backend(*name) : all_backends().front();
  if (!name) return &torch_backend();
  return user_error(fmt::format("{} is {}, which is for the processor, but {} is {}", named("backend"),
                                in_quotes(*name), named("device"), device.name()),
                    "leave out one of the two");
}

Result<std::unique_ptr<Executor>> make_executor(const Backend& backend, Program step, const EngineOptions& options) {
  PLIM_ASSIGN(auto lowered, backend.lowering(options)->lower(std::move(step)));
  MemoryPlan plan = plan_memory(lowered->program, lowered->rules());
  return backend.compile(std::move(lowered), std::move(plan));
}

}  // namespace plimsoll
