#include "tests/fuzz/random_graphs/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "model/onnx/export.h"
#include "run/exec/backend.h"
#include "tests/fuzz/random_graphs/random_graph.h"
#include "tests/harness/run_program.h"
#include "tests/unit/run/data/made_pictures.h"

namespace plimsoll {
namespace {

constexpr double kTolerance = 1e-3;  // of the first loss; later ones have been through updates
constexpr uint32_t kSide = 12;       // of a picture

// Two classes of pictures, some with black in them.
void write_pictures(const TemporaryFolder& folder) {
  Dice dice(1);
  for (const char* name : {"cat", "dog"}) {
    std::filesystem::create_directories(folder.path() + "/" + name);
    for (int i = 0; i < 6; ++i) {
      std::string rows;
      for (uint32_t y = 0; y < kSide; ++y) {
        rows += '\0';
        for (uint32_t x = 0; x < 3 * kSide; ++x) rows += char(dice.chance(0.2) ? 0 : dice.below(256));
      }
      folder.write(fmt::format("{}/{}.png", name, i), made_png(kSide, kSide, rows));
    }
  }
}

struct Trained {
  int exit_code = 0;
  std::string err;
  double loss = NAN;  // of the first step
};

double first_loss(const std::string& run) {
  std::ifstream log(run + "/log.jsonl");
  for (std::string line; std::getline(log, line);) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (json.is_object() && json.contains("loss") && json["loss"].is_number()) return json["loss"].get<double>();
  }
  return NAN;
}

Trained train(const std::string& model, const std::string& data, const std::string& run, std::string_view backend) {
  const Ran ran = run_plimsoll({"train", model, "--data", data, "--batch", "2", "--max-steps", "2", "--threads", "1",
                                "--validation", "0", "--quiet", "--backend", std::string(backend), "--run-dir", run});
  return {ran.exit_code, ran.err, first_loss(run)};
}

std::string judge(const std::vector<Trained>& all) {
  for (const auto& one : all) {
    if (one.exit_code != 0 && one.exit_code != 1 && one.exit_code != 2)
      return fmt::format("exit code {}: {}", one.exit_code, one.err);
    if (one.exit_code != all[0].exit_code)
      return fmt::format("exit codes {} and {}: {}{}", all[0].exit_code, one.exit_code, all[0].err, one.err);
    if (one.exit_code == 2 && one.err != all[0].err) return "refused with different words: " + all[0].err + one.err;
    if (one.exit_code == 2 && std::count(one.err.begin(), one.err.end(), '\n') != 1) return "not one line: " + one.err;
    if (std::abs(one.loss - all[0].loss) > kTolerance * std::max(1.0, std::abs(one.loss)))
      return fmt::format("losses {} and {}", all[0].loss, one.loss);
  }
  return "";
}

}  // namespace

int64_t train_from_outside(uint64_t first, uint64_t count) {
  const TemporaryFolder data, folder;
  write_pictures(data);
  int64_t wrong = 0, codes[3] = {}, not_exported = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const RandomGraph random = random_graph(seed, Kind::picture);
    const std::string model = fmt::format("{}/{}.onnx", folder.path(), seed);
    if (!export_onnx(random.graph, StoredNumbers(random.stored), model).ok()) {
      ++not_exported;
      continue;
    }
    std::vector<Trained> all;
    for (const Backend* backend : all_backends())
      all.push_back(
          train(model, data.path(), fmt::format("{}/{}-{}", folder.path(), seed, backend->name()), backend->name()));
    const std::string difference = judge(all);
    if (difference.empty()) ++codes[all[0].exit_code];
    else
      fmt::print("seed {}: {}\n    made of {}\n    repeat: random_graphs --train {}\n", seed, difference, random.bricks,
                 seed);
    wrong += difference.empty() ? 0 : 1;
  }
  fmt::print("{} train alike, {} stop at not-a-number, {} are refused alike, {} go wrong; {} have no .onnx form\n",
             codes[0], codes[1], codes[2], wrong, not_exported);
  return wrong;
}

}  // namespace plimsoll
