// TrainingData: the part of a request that says which data, how it is prepared and how it is loaded. Shared by every
// verb that reads data, so that its fields mean the same everywhere.
#pragma once

#include "base/rows/fields.h"
#include "run/data/loader.h"
#include "run/data/prepare.h"

namespace plimsoll {

template <>
struct Choices<Normalise> {
  static constexpr std::pair<Normalise, std::string_view> kAll[] = {
      {Normalise::none, "none"}, {Normalise::scale, "scale"}, {Normalise::standard, "standard"}};
};

// stop, skip, or skip:N for at most N an epoch.
template <>
struct Form<BadSamples> : TextForm<BadSamples> {
  static Result<BadSamples> parse(const Row& row, const std::string& called, const std::string& text);
  static Json write(const BadSamples& value);
};

// Where lines about downloads and warnings of a set go.
using DataLines = std::function<void(const std::string& line)>;

struct TrainingData {
  std::string data;
  std::optional<int64_t> loaders;
  double validation = 0.1;
  std::optional<Normalise> normalise;
  std::vector<double> mean, deviation;
  std::string augment;
  std::optional<TokenizerChoice> tokenizer;
  BadSamples bad_samples;

  void describe(Fields& fields);

  int loader_workers() const;  // one for each core that is allowed, at most 8, where none is given
  Result<PrepareOptions> preparation(uint64_t seed) const;

  // Opens the set (a known one that is missing is obtained) and prepares it for the network.
  Result<PreparedData> open(const NetworkInput& network, uint64_t seed, const DataLines& say) const;
};

Row data_row();
Row loaders_row();

}  // namespace plimsoll
