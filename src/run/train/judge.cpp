#include "run/train/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/rows/named.h"
#include "base/text.h"
#include "model/ir/program_lookup.h"
#include "model/ops/activations.h"
#include "model/ops/all_ops.h"
#include "run/data/network_input.h"
#include "run/exec/loops/parallel.h"
#include "run/exec/loops/softmax.h"

namespace plimsoll {
namespace {

struct JudgedRow {
  int64_t chosen;
  double cost;
};

double log_of(double probability) { return std::log(std::max(probability, 1e-45)); }

double softmax_loss(std::span<const float> row, int64_t label, ScoreForm form) {
  const double chosen = row[size_t(label)];
  if (form == ScoreForm::probabilities) return -log_of(chosen);
  if (form == ScoreForm::log_probabilities) return -chosen;
  return log_of_powers(row.data(), int64_t(row.size())) - chosen;
}

double binary_loss(double score, double target, ScoreForm form) {
  if (form == ScoreForm::probabilities) return -target * log_of(score) - (1 - target) * log_of(1 - score);
  return softplus(score) - target * score;
}

}  // namespace

ScoreForm score_form(const Program& program) {
  const Operation* last = producer_of(program, program.outputs.at(0));
  if (!last) return ScoreForm::scores;
  const Op* op = last->then ? last->then : last->op;
  const ClassScores scores = op ? op->scores : ClassScores::any;
  if (scores == ClassScores::any) return ScoreForm::scores;
  return scores == ClassScores::log_probabilities ? ScoreForm::log_probabilities : ScoreForm::probabilities;
}

std::vector<double> probabilities(std::span<const float> scores, ScoreForm form) {
  if (scores.size() == 1) {
    const double second = form == ScoreForm::scores ? 1 / (1 + std::exp(-double(scores[0]))) : double(scores[0]);
    return {1 - second, second};
  }
  std::vector<double> shares(scores.begin(), scores.end());
  if (form == ScoreForm::probabilities) return shares;
  const double most = *std::max_element(shares.begin(), shares.end());
  double sum = 0;
  for (double& share : shares) sum += share = std::exp(share - most);
  for (double& share : shares) share /= sum;
  return shares;
}

Result<Judge> Judge::make(const Program& training, const Program& inference, int64_t classes) {
  Judge judge;
  const TensorType& output = *inference.value(inference.outputs.at(0)).type;
  const Operation* loss = producer_of(training, training.loss);
  judge.targets_id_ = input_named(training, "targets");
  PLIM_CHECK(loss && judge.targets_id_.present(), "a training step without a loss or targets");
  judge.batch_ = inference.batch;
  const int64_t numbers = output.elements().value();
  const TensorType& input = *inference.value(inference.inputs.at(0)).type;
  const bool language = is_language_model(input, output);
  if (language) judge.tokens_ = input.shape[1];
  if (output.dtype != DType::f32 || output.shape.rank() < 1 || output.shape[0] != inference.batch ||
      numbers % inference.batch != 0 ||
      (!language &&
       output.shape.elements(1, output.shape.rank()) != Count(output.shape.rank() > 1 ? output.shape[1] : 1)))
    return user_error(fmt::format("the network's output is {} {}, expected f32 with one row of scores a sample",
                                  output.shape.text(), name_of(output.dtype)));
  judge.outputs_ = numbers / inference.batch / std::max<int64_t>(judge.tokens_, 1);
  judge.kind_ = loss->op->kind == OpKind::softmax_loss ? Kind::softmax
                : loss->op == &op_named("mse_loss")    ? Kind::squared
                                                       : Kind::binary;
  if (classes > judge.classes())
    return user_error(fmt::format("the data has {} {}, but the network tells {} apart", classes,
                                  language ? "tokens" : "classes", judge.classes()),
                      "for a network of the zoo, " + named("classes") + " sets how many");
  judge.labels_are_targets_ = training.value(judge.targets_id_).type->dtype == DType::i64;
  judge.training_form_ = score_form(training);
  judge.inference_form_ = score_form(inference);
  judge.numbers_ = numbers;
  judge.read_.resize(size_t(judge.batch_ * judge.tokens_));
  judge.follow_.resize(judge.read_.size());
  if (!judge.labels_are_targets_) judge.targets_.resize(size_t(numbers));
  return judge;
}

JudgedBatch Judge::judged(const Batch& batch) {
  if (tokens_ == 0) return {batch.inputs, batch.labels, batch.samples};
  const auto* all = reinterpret_cast<const int64_t*>(batch.inputs.data());
  PLIM_CHECK(batch.inputs.size() == size_t(batch_ * (tokens_ + 1)) * sizeof(int64_t), "sequences of another length");
  for (int64_t sample = 0; sample < batch_; ++sample) {
    const int64_t* first = all + sample * (tokens_ + 1);
    std::copy_n(first, tokens_, read_.begin() + sample * tokens_);
    std::copy_n(first + 1, tokens_, follow_.begin() + sample * tokens_);
  }
  return {std::as_bytes(std::span(read_)), follow_, batch.samples * tokens_};
}

void Judge::write_targets(Executor& step, std::span<const int64_t> labels) {
  if (labels_are_targets_) return step.write(targets_id_, std::as_bytes(labels));
  std::fill(targets_.begin(), targets_.end(), 0.0f);
  for (size_t i = 0; i < size_t(batch_); ++i) {
    if (outputs_ == 1) targets_[i] = float(labels[i]);
    else targets_[i * size_t(outputs_) + size_t(labels[i])] = 1;
  }
  step.write(targets_id_, std::as_bytes(std::span(targets_)));
}

// Those of a language model are as many as its activations: they are looked at where they lie, by all threads.
std::span<const float> Judge::read_scores(const Executor& executor) {
  const ValueId output = executor.program().outputs[0];
  if (const auto there = executor.in_place(output); !there.empty())
    return {reinterpret_cast<const float*>(there.data()), size_t(numbers_)};
  scores_.resize(size_t(numbers_));
  executor.read(output, std::as_writable_bytes(std::span(scores_)));
  return scores_;
}

int64_t Judge::choice(std::span<const float> row, ScoreForm form) const {
  if (outputs_ == 1) {
    const float even = form == ScoreForm::probabilities || kind_ == Kind::squared ? 0.5f : 0.0f;
    return row[0] > even ? 1 : 0;
  }
  return first_largest(row.data(), int64_t(row.size()));
}

int64_t Judge::count_correct(const Executor& step, std::span<const int64_t> labels, int64_t samples) {
  const auto scores = read_scores(step);
  std::vector<uint8_t> right(static_cast<size_t>(samples));
  parallel_items(samples, samples * outputs_,
                 [&](int64_t i) { right[size_t(i)] = choice(row_of(scores, i), training_form_) == labels[size_t(i)]; });
  return std::accumulate(right.begin(), right.end(), int64_t{0});
}

double Judge::loss(std::span<const float> row, int64_t label) const {
  if (kind_ == Kind::softmax) return softmax_loss(row, label, inference_form_);
  double sum = 0;
  for (size_t i = 0; i < row.size(); ++i) {
    const double target = outputs_ == 1 ? double(label) : double(int64_t(i) == label);
    sum += kind_ == Kind::binary ? binary_loss(row[i], target, inference_form_)
                                 : (double(row[i]) - target) * (double(row[i]) - target);
  }
  return sum / double(row.size());
}

void Judge::tally(const Executor& inference, std::span<const int64_t> labels, int64_t samples, Tally& tally,
                  const Seen& seen) {
  const auto scores = read_scores(inference);
  std::vector<JudgedRow> rows(static_cast<size_t>(samples));
  parallel_items(samples, samples * outputs_, [&](int64_t i) {
    const auto row = row_of(scores, i);
    rows[size_t(i)] = {choice(row, inference_form_), loss(row, labels[size_t(i)])};
  });
  for (size_t i = 0; i < rows.size(); ++i) {
    tally.add(rows[i].cost, 1, rows[i].chosen == labels[i]);
    if (seen) seen(labels[i], rows[i].chosen, rows[i].cost);
  }
}

}  // namespace plimsoll
