#include "run/data/inspect.h"

#include "run/data/channel_sums.h"
#include "run/data/loader.h"

namespace plimsoll {
namespace {

constexpr Bytes kBatchBytes{int64_t{4} << 20};  // about so much is read at a time

struct Tokens {
  int64_t all = 0, unknown = 0;
  void add(std::span<const int64_t> sample) {
    for (const int64_t token : sample) {
      all += token != 0 ? 1 : 0;
      unknown += token == 1 ? 1 : 0;
    }
  }
};

template <class Number>
std::span<const Number> sample_of(const Batch& batch, int64_t place, int64_t elements) {
  return {reinterpret_cast<const Number*>(batch.inputs.data()) + place * elements, size_t(elements)};
}

}  // namespace

Result<PartSummary> inspect_part(const DatasetPtr& dataset, const std::string& part, int workers) {
  const TensorType& type = dataset->info().type.input;
  const int64_t batch_size = std::clamp<int64_t>(kBatchBytes.value() / type.bytes().value(), 1, 256);
  PLIM_ASSIGN(
      const auto loader,
      Loader::make(dataset, {.batch = batch_size, .workers = workers, .bad = {.skip = true, .most = dataset->size()}}));
  PartSummary summary{.part = part, .samples = dataset->size()};
  summary.counts.resize(size_t(dataset->info().type.classes));
  const bool picture = type.dtype == DType::f32;
  ChannelSums sums(type);
  Tokens tokens;
  PLIM_TRY(loader->start(0));
  while (true) {
    PLIM_ASSIGN(const auto batch, loader->next());
    if (!batch) break;
    for (int64_t i = 0; i < batch->samples; ++i) {
      ++summary.counts[size_t(batch->labels[size_t(i)])];
      if (picture) sums.add(sample_of<float>(*batch, i, type.elements().value()));
      else tokens.add(sample_of<int64_t>(*batch, i, type.elements().value()));
    }
  }
  summary.bad = loader->skipped_lines();
  summary.bad_count = loader->skipped();
  if (picture) summary.statistics = sums.statistics();
  summary.unknown_share = tokens.all == 0 ? 0 : double(tokens.unknown) / double(tokens.all);
  return summary;
}

}  // namespace plimsoll
