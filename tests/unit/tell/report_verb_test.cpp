// report from the command line: of networks and of runs, and what its file holds.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/harness/run_program.h"
#include "tests/idx_set.h"

namespace plimsoll {
namespace {

std::string contents(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

void expect_self_contained(const std::string& html) {
  for (const char* outside : {"src='h", "src='/", "@import", "<link"})
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  for (size_t at = 0; (at = html.find("url(", at)) != std::string::npos; ++at)
    EXPECT_EQ(html.substr(at, 5), "url(#") << "of the file itself";
  std::string rest = html;
  for (size_t at; (at = rest.find("http://www.w3.org/2000/svg")) != std::string::npos;) rest.erase(at, 26);
  EXPECT_EQ(rest.find("://"), std::string::npos) << "nothing from the network";
}

// Memory, that is: rates of drives and links are as the trade has them.
void expect_powers_of_two(const std::string& html) {
  const std::regex decimal("[0-9] [KMGT]B[^/a-zA-Z]");
  std::smatch found;
  EXPECT_FALSE(std::regex_search(html, found, decimal)) << found.str();
}

TEST(ReportVerb, OfANetworkHasEveryPartAndTheSameInJson) {
  const TemporaryFolder folder;
  const Ran ran = run_plimsoll({"report", "resnet18", "--device", "nvidia-t4", "--device", "nvidia-mx150", "--samples",
                                "1000", "-o", "r.html", "--json"},
                               folder.path());
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const std::string html = contents(folder.path() + "/r.html");
  for (const char* part :
       {"what it weighs", "All 69 layers", "The load line", "load line 80 %, ", "needed by pytorch", "nvidia-mx150",
        "Roofline of nvidia-t4", "ridge 27 FLOP", "kind-grad-weights", "Time and money of the job",
        "no other is quicker and cheaper", "What is where", "Which device to take", "By money",
        "prefers-color-scheme:dark", "width=device-width", "@media print", "size:A4"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  expect_self_contained(html);
  // First of all the answer, what was assumed, the command and who wrote it.
  size_t at = 0;
  for (const char* part :
       {"class='lead'", "✓ It fits", "Training resnet18, batch", "largest batch under the line of nvidia-t4",
        "Largest batch that fits", "typical error", "measured runs", "Speed", "images/s", "The whole job",
        "load line 80 %", "keeps 20 % in reserve", "momentum",
        "plimsoll report resnet18 --device nvidia-t4 --device nvidia-mx150 --samples 1000", "Plimsoll 0.",
        "what it weighs"}) {
    const size_t found = html.find(part, at);
    ASSERT_NE(found, std::string::npos) << part;
    at = found;
  }
  EXPECT_LT(html.size(), 1'500'000u);
  // Samples are called what the page calls them, and memory is told in powers of two.
  for (const char* part : {" images × 1 epoch", " images an epoch", "images a step"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  for (const char* other : {" samples/s<", "samples per step", " samples ×"})
    EXPECT_EQ(html.find(other), std::string::npos) << other;
  expect_powers_of_two(html);
  const nlohmann::json json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["schema"], "plimsoll.report/1");
  const auto& network = json["networks"][0];
  EXPECT_EQ(network["weigh"]["params"], 11689512);
  EXPECT_GT(network["fit"]["batch"], 0);
  EXPECT_GT(network["timeline_bytes"].size(), 100u);
  EXPECT_EQ(network["batch_curves"][0]["points"].size(), 11u);
  EXPECT_EQ(network["load_lines"].size(), 2u);
  EXPECT_GT(network["roofline"]["operations"].size(), 50u);
  EXPECT_GT(network["residence"]["moves"].size(), 2u);
  EXPECT_GT(network["by_time"]["ranking"].size(), 50u);
}

// Devices that are asked for are what the verdict is about; the catalog is there to compare with.
TEST(ReportVerb, TheVerdictIsAboutDevicesThatWereAskedForAndInTheTables) {
  const TemporaryFolder folder;
  const auto asked = [&](const std::vector<std::string>& devices) {
    std::vector<std::string> words{"report", "lenet5", "--samples", "1000000", "-o", "r.html", "--json"};
    for (const auto& device : devices) words.insert(words.end(), {"--device", device});
    const Ran ran = run_plimsoll(words, folder.path());
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return nlohmann::json::parse(ran.out)["networks"][0];
  };
  const std::vector<std::string> slow{"nvidia-gt-1030", "intel-i5-8250u"};
  const auto network = asked(slow);
  const std::string choice = network["by_time"]["verdict"]["choice"];
  EXPECT_NE(std::find(slow.begin(), slow.end(), choice), slow.end()) << choice;
  EXPECT_GT(network["by_time"]["ranking"].size(), 50u);
  const std::string html = contents(folder.path() + "/r.html"), marked = choice + " (verdict)";
  const size_t by_time = html.find(marked);
  ASSERT_NE(by_time, std::string::npos) << choice;
  EXPECT_NE(html.find(marked, by_time + 1), std::string::npos) << "by money too";
  EXPECT_NE(html.find("Take " + choice), std::string::npos);
}

TEST(ReportVerb, TheTimelineReachesThePeak) {
  const TemporaryFolder folder;
  const Ran ran =
      run_plimsoll({"report", "resnet18", "--device", "nvidia-t4", "-o", "r.html", "--json"}, folder.path());
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto network = nlohmann::json::parse(ran.out)["networks"][0];
  const auto& timeline = network["timeline_bytes"];
  EXPECT_EQ(*std::max_element(timeline.begin(), timeline.end()), network["fit"]["peak_bytes"]);
  const std::string html = contents(folder.path() + "/r.html");
  for (const char* part :
       {"<path class='part-activations'", "<path class='part-fixed'", ">forward<", ">backward<", ">peak "})
    EXPECT_NE(html.find(part), std::string::npos) << part;
}

// What the page has moved moves in the report that it saves.
TEST(ReportVerb, TheLineAndTheFrameworkAreThoseThatWereAskedFor) {
  const TemporaryFolder folder;
  const Ran ran = run_plimsoll({"report", "resnet18", "--device", "nvidia-t4", "--batch", "8", "--load-line", "0.5",
                                "--framework", "tensorflow", "-o", "r.html", "--json"},
                               folder.path());
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto fit = nlohmann::json::parse(ran.out)["networks"][0]["fit"];
  EXPECT_EQ(fit["load_line"], 0.5);
  EXPECT_EQ(fit["framework"], "tensorflow");
  EXPECT_NE(contents(folder.path() + "/r.html").find("load line 50 %, "), std::string::npos);
}

// Networks of text are planned in tokens, and their reports look like all others.
TEST(ReportVerb, OfALanguageModelThatIsTrainedOrServed) {
  const TemporaryFolder folder;
  const auto written = [&](std::vector<std::string> words, const std::vector<const char*>& parts) {
    words.insert(words.begin(), {"report", "llama-3.1-8b"});
    words.insert(words.end(), {"-o", "r.html", "--json"});
    const Ran ran = run_plimsoll(words, folder.path());
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    const std::string html = contents(folder.path() + "/r.html");
    for (const char* part : parts) EXPECT_NE(html.find(part), std::string::npos) << part;
    expect_self_contained(html);
    expect_powers_of_two(html);
    return nlohmann::json::parse(ran.out)["networks"][0];
  };
  const auto trained =
      written({"--device", "nvidia-rtx-4090", "--method", "lora:16", "--checkpointing", "full", "--sequence", "1024",
               "--batch", "1", "--samples", "10000", "--epochs", "3"},
              {"✓ It fits", "LoRA of rank 16", "Largest micro-batch", "tokens/s", "typical error", "part-adapters",
               "What would carry more", "Which device to take", "nvidia-rtx-4090 (asked for)"});
  EXPECT_EQ(trained["fit"]["method"], "lora:16:q,v");
  EXPECT_GT(trained["by_time"]["ranking"].size(), 20u);
  const auto served =
      written({"--device", "lambda-1x-h100-sxm", "--mode", "generate", "--concurrency", "16", "--context", "4096"},
              {"✓ It fits", "Serving llama-3.1-8b", "Most sequences at once", "Cost of a million tokens",
               "cache of keys and values", "Which device to take", "USD"});
  EXPECT_EQ(served["fit"]["concurrency"], 16);
  const auto over =
      written({"--device", "nvidia-rtx-4090", "--batch", "1"}, {"✕ It does not fit", "breaks at", "flood"});
  EXPECT_FALSE(over["fit"]["fits"]);
}

// Whoever gets the file does not have our folders.
TEST(ReportVerb, NoPathOfTheMachineIsInIt) {
  const TemporaryFolder data, folder;
  write_idx_set(data);
  const std::string run = folder.path() + "/my-run";
  const Ran trained = run_plimsoll({"train", "mlp", "--input", "1x8x8", "--classes", "4", "--data", data.path(),
                                    "--epochs", "1", "--threads", "1", "--batch", "8", "--run-dir", run},
                                   folder.path());
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  ASSERT_EQ(run_plimsoll({"report", run, "-o", "r.html"}, folder.path()).exit_code, 0);
  for (const std::string& file : {run + "/report.html", folder.path() + "/r.html"}) {
    const std::string html = contents(file);
    EXPECT_NE(html.find("class='lead'"), std::string::npos) << file;
    EXPECT_NE(html.find("<dt>Number format</dt><dd>f32</dd>"), std::string::npos) << file;
    EXPECT_NE(html.find("<dt>Device</dt><dd>this machine</dd>"), std::string::npos) << file;
    EXPECT_EQ(html.find(folder.path()), std::string::npos) << file;
    EXPECT_EQ(html.find(data.path()), std::string::npos) << file;
  }
  const std::string set = data.path().substr(data.path().rfind('/') + 1);
  EXPECT_NE(contents(run + "/report.html")
                .find("plimsoll train mlp --input=1x8x8 --classes=4 --batch=8 --data=" + set + " --threads=1"),
            std::string::npos)
      << "the command that trains it again";
}

TEST(ReportVerb, DataHasItsLastNameHoweverLongItsPathIs) {
  const TemporaryFolder data, folder;
  write_idx_set(data);
  const std::string above = folder.path() + "/" + std::string(80, 'x');
  std::filesystem::create_directory(above);
  std::filesystem::create_directory_symlink(data.path(), above + "/clothes");
  const std::vector<std::string> train{"train",   "mlp", "--input",     "1x8x8", "--classes", "4",   "--threads", "1",
                                       "--batch", "8",   "--max-steps", "2",     "--run-dir", "run", "--data"};
  auto words = train;
  words.push_back(above + "/clothes");
  ASSERT_EQ(run_plimsoll(words, folder.path()).exit_code, 0);
  ASSERT_EQ(run_plimsoll({"report", "run"}, folder.path()).exit_code, 0);
  const std::string html = contents(folder.path() + "/report.html");
  EXPECT_NE(html.find("<dt>Data</dt><dd>clothes</dd>"), std::string::npos);
  EXPECT_EQ(html.find("xxx"), std::string::npos);
}

// A device file of one's own is asked for by its path and called by its name; of the command others have the name
// alone.
TEST(ReportVerb, OfALanguageModelOnADeviceOfOnesOwn) {
  const TemporaryFolder folder;
  const std::string file = folder.write("it's mine.json", R"({"name": "mine", "memory": "24GiB",
      "memory_bandwidth": "900GB/s", "peak": {"f32": "35TFLOP/s"}, "matrix_peak": {"f16": "140TFLOP/s"}})");
  for (const char* mode : {"train", "generate"}) {
    const Ran ran = run_plimsoll({"report", "llama-3.2-1b", "--mode", mode, "--sequence", "512", "--device", file, "-o",
                                  folder.path() + "/r.html", "--json"});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(nlohmann::json::parse(ran.out)["networks"][0]["fit"]["device"], "mine") << mode;
    const std::string html = contents(folder.path() + "/r.html");
    EXPECT_EQ(html.find(folder.path()), std::string::npos) << mode;
    EXPECT_NE(html.find("--device &#39;it&#39;\\&#39;&#39;s mine.json&#39;"), std::string::npos) << mode;
  }
}

TEST(ReportVerb, OfANetworkOfWhichAPartIsTrained) {
  const TemporaryFolder folder;
  const auto written = [&](const std::string& method) {
    const Ran ran = run_plimsoll({"report", "resnet18", "--device", "nvidia-t4", "--optimizer", "adam", "--batch", "32",
                                  "--method", method, "-o", folder.path() + "/r.html", "--json"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return nlohmann::json::parse(ran.out)["networks"][0];
  };
  const auto whole = written("full"), head = written("freeze:conv1*,bn1*,layer*");
  EXPECT_LT(head["fit"]["breakdown"]["optimizer"], whole["fit"]["breakdown"]["optimizer"]);
  EXPECT_LT(head["by_time"]["ranking"][0]["step_seconds"], whole["by_time"]["ranking"][0]["step_seconds"]);
  EXPECT_EQ(head["weigh"]["params"], whole["weigh"]["params"]);
}

// It is sent by mail: even of a deep network with a thousand operations.
TEST(ReportVerb, OfADeepNetworkIsSmall) {
  const TemporaryFolder folder;
  const Ran ran = run_plimsoll({"report", "resnet152", "--device", "nvidia-t4", "-o", "r.html"}, folder.path());
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const std::string html = contents(folder.path() + "/r.html");
  EXPECT_NE(html.find("layer4.2.conv3"), std::string::npos);
  const size_t line = html.find(">nvidia-t4</text>");  // its load line, which is not drawn again as a usual device's
  EXPECT_NE(line, std::string::npos);
  EXPECT_EQ(html.find(">nvidia-t4</text>", line + 1), std::string::npos);
  EXPECT_LT(html.size(), 1'500'000u);
}

TEST(ReportVerb, OfTwoRunsComparesThem) {
  const TemporaryFolder data, folder;
  write_idx_set(data);
  for (const std::string rate : {"0.01", "0.1"}) {
    const Ran trained =
        run_plimsoll({"train", "mlp", "--input", "1x8x8", "--classes", "4", "--data", data.path(), "--epochs", "2",
                      "--threads", "1", "--batch", "8", "--lr", rate, "--run-dir", "lr" + rate},
                     folder.path());
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
  }
  const Ran ran = run_plimsoll({"report", "lr0.01", "lr0.1", "--json", "--plot", "curves.svg"}, folder.path());
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const std::string html = contents(folder.path() + "/report.html");
  for (const char* part : {"The best of 2 runs: lr0.", " reached a test accuracy of ", "<dt>Test accuracy</dt>",
                           "mean of its epochs", "Time of training", "The runs, compared", "Images/s",
                           "lr0.01: training", "lr0.1: validation", "which classes are confused"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  expect_self_contained(html);
  for (const char* part : {"plot-line run-0' d=", "plot-line run-1' d="})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  EXPECT_EQ(html.find("plot-line run-2"), std::string::npos) << "one colour a run, dashes for the validation";
  EXPECT_EQ(html.find("plot-line plot-0'"), std::string::npos);
  const std::string curves = contents(folder.path() + "/curves.svg");
  for (const char* part : {"<svg", ">Loss<", ">Accuracy<", "lr0.01: training", "lr0.1: validation"})
    EXPECT_NE(curves.find(part), std::string::npos) << part;
  EXPECT_EQ(curves.find(">Speed<"), std::string::npos);
  const auto runs = nlohmann::json::parse(ran.out)["runs"];
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0]["judged"]["part"], "test");
  EXPECT_EQ(runs[0]["judged"]["confusion"].size(), 16u);
  for (const auto& mistake : runs[0]["judged"]["worst"]) EXPECT_NE(mistake["label"], mistake["chosen"]);
}

// Of a run without validation there is no such line, and one that diverged does not hide the others.
TEST(ReportVerb, CurvesThatAreFarApartCanStillBeRead) {
  const TemporaryFolder folder;
  for (const auto& [name, loss] : {std::pair{"good", 0.5}, std::pair{"diverged", 50.0}}) {
    std::filesystem::create_directories(folder.path() + "/" + name);
    folder.write(std::string(name) + "/config.json", "{}");
    std::string log;
    for (int epoch = 1; epoch <= 2; ++epoch)
      log +=
          nlohmann::json{{"event", "epoch"}, {"epoch", epoch}, {"train_loss", loss}, {"train_accuracy", 0.5}}.dump() +
          "\n";
    folder.write(std::string(name) + "/log.jsonl", log);
  }
  const auto drawn = [&](const std::vector<std::string>& runs) {
    std::vector<std::string> words{"report", "--no-judging", "--plot", "c.svg"};
    words.insert(words.end(), runs.begin(), runs.end());
    const Ran ran = run_plimsoll(words, folder.path());
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return contents(folder.path() + "/c.svg");
  };
  const std::string both = drawn({"good", "diverged"});
  EXPECT_NE(both.find("diverged: training"), std::string::npos);
  EXPECT_EQ(both.find("validation"), std::string::npos);
  EXPECT_NE(both.find(">5</text>"), std::string::npos) << "a step of a logarithmic axis";
  EXPECT_EQ(drawn({"good", "good"}).find(">5</text>"), std::string::npos);
}

TEST(ReportVerb, ARunWhoseDataIsGoneIsStillShown) {
  const TemporaryFolder folder;
  std::string gone;
  {
    const TemporaryFolder data;
    write_idx_set(data);
    gone = data.path();
    ASSERT_EQ(run_plimsoll({"train", "mlp", "--input", "1x8x8", "--classes", "4", "--data", data.path(), "--threads",
                            "1", "--batch", "8", "--run-dir", "run"},
                           folder.path())
                  .exit_code,
              0);
  }
  const Ran ran = run_plimsoll({"report", "run", "--json"}, folder.path());
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto run = nlohmann::json::parse(ran.out)["runs"][0];
  EXPECT_TRUE(run["judged"].is_null());
  EXPECT_TRUE(run["not_judged"].is_string());
  const std::string html = contents(folder.path() + "/report.html");
  EXPECT_NE(html.find("not evaluated"), std::string::npos);
  EXPECT_EQ(html.find(gone), std::string::npos) << "no reader has our folders";
}

TEST(ReportVerb, MistakesAreOneLine) {
  const TemporaryFolder folder;
  const auto expect = [&](const std::vector<std::string>& words, const std::string& message) {
    const Ran ran = run_plimsoll(words, folder.path());
    EXPECT_EQ(ran.exit_code, 2) << message;
    EXPECT_EQ(ran.err_lines(), 1) << ran.err;
    EXPECT_NE(ran.err.find(message), std::string::npos) << ran.err;
  };
  expect({"report", "resnet18", "-o", "r.pdf"}, "expected a name that ends in .html");
  expect({"report", "resnet19"}, "resnet19");
  expect({"report", "lenet5", "--plot", "r.png"}, "expected a name that ends in .svg");
  expect({"report", "lenet5", "--plot", "r.svg"}, "--plot draws the curves of runs, and none is given");
  expect({"report", folder.path()}, "config.json");
  expect({"report", "lenet5", "--device", "abacus"}, "abacus");
}

}  // namespace
}  // namespace plimsoll
