// A language model on one and on two workers is the same training, on the same text.
#include "tests/dist/workers.h"
#include "tests/language_model.h"

namespace plimsoll {
namespace {

class LanguageWorkers : public Workers {
 protected:
  nlohmann::json run(const std::string& name, int np, int batch) {
    const Ran ran = StartedProgram({PLIM_PROGRAM,
                                    "train",
                                    write_small_gpt2(folder_),
                                    "--data",
                                    folder_.write("ships.txt", small_text(120)),
                                    "--sequence",
                                    "32",
                                    "--tokenizer",
                                    "bpe:280",
                                    "--batch",
                                    std::to_string(batch),
                                    "-np",
                                    std::to_string(np),
                                    "--optimizer",
                                    "sgd",
                                    "--lr",
                                    "0.1",
                                    "--threads",
                                    "1",
                                    "--loaders",
                                    "0",
                                    "--quiet",
                                    "--json",
                                    "--run-dir",
                                    run_dir(name)})
                        .wait();
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return ran.exit_code == 0 ? nlohmann::json::parse(ran.out) : nlohmann::json();
  }
};

TEST_F(LanguageWorkers, TwoAreOneAtTwiceTheBatch) {
  const auto one = run("one", 1, 8), two = run("two", 2, 4);
  ASSERT_TRUE(one.is_object() && two.is_object());
  EXPECT_EQ(one["steps"], two["steps"]);
  const auto &a = one["epochs"][0], &b = two["epochs"][0];
  EXPECT_NEAR(a["train_loss"].get<double>(), b["train_loss"].get<double>(), 1e-4);
  EXPECT_NEAR(a["val_loss"].get<double>(), b["val_loss"].get<double>(), 1e-4);
  EXPECT_NEAR(a["val_perplexity"].get<double>(), b["val_perplexity"].get<double>(), 1e-2);
  EXPECT_EQ(losses("one").size(), losses("two").size());
}

}  // namespace
}  // namespace plimsoll
