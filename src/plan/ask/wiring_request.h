// WiringRequest: how workers are connected and how gradients travel between them.
#pragma once

#include "base/rows/fields.h"
#include "plan/time/link_text.h"
#include "plan/verdict/scale.h"

namespace plimsoll {

template <>
struct Choices<ExchangeWay> {
  static constexpr std::pair<ExchangeWay, std::string_view> kAll[] = {{ExchangeWay::all_reduce, "all-reduce"},
                                                                      {ExchangeWay::one_process, "one-process"}};
};

struct WiringRequest {
  std::optional<Link> link, inside;
  std::optional<int64_t> per_node;
  ExchangeWay exchange = ExchangeWay::all_reduce;
  std::optional<std::string> wire;
  std::optional<Bytes> bucket;

  void describe(Fields& fields);

  // For up to `most` workers. What had to be assumed is added to `notes`. The question has its device and its job.
  Status apply(ScaleQuestion& question, int64_t most, std::vector<std::string>& notes) const;
};

// f32, bf16 or f16: the format of gradients on their way.
Row wire_row();

}  // namespace plimsoll
