// NetworkNotes: how what a network reads was prepared and what its outputs are called. A run keeps them in its
// configuration, an exported .onnx file in its metadata, so that predict finds them in both.
#pragma once

#include "model/onnx/metadata.h"
#include "run/train/checkpoint.h"
#include "run/train/train_request.h"

namespace plimsoll {

struct NetworkNotes {
  std::vector<std::string> class_names;  // empty: they have no names
  TrainingData data;                     // normalise, mean and deviation; the rest is left out
  std::string tokenizer = {};            // the tokenizer.json of a language model's run; empty: none
};

Result<NetworkNotes> notes_of_run(const Checkpoint& checkpoint, const TrainRequest& request);

Metadata as_metadata(const NetworkNotes& notes);

// Of an .onnx file; one that somebody else wrote has none.
Result<NetworkNotes> notes_in_file(const std::string& path);

}  // namespace plimsoll
