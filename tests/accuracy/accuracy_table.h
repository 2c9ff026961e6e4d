// Predictions against measurements, summed up: the table that the program prints and docs/accuracy.md.
#pragma once

#include <string>
#include <vector>

#include "tests/accuracy/measured_steps.h"

namespace plimsoll {

struct ComparedStep {
  MeasuredStep step;
  PredictedStep predicted;

  double ratio() const { return predicted.total / step.total; }
};

std::vector<ComparedStep> compare_steps();

struct Errors {
  size_t rows = 0;
  double median = 0, worst = 1, within_30 = 0;  // as AccuracyRow
};

// `ratios`: predicted over measured.
Errors errors_of(const std::vector<double>& ratios);

std::string accuracy_table(const std::vector<ComparedStep>& steps);  // src/plan/time/accuracy_table.inc

// docs/accuracy.md; `scaling`: its chapter on several workers.
std::string accuracy_document(const std::vector<ComparedStep>& steps, const std::string& scaling);

}  // namespace plimsoll
