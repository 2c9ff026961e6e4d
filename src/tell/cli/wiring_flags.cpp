#include "tell/cli/wiring_flags.h"

#include <fmt/format.h>

#include "base/text.h"
#include "tell/cli/link_flag.h"
#include "tell/cli/numbers.h"
#include "tell/cli/wire_flag.h"

namespace plimsoll {
namespace {

constexpr const char* kAssumedLink = "10gbe";

Result<ExchangeWay> exchange_way(const std::string& name) {
  if (name == "all-reduce") return ExchangeWay::all_reduce;
  if (name == "one-process") return ExchangeWay::one_process;
  return user_error(fmt::format("--exchange is {}, expected all-reduce or one-process", plimsoll::in_quotes(name)));
}

// Gradients have the format of the parameters.
Result<double> wire_share(const std::string& name, const NumberFormat& format) {
  if (name.empty()) return 1.0;
  PLIM_ASSIGN(const DType type, parse_wire(name));
  return double(info(type).bits) / double(info(format.parameters.value_or(DType::f32)).bits);
}

// Devices that are connected by links of their own are taken to be in one host, unless told otherwise.
Result<int64_t> workers_of_a_node(const WiringFlags& flags, const ScaleQuestion& question) {
  if (!flags.per_node.empty()) return parse_integer("--per-node", flags.per_node, 1, kMostWorkers);
  if (question.device.count > 1) return question.device.count;
  const bool own = flags.link.empty() && question.device.is_gpu() && link_inside(question.device.part);
  return own || question.exchange == ExchangeWay::one_process || !flags.inside.empty() ? kMostWorkers : 1;
}

Status read_links(const WiringFlags& flags, ScaleQuestion& question, int64_t most, std::vector<std::string>& notes) {
  Wiring& wiring = question.wiring;
  const Candidate& device = question.device;
  PLIM_ASSIGN(wiring.per_node, workers_of_a_node(flags, question));
  if (!flags.inside.empty()) {
    PLIM_ASSIGN(wiring.inside, parse_link("--inside", flags.inside));
  } else if (const auto own = link_inside(device.part); own && wiring.per_node > 1) {
    wiring.inside = *own;
  } else if (wiring.per_node > 1) {
    return user_error(fmt::format("how {} are connected within a node is not known", device.part.name),
                      "say it with --inside, for example --inside pcie4");
  }
  if (!flags.link.empty()) {
    PLIM_ASSIGN(wiring.between, parse_link("--link", flags.link));
  } else if (const auto network = link_between(device.whole)) {
    wiring.between = *network;
  } else {
    PLIM_ASSIGN(wiring.between, find_link(kAssumedLink));
    if (most > wiring.per_node)
      notes.push_back(fmt::format("{} was assumed between the workers (--link NAME).", wiring.between.title));
  }
  if (wiring.per_node == kMostWorkers && most > 1 && flags.inside.empty())
    notes.push_back(fmt::format("All workers were taken to be in one host, connected by {} (--link, --per-node).",
                                wiring.inside.title));
  return {};
}

}  // namespace

void WiringFlags::declare(CLI::App& app) {
  app.add_option("--link", link,
                 "between workers, or between nodes with --per-node: " + link_names() +
                     ", or figures of your own as 25Gbit/s:30us (default: the device's own; --links lists them)")
      ->type_name("LINK");
  app.add_option("--per-node", per_node, "workers of one node, connected by --inside (default: as many as it has)")
      ->type_name("N");
  app.add_option("--inside", inside, "between the workers of a node (default: the device's own link)")
      ->type_name("LINK");
  app.add_option("--exchange", exchange,
                 "all-reduce (a process for each worker), or one-process (PyTorch's DataParallel, one host)")
      ->capture_default_str();
  app.add_option("--wire", wire, "format of gradients on their way: f32, bf16, f16 (default: as computed)")
      ->type_name("FORMAT");
  app.add_option("--bucket", bucket, "gradients that are sent together (default: the framework's, 25MiB)")
      ->type_name("SIZE");
}

Status WiringFlags::read(ScaleQuestion& question, int64_t most, std::vector<std::string>& notes) const {
  PLIM_ASSIGN(question.exchange, exchange_way(exchange));
  if (question.exchange == ExchangeWay::one_process && !question.device.is_gpu())
    return user_error("--exchange one-process is for GPUs of one host");
  PLIM_TRY(read_links(*this, question, most, notes));
  const Framework framework = Placing(question.job).framework_on(question.device);
  question.rule = exchange_rule(framework == Framework::tensorflow ? Software::tensorflow : Software::pytorch);
  PLIM_ASSIGN(question.rule.wire, wire_share(wire, question.job.format));
  if (!bucket.empty()) {
    PLIM_ASSIGN(question.rule.bucket, parse_bytes("--bucket", bucket));
    question.rule.first = std::min(question.rule.first, question.rule.bucket);
  }
  return {};
}

}  // namespace plimsoll
