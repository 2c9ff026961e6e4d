#include "run/train/evaluate_network.h"

#include <algorithm>

#include "run/train/interruption.h"

namespace plimsoll {

namespace {

Evaluation nothing_yet(int64_t classes) {
  Evaluation evaluation;
  evaluation.samples.resize(size_t(classes));
  evaluation.correct.resize(size_t(classes));
  if (classes <= kMostConfusedClasses) evaluation.confusion.resize(size_t(classes * classes));
  return evaluation;
}

void count(Evaluation& evaluation, int64_t label, int64_t chosen) {
  ++evaluation.samples[size_t(label)];
  evaluation.correct[size_t(label)] += label == chosen;
  if (!evaluation.confusion.empty()) ++evaluation.confusion[size_t(label * evaluation.classes() + chosen)];
}

void keep_if_worst(std::vector<Mistake>& worst, const Mistake& mistake) {
  if (mistake.label == mistake.chosen) return;
  const auto after = [](const Mistake& a, const Mistake& b) { return a.loss > b.loss; };
  worst.insert(std::upper_bound(worst.begin(), worst.end(), mistake, after), mistake);
  if (worst.size() > kMostMistakes) worst.pop_back();
}

}  // namespace

Result<Evaluated> evaluate_network(Executor& inference, Judge& judge, const DatasetPtr& dataset,
                                   LoaderOptions options) {
  options.shuffle = options.drop_last = false;
  PLIM_ASSIGN(const auto loader, Loader::make(dataset, options));
  PLIM_TRY(loader->start(0));
  Evaluated result{nothing_yet(judge.tokens() > 0 ? 0 : judge.classes())};  // tokens are no classes to be confused
  const ValueId input = inference.program().inputs.at(0);
  while (true) {
    PLIM_ASSIGN(const auto batch, loader->next());
    if (!batch) return result;
    const JudgedBatch judged = judge.judged(*batch);
    inference.write(input, judged.inputs);
    inference.compute();
    int64_t index = batch->first;
    const auto seen = [&](int64_t label, int64_t chosen, double loss) {
      count(result.evaluation, label, chosen);
      keep_if_worst(result.evaluation.worst, {index++, label, chosen, loss});
    };
    judge.tally(inference, judged.labels, judged.samples, result.evaluation.all,
                judge.tokens() > 0 ? Judge::Seen() : Judge::Seen(seen));
    if (Interruption::asked() != StopAsked::no) {
      result.whole = false;
      return result;
    }
  }
}

}  // namespace plimsoll
