// Judge: what a batch's labels mean to a network. It writes them as the loss's targets, and from the network's scores
// it counts how many samples are right and what they cost.
//
// A network with one row of scores a sample is judged by classes: the largest score, or, where there is one score only,
// which side of even odds it is on. A language model is judged token by token: each is a sample whose class is the
// token that follows it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "run/data/loader.h"
#include "run/exec/executor.h"
#include "run/train/training_state.h"

namespace plimsoll {

// What the numbers of an output are.
enum class ScoreForm : uint8_t { scores, probabilities, log_probabilities };

// By the operation that the first output comes from; of a step as make_step() returned it.
ScoreForm score_form(const Program& step);

// One for each class, adding up to 1. A single score is that of the second of two classes.
std::vector<double> probabilities(std::span<const float> scores, ScoreForm form);

// What a batch is to a network: its input, and a label for each row of its scores.
struct JudgedBatch {
  std::span<const std::byte> inputs;
  std::span<const int64_t> labels;
  int64_t samples = 0;  // rows that count; what follows fills up
};

class Judge {
 public:
  // `training` and `inference` are steps of the same network as make_step() returned them, before a backend lowered
  // them. `classes`: of the data. An Error when the labels cannot be this network's targets.
  static Result<Judge> make(const Program& training, const Program& inference, int64_t classes);

  // Good until the next call. Samples of text have a token more than the network reads (token_sequences.h).
  JudgedBatch judged(const Batch& batch);

  // Labels past `samples` are padding: whatever is in them is a class.
  void write_targets(Executor& step, std::span<const int64_t> labels);

  // After compute() of the training step: how many of the first `samples` are right.
  int64_t count_correct(const Executor& step, std::span<const int64_t> labels, int64_t samples);

  // After compute() of an inference: adds the first `samples` to the tally. `seen` is told of each: its label, the
  // class that was chosen, its loss.
  using Seen = std::function<void(int64_t label, int64_t chosen, double loss)>;
  void tally(const Executor& inference, std::span<const int64_t> labels, int64_t samples, Tally& tally,
             const Seen& seen = {});

  int64_t outputs() const { return outputs_; }  // scores a sample
  int64_t tokens() const { return tokens_; }    // of a language model's sequence, each a sample here; else 0
  int64_t classes() const { return outputs_ == 1 ? 2 : outputs_; }

 private:
  enum class Kind : uint8_t { softmax, binary, squared };
  Judge() = default;

  std::span<const float> read_scores(const Executor& executor);
  std::span<const float> row_of(std::span<const float> scores, int64_t sample) const {
    return scores.subspan(size_t(sample * outputs_), size_t(outputs_));
  }
  int64_t choice(std::span<const float> row, ScoreForm form) const;
  double loss(std::span<const float> row, int64_t label) const;

  Kind kind_ = Kind::softmax;
  ScoreForm training_form_ = ScoreForm::scores, inference_form_ = ScoreForm::scores;
  ValueId targets_id_;
  bool labels_are_targets_ = true;  // i64, one a sample; else numbers of the output's shape
  int64_t batch_ = 1, outputs_ = 1, tokens_ = 0;
  int64_t numbers_ = 0;        // of all scores
  std::vector<float> scores_;  // where the executor does not show them in place
  std::vector<float> targets_;
  std::vector<int64_t> read_, follow_;  // tokens of a batch: what the network reads, and what follows each
};

}  // namespace plimsoll
