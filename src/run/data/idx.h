// IDX: the format of MNIST and Fashion-MNIST. One file of pictures (N x rows x columns, or N x channels x rows x
// columns), one of labels, each with a big-endian header; plain or compressed with gzip.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "run/data/dataset.h"

namespace plimsoll {

struct IdxFiles {
  std::string images, labels;
};

// `classes`: how many there must be; a label past them is an error. By default as many as the labels show.
Result<DatasetPtr> open_idx(const IdxFiles& files, std::optional<int64_t> classes = {});

// The same from bytes; `names` are those that messages use. For tests and fuzzing.
Result<DatasetPtr> read_idx(std::shared_ptr<const ByteSource> images, std::shared_ptr<const ByteSource> labels,
                            const IdxFiles& names, std::optional<int64_t> classes = {});

}  // namespace plimsoll
