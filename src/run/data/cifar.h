// CIFAR-10 and CIFAR-100 in their binary form: records of one or two label bytes and 3x32x32 bytes of red, green and
// blue planes, without a header.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "run/data/dataset.h"

namespace plimsoll {

enum class CifarKind { ten, hundred };  // hundred: a coarse label, which is passed over, before the fine one

Result<DatasetPtr> open_cifar(const std::vector<std::string>& paths, CifarKind kind);

// The same from bytes; `names` are those that messages use. For tests and fuzzing.
Result<DatasetPtr> read_cifar(std::vector<std::shared_ptr<const ByteSource>> files,
                              const std::vector<std::string>& names, CifarKind kind);

}  // namespace plimsoll
