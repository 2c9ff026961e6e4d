// ExternalData: the files beside a model that hold its weights. What the model says about them is
// checked for every tensor; a file is opened only below the model's folder, component by component,
// never through a link, and the descriptor that was checked is the one that is read.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/byte_source.h"
#include "base/result.h"
#include "base/units.h"
#include "onnx/onnx.pb.h"

namespace plimsoll {

class ExternalData {
 public:
  // nullopt: the model has no folder (it came from memory), every file counts as absent.
  explicit ExternalData(std::optional<std::string> folder) : folder_(std::move(folder)) {}

  // Checks what the tensor says: where, from which byte, how many of the `expected` bytes.
  Status check(const onnx::TensorProto& tensor, Bytes expected);

  // The tensor's bytes; nullopt when the file is absent.
  Result<std::optional<std::string>> read(const onnx::TensorProto& tensor, Bytes expected) const;

  // The tensor's file and the byte that its numbers start at, opened and checked anew; undetermined() names an
  // absent file.
  struct Opened {
    std::unique_ptr<ByteSource> file;
    int64_t offset = 0;
  };
  Result<Opened> open(const onnx::TensorProto& tensor, Bytes expected) const;

  // One line for each file that is absent, up to a few.
  std::vector<std::string> notes() const;

 private:
  struct File {
    std::optional<int64_t> size;  // nullopt: absent
    int64_t tensors = 0;
    std::string first_tensor;
  };

  std::optional<std::string> folder_;
  std::map<std::string, File> files_;  // by location
};

}  // namespace plimsoll
