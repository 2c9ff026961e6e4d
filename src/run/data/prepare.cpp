#include "run/data/prepare.h"

#include <fmt/format.h>

#include "base/rows/named.h"
#include "run/data/reshaped.h"
#include "run/data/subset.h"

namespace plimsoll {
namespace {

constexpr int64_t kStatisticsSamples = 10'000;

bool is_picture(const TensorType& type) { return type.dtype == DType::f32; }

}  // namespace

Status check_classes(const Dataset& dataset, int64_t outputs) {
  const int64_t classes = dataset.info().type.classes;
  if (classes == outputs || (outputs == 1 && classes == 2)) return {};
  return user_error(fmt::format("has {} classes, the network has {} outputs", classes, outputs),
                    fmt::format("build the network with {} {}", named("classes"), classes))
      .in(dataset.info().name);
}

Result<DatasetPtr> prepare_part(DatasetPtr part, const TensorType& sample, Normalise normalise,
                                const ChannelStatistics& statistics) {
  PLIM_ASSIGN(part, reshaped(std::move(part), sample));
  if (normalise == Normalise::none || !is_picture(sample)) return part;
  return normalised(std::move(part), statistics);
}

Result<PreparedData> prepare(const DataParts& parts, const NetworkInput& network, const PrepareOptions& options) {
  if (!parts.tokenizer) PLIM_TRY(check_classes(*parts.train, network.classes));
  PreparedData data{parts.train, parts.validation, parts.test, {}, parts.tokenizer};
  if (!data.validation && options.validation > 0) {
    PLIM_ASSIGN(const Split halves,
                split(data.train, options.validation, options.seed, parts.train->info().name + " (validation)"));
    data.train = halves.rest;
    data.validation = halves.part;
  }
  if (data.tokenizer) return data;  // tokens are what they are
  // Flat networks see pictures as rows of numbers, but pictures are augmented as pictures.
  const bool flat = network.sample.shape.rank() != 3;
  if (!flat) {
    PLIM_ASSIGN(data.train, reshaped(data.train, network.sample));
  }
  if (options.normalise == Normalise::standard && is_picture(network.sample)) {
    data.statistics = options.statistics;
    if (data.statistics.mean.empty()) {
      PLIM_ASSIGN(data.statistics, channel_statistics(*data.train, kStatisticsSamples, options.skip_bad));
      for (double& deviation : data.statistics.deviation)
        if (deviation == 0) deviation = 1;  // a channel that is all one colour
    }
  }
  PLIM_ASSIGN(data.train, augmented(data.train, options.augment, options.seed));
  for (DatasetPtr* part : {&data.train, &data.validation, &data.test}) {
    if (!*part) continue;
    if (flat && options.normalise != Normalise::none && is_picture(network.sample)) {  // while it has its channels
      PLIM_ASSIGN(*part, normalised(*part, data.statistics));
      PLIM_ASSIGN(*part, reshaped(*part, network.sample));
    } else {
      PLIM_ASSIGN(*part, prepare_part(*part, network.sample, options.normalise, data.statistics));
    }
  }
  return data;
}

}  // namespace plimsoll
