// Judge: what a batch's labels mean to a network. It writes them as the loss's targets, and from the network's scores
// it counts how many samples are right and what they cost.
//
// A network with one row of scores a sample is judged by classes: the largest score, or, where there is one score only,
// which side of even odds it is on.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "run/exec/executor.h"
#include "run/train/training_state.h"

namespace plimsoll {

// What the numbers of an output are.
enum class ScoreForm : uint8_t { scores, probabilities, log_probabilities };

// By the operation that the first output comes from; of a step as make_step() returned it.
ScoreForm score_form(const Program& step);

// One for each class, adding up to 1. A single score is that of the second of two classes.
std::vector<double> probabilities(std::span<const float> scores, ScoreForm form);

class Judge {
 public:
  // `training` and `inference` are steps of the same network as make_step() returned them, before a backend lowered
  // them. `classes`: of the data. An Error when the labels cannot be this network's targets.
  static Result<Judge> make(const Program& training, const Program& inference, int64_t classes);

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
  int64_t classes() const { return outputs_ == 1 ? 2 : outputs_; }
  Bytes memory() const { return Bytes(int64_t(scores_.size() * sizeof(float) + targets_.size() * sizeof(float))); }

 private:
  enum class Kind : uint8_t { softmax, binary, squared };
  Judge() = default;

  void read_scores(const Executor& executor);
  int64_t choice(int64_t sample, ScoreForm form) const;
  double loss(int64_t sample, int64_t label) const;

  Kind kind_ = Kind::softmax;
  ScoreForm training_form_ = ScoreForm::scores, inference_form_ = ScoreForm::scores;
  ValueId targets_id_;
  bool labels_are_targets_ = true;  // i64, one a sample; else numbers of the output's shape
  int64_t batch_ = 1, outputs_ = 1;
  std::vector<float> scores_, targets_;
};

}  // namespace plimsoll
