// The datasets known by name, the formats known by their files, and the way from a name or a path to training,
// validation and test sets. A format is a file beside this one and a line in all_datasets.cpp; a set known by name
// is a recipe in obtain/ and a line here.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "run/data/dataset.h"
#include "run/data/obtain/obtain.h"
#include "run/data/text/tokenizer_choice.h"

namespace plimsoll {

struct NamedSet {
  std::string_view name, summary;
  std::span<const std::string_view> class_names;  // empty: those of the files
  int64_t classes = 0;                            // 0: text without labels
};

std::span<const NamedSet> all_datasets();

struct DataRequest {
  std::string name;                 // of all_datasets(), or a path
  std::optional<TensorType> input;  // what the network takes: pictures of a folder and texts are brought to it
  int64_t vocabulary = 20'000;      // tokens that the network knows, for texts
  bool next_token = false;          // the network says which token follows: texts are read in sequences
  TokenizerChoice tokenizer;        // for those
  ObtainProgress progress;          // told what is downloaded; may be empty
};

// The parts that the set has by itself; pixels are 0 to 255. A set without parts is all `train`. All have the training
// part's classes.
struct DataParts {
  DatasetPtr train, validation, test;  // only `train` is always there
  TokenizerPtr tokenizer;              // of sequences of text; nullptr for all else
};

// A known set that is not there yet is obtained.
Result<DataParts> open_dataset(const DataRequest& request);

}  // namespace plimsoll
