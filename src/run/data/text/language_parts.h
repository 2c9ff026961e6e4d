// Texts as a set with parts, for language models: a file or a folder is all training; a folder with train.txt (or
// .jsonl) has its own parts, and perhaps validation and test beside it. All are read with the training text's
// tokenizer.
#pragma once

#include "run/data/all_datasets.h"

namespace plimsoll {

Result<DataParts> open_language_parts(const std::string& path, const DataRequest& request);

}  // namespace plimsoll
