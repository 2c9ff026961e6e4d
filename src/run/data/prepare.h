// From a set's parts to what a network trains on: validation cut from the training part, pictures brought to the
// network's input, augmented (training alone) and normalised (by the training part's statistics).
#pragma once

#include "run/data/all_datasets.h"
#include "run/data/augmented.h"
#include "run/data/network_input.h"
#include "run/data/normalised.h"

namespace plimsoll {

enum class Normalise {
  none,      // pixels stay 0 to 255
  scale,     // divided by 255
  standard,  // then mean 0 and deviation 1 in each channel of the training part
};

struct PrepareOptions {
  double validation = 0.1;  // share of the training part, where the set has no validation part; 0: none
  uint64_t seed = 0;        // of the cut and of augmentation
  Normalise normalise = Normalise::standard;
  ChannelStatistics statistics;  // given instead of computed, such as a checkpoint's; empty: computed
  Augmentations augment;
  bool skip_bad = false;  // bad samples do not count in the statistics, instead of being errors
};

struct PreparedData {
  DatasetPtr train, validation, test;  // validation and test may be absent
  ChannelStatistics statistics;        // as applied; empty without `standard`
  TokenizerPtr tokenizer;              // of a language model's texts
};

Result<PreparedData> prepare(const DataParts& parts, const NetworkInput& network, const PrepareOptions& options);

// A single part as it is for evaluation: resized and normalised with given statistics.
Result<DatasetPtr> prepare_part(DatasetPtr part, const TensorType& sample, Normalise normalise,
                                const ChannelStatistics& statistics);

// An error unless the network has an output for each class; one output can tell two classes apart.
Status check_classes(const Dataset& dataset, int64_t outputs);

}  // namespace plimsoll
