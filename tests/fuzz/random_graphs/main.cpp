// random_graphs [--show] [--list FILE] SEED [COUNT]: random networks from SEED on and those of the seeds in FILE, each
// a training step on every backend (comparison.h). Ends with 1 where one disagrees, and says how to repeat it.
// random_graphs --write FILE.onnx SEED: that network as a file.
// random_graphs --forward FOLDER SEED [COUNT]: those networks as files, each with its input, its output and how far off
// that may be, for tools/onnxruntime_random.py.
// random_graphs --train SEED [COUNT]: through the command line (command_line.h).
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "model/ir/bind.h"
#include "model/ir/print_program.h"
#include "model/onnx/export.h"
#include "tests/fuzz/random_graphs/command_line.h"
#include "tests/fuzz/random_graphs/comparison.h"

namespace plimsoll {
namespace {

struct Wanted {
  bool show = false, train = false;
  std::string file, folder, list;
  uint64_t first = 0, count = 1;
};

struct Totals {
  int64_t agree = 0, refused = 0, differ = 0, compared = 0, left_out = 0;
};

int write_file(const RandomGraph& random, const std::string& file) {
  const auto exported = export_onnx(random.graph, StoredNumbers(random.stored), file);
  if (exported.ok()) return 0;
  fmt::print(stderr, "{}\n", exported.error().line());
  return 1;
}

void write_numbers(const std::string& path, const std::vector<double>& numbers) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(numbers.data()), std::streamsize(numbers.size() * sizeof(double)));
}

int write_forward(const Wanted& wanted) {
  for (uint64_t seed = wanted.first; seed < wanted.first + wanted.count; ++seed) {
    const RandomGraph random = random_graph(seed);
    const std::string path = fmt::format("{}/{}", wanted.folder, seed);
    const auto expected = expected_output(random);
    if (!expected || !export_onnx(random.graph, StoredNumbers(random.stored), path + ".onnx").ok()) continue;
    write_numbers(path + ".input", random.input.doubles());
    write_numbers(path + ".output", expected->numbers);
    write_numbers(path + ".tolerance", {expected->tolerance});
  }
  return 0;
}

std::string shown(const Graph& graph) {
  const auto program = bind(graph, {});
  return program.ok() ? print(*program) : program.error().line();
}

void run_seed(uint64_t seed, const Wanted& wanted, Totals& totals) {
  const RandomGraph random = random_graph(seed);
  if (wanted.show) fmt::print("{}\n{}\n", random.bricks, shown(random.graph));
  std::fflush(stdout);
  Comparison result = compare_graph(random);
  if (result.difference.empty() && result.refusal.empty()) {
    const Comparison forward = compare_graph(forward_of(random));
    if (!forward.difference.empty()) result.difference = "as an inference: " + forward.difference;
    result.compared += forward.compared;
    result.left_out += forward.left_out;
  }
  totals.compared += result.compared;
  totals.left_out += result.left_out;
  if (!result.difference.empty()) {
    ++totals.differ;
    fmt::print("seed {}: {}\n    made of {}\n    repeat: random_graphs --show {}\n", seed, result.difference,
               random.bricks, seed);
  } else if (!result.refusal.empty()) {
    ++totals.refused;
    if (wanted.show) fmt::print("refused: {}\n", result.refusal);
  } else {
    ++totals.agree;
  }
  std::fflush(stdout);
}

int run(const Wanted& wanted) {
  if (!wanted.file.empty()) return write_file(random_graph(wanted.first), wanted.file);
  if (!wanted.folder.empty()) return write_forward(wanted);
  if (wanted.train) return train_from_outside(wanted.first, wanted.count) == 0 ? 0 : 1;
  Totals totals;
  const auto start = std::chrono::steady_clock::now();
  if (!wanted.list.empty()) {
    std::ifstream list(wanted.list);
    for (uint64_t seed = 0; list >> seed;) run_seed(seed, wanted, totals);
  }
  for (uint64_t i = 0; i < wanted.count; ++i) run_seed(wanted.first + i, wanted, totals);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  fmt::print(
      "{} agree, {} are refused alike, {} differ; {} tensors compared, {} left out: they depend on rounding; "
      "{:.0f} s\n",
      totals.agree, totals.refused, totals.differ, totals.compared, totals.left_out, seconds);
  return totals.differ == 0 && totals.agree > totals.refused ? 0 : 1;
}

}  // namespace
}  // namespace plimsoll

int main(int argc, char** argv) {
  plimsoll::Wanted wanted;
  int numbers = 0;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--show")) wanted.show = true;
    else if (!std::strcmp(argv[i], "--train")) wanted.train = true;
    else if (!std::strcmp(argv[i], "--write") && i + 1 < argc) wanted.file = argv[++i];
    else if (!std::strcmp(argv[i], "--forward") && i + 1 < argc) wanted.folder = argv[++i];
    else if (!std::strcmp(argv[i], "--list") && i + 1 < argc) wanted.list = argv[++i];
    else (numbers++ == 0 ? wanted.first : wanted.count) = std::strtoull(argv[i], nullptr, 10);
  }
  return plimsoll::run(wanted);
}
