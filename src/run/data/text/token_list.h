// TokenList: very many tokens in little memory: one, two or four bytes each, as the vocabulary needs, in blocks, so
// that the list takes no more than it holds while it grows.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "base/units.h"

namespace plimsoll {

class TokenList {
 public:
  explicit TokenList(int64_t vocabulary) : width_(vocabulary <= 1 << 8 ? 1 : vocabulary <= 1 << 16 ? 2 : 4) {}

  int64_t size() const { return size_; }
  Bytes memory() const { return Bytes(int64_t(blocks_.size()) * kBlock * width_); }

  void add(std::span<const int32_t> tokens) {
    for (const int32_t token : tokens) {
      if (size_ % kBlock == 0) blocks_.push_back(std::make_unique<std::byte[]>(size_t(kBlock * width_)));
      std::memcpy(&blocks_.back()[size_t(size_ % kBlock * width_)], &token, size_t(width_));  // little-endian
      ++size_;
    }
  }

  // `into.size()` tokens from `first` on, which are there.
  void copy(int64_t first, std::span<int64_t> into) const {
    for (size_t i = 0; i < into.size(); ++i) {
      const int64_t at = first + int64_t(i);
      into[i] = 0;
      std::memcpy(&into[i], &blocks_[size_t(at / kBlock)][size_t(at % kBlock * width_)], size_t(width_));
    }
  }

 private:
  static constexpr int64_t kBlock = 1 << 16;  // tokens

  int64_t width_, size_ = 0;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

}  // namespace plimsoll
