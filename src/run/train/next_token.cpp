#include "run/train/next_token.h"

#include <algorithm>

namespace plimsoll {
namespace {

// All scores that the last run wrote.
class Scores {
 public:
  explicit Scores(Executor& executor) : executor_(executor), output_(executor.program().outputs.at(0)) {}

  int64_t vocabulary() const { return executor_.program().value(output_).type->shape[2]; }

  std::span<const float> read() {
    if (const auto there = executor_.in_place(output_); !there.empty())
      return {reinterpret_cast<const float*>(there.data()), there.size() / sizeof(float)};
    numbers_.resize(size_t(executor_.program().value(output_).type->elements().value()));
    executor_.read(output_, std::as_writable_bytes(std::span(numbers_)));
    return numbers_;
  }

 private:
  Executor& executor_;
  ValueId output_;
  std::vector<float> numbers_;
};

class WholeSequence : public NextToken {
 public:
  explicit WholeSequence(Executor& inference) : executor_(inference), scores_(inference) {
    const Program& program = executor_.program();
    read_.resize(size_t(program.value(program.inputs.at(0)).type->shape[1]));
  }

  // A token sees none of those after it, so the rest of the sequence may be anything.
  std::span<const float> scores_after(const std::vector<int64_t>& tokens) override {
    const size_t seen = std::min(read_.size(), tokens.size());
    std::copy(tokens.end() - long(seen), tokens.end(), read_.begin());
    std::fill(read_.begin() + long(seen), read_.end(), 0);
    executor_.write(executor_.program().inputs[0], std::as_bytes(std::span(read_)));
    executor_.compute();
    const auto vocabulary = size_t(scores_.vocabulary());
    return scores_.read().subspan((seen - 1) * vocabulary, vocabulary);
  }

 private:
  Executor& executor_;
  Scores scores_;
  std::vector<int64_t> read_;
};

class OneTokenAtATime : public NextToken {
 public:
  explicit OneTokenAtATime(Executor& inference) : executor_(inference), scores_(inference) {}

  std::span<const float> scores_after(const std::vector<int64_t>& tokens) override {
    const auto differ = std::mismatch(kept_.begin(), kept_.end(), tokens.begin(), tokens.end());
    kept_.erase(differ.first, kept_.end());
    if (kept_.size() == tokens.size()) kept_.pop_back();  // asked again: its scores may be gone
    while (kept_.size() < tokens.size()) take(tokens[kept_.size()]);
    return scores_.read();
  }

 private:
  void take(int64_t token) {
    const auto position = int64_t(kept_.size());
    executor_.write(executor_.program().inputs[0], std::as_bytes(std::span(&token, 1)));
    executor_.write(executor_.program().inputs[1], std::as_bytes(std::span(&position, 1)));
    executor_.compute();
    kept_.push_back(token);
  }

  Executor& executor_;
  Scores scores_;
  std::vector<int64_t> kept_;  // tokens whose keys and values are in the caches
};

}  // namespace

std::unique_ptr<NextToken> next_token_of(Executor& inference) {
  if (inference.program().inputs.size() > 1) return std::make_unique<OneTokenAtATime>(inference);
  return std::make_unique<WholeSequence>(inference);
}

}  // namespace plimsoll
