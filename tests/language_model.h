// A language model that learns in a moment, and a text for it: for tests of training on text.
#pragma once

#include <string>

#include "tests/harness/run_program.h"

namespace plimsoll {

// A config.json of two layers; the path.
inline std::string write_small_gpt2(const TemporaryFolder& folder, const std::string& name = "config.json") {
  return folder.write(name, R"({"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "n_embd": 32, "n_layer": 2,
    "n_head": 2, "n_positions": 64, "vocab_size": 50257})");
}

// Sentences over and over, each time with other numbers: they can be learnt, but not by heart alone.
inline std::string small_text(int sentences = 400) {
  std::string text;
  for (int i = 0; i < sentences; ++i)
    text += "The ship carries " + std::to_string(i * 37 % 100) + " boxes to the " + (i % 3 == 0 ? "north" : "south") +
            " and comes back with " + std::to_string(i * 53 % 90) + " more.\n";
  return text;
}

}  // namespace plimsoll
