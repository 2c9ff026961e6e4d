#include "plan/ask/wiring_request.h"

#include "base/rows/named.h"

namespace plimsoll {
namespace {

constexpr const char* kAssumedLink = "10gbe";

// Gradients have the format of the parameters.
double wire_share(const std::optional<std::string>& wire, const NumberFormat& format) {
  if (!wire) return 1.0;
  return double(info(*dtype_named(*wire)).bits) / double(info(format.parameters.value_or(DType::f32)).bits);
}

// Devices that are connected by links of their own are taken to be in one host, unless told otherwise.
int64_t workers_of_a_node(const WiringRequest& request, const ScaleQuestion& question) {
  if (request.per_node) return *request.per_node;
  if (question.device.count > 1) return question.device.count;
  const bool own = !request.link && question.device.is_gpu() && link_inside(question.device.part);
  return own || question.exchange == ExchangeWay::one_process || request.inside ? kMostWorkers : 1;
}

Status choose_links(const WiringRequest& request, ScaleQuestion& question, int64_t most,
                    std::vector<std::string>& notes) {
  Wiring& wiring = question.wiring;
  const Candidate& device = question.device;
  wiring.per_node = workers_of_a_node(request, question);
  if (request.inside) wiring.inside = *request.inside;
  else if (const auto own = link_inside(device.part); own && wiring.per_node > 1) wiring.inside = *own;
  else if (wiring.per_node > 1)
    return user_error(fmt::format("how {} are connected within a node is not known", device.part.name),
                      fmt::format("say it with {0}, for example {0} pcie4", named("inside")));
  if (request.link) {
    wiring.between = *request.link;
  } else if (const auto network = link_between(device.whole)) {
    wiring.between = *network;
  } else {
    PLIM_ASSIGN(wiring.between, find_link(kAssumedLink));
    if (most > wiring.per_node)
      notes.push_back(
          fmt::format("{} was assumed between the workers ({} NAME).", wiring.between.title, named("link")));
  }
  if (wiring.per_node == kMostWorkers && most > 1 && !request.inside)
    notes.push_back(fmt::format("All workers were taken to be in one host, connected by {} ({}, {}).",
                                wiring.inside.title, named("link"), named("per_node")));
  return {};
}

}  // namespace

Row wire_row() {
  return {.name = "wire",
          .subject = Subject::workers,
          .help = "number format in which gradients are sent: f32, bf16 or f16",
          .value = "FORMAT",
          .fallback = "as computed",
          .choices = {"f32", "bf16", "f16"}};
}

void WiringRequest::describe(Fields& fields) {
  fields.add(link, {.name = "link",
                    .subject = Subject::workers,
                    .help = "link between workers, or between nodes with " + named("per_node") + ": " + link_names() +
                            ", or your own figures as 25Gbit/s:30us (" + named("links") + " lists them)",
                    .value = "LINK",
                    .fallback = "the device's own",
                    .page = true});
  fields.add(per_node, {.name = "per_node",
                        .subject = Subject::workers,
                        .help = "workers per node, connected by " + named("inside"),
                        .value = "N",
                        .fallback = "as many as it has",
                        .least = 1,
                        .most = double(kMostWorkers)});
  fields.add(inside, {.name = "inside",
                      .subject = Subject::workers,
                      .help = "link between the workers of a node",
                      .value = "LINK",
                      .fallback = "the device's own link"});
  fields.add(exchange, {.name = "exchange",
                        .subject = Subject::workers,
                        .help = "all-reduce (one process per worker) or one-process (PyTorch's DataParallel, one host)",
                        .value = "HOW"});
  fields.add(wire, wire_row());
  fields.add(bucket, {.name = "bucket",
                      .subject = Subject::workers,
                      .help = "size of the buckets in which gradients are sent",
                      .value = "SIZE",
                      .fallback = "the framework's, 25MiB",
                      .unit = "bytes"});
}

Status WiringRequest::apply(ScaleQuestion& question, int64_t most, std::vector<std::string>& notes) const {
  question.exchange = exchange;
  if (exchange == ExchangeWay::one_process && !question.device.is_gpu())
    return user_error(named("exchange") + " one-process is for GPUs of one host");
  PLIM_TRY(choose_links(*this, question, most, notes));
  const Framework framework = Placing(question.job).framework_on(question.device);
  question.rule = exchange_rule(framework == Framework::tensorflow ? Framework::tensorflow : Framework::pytorch);
  question.rule.wire = wire_share(wire, question.job.format);
  if (bucket) {
    question.rule.bucket = *bucket;
    question.rule.first = std::min(question.rule.first, question.rule.bucket);
  }
  return {};
}

}  // namespace plimsoll
