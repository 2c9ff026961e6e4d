// predict, asked and answered: which classes does a trained network see in pictures or texts, and how does a language
// model go on with a text?
#pragma once

#include "run/train/engine_of_run.h"
#include "run/train/text_writer.h"

namespace plimsoll {

struct PredictRequest {
  std::string checkpoint;
  std::vector<std::string> samples;  // paths of pictures, or texts
  int64_t top = 3;
  std::optional<std::string> prompt;
  WritingOptions writing;
  int64_t seed = 0;
  EngineOfRun engine;

  void describe(Fields& fields);

 private:
  void describe_writing(Fields& fields);
};

struct Guess {
  int64_t index = 0;
  std::string name;
  double probability = 0;
};

struct GuessedSample {
  std::string sample;          // the picture's path, or the text
  std::vector<Guess> classes;  // likeliest first
};

struct PredictOutcome {
  std::string checkpoint;
  int64_t step = 0;    // 0 for an .onnx file
  bool texts = false;  // else pictures
  std::vector<GuessedSample> samples;
  std::optional<WrittenText> written = {};  // of a language model
};

Result<PredictOutcome> ask_predict(const PredictRequest& request);

// The `most` likeliest, equal ones in the order of their numbers. Classes without a name are called by their number.
std::vector<Guess> likeliest(const std::vector<double>& probabilities, const std::vector<std::string>& names,
                             size_t most);

}  // namespace plimsoll
