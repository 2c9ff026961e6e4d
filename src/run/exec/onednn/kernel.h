// Kernel: how one operation runs. Made while a Program is lowered, when layouts are chosen and sizes must be known;
// prepared once memory has places; then run step after step without allocating anything.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/units.h"

namespace plimsoll {

// Where an operation's values are. nullptr: absent.
struct Places {
  std::vector<std::byte*> inputs, outputs;
  std::byte* workspace = nullptr;

  template <class T = float>
  const T* in(size_t i) const {
    return reinterpret_cast<const T*>(inputs[i]);
  }
  template <class T = float>
  T* out(size_t i) const {
    return reinterpret_cast<T*>(outputs[i]);
  }
  template <class T = float>
  T* work() const {
    return reinterpret_cast<T*>(workspace);
  }
};

class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual Bytes workspace() const { return Bytes(0); }
  // What a library allocates for itself while the kernel runs.
  virtual Bytes library_memory() const { return Bytes(0); }
  virtual void prepare(Places places) = 0;
  virtual void run() = 0;
  // Of an update that adapts its rate to its layer: the last scale.
  virtual std::optional<double> trust_ratio() const { return std::nullopt; }
};

// A kernel that is one function of the places.
using Loop = std::function<void(const Places&)>;
std::unique_ptr<Kernel> loop_kernel(Loop loop, Bytes workspace = Bytes(0));

}  // namespace plimsoll
