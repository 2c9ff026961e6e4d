#include "tests/accuracy/modern_chapter.h"

#include <fmt/format.h>

#include "tests/facts.h"

namespace plimsoll {
namespace {

std::string table(const std::string& file, const std::string& what) {
  std::string text = fmt::format(
      "| {} | rows | predicted / measured | median error | nine of ten within |\n|---|---|---|---|---|\n", what);
  for (const FactRow& row : csv_rows(std::string(PLIM_TEST_DATA) + "/../accuracy/" + file + ".csv"))
    text += fmt::format("| {} | {} | {:.2f} | {:.1f} % | {:.0f} % |\n", row.at("set"), row.at("rows"),
                        std::atof(row.at("bias").c_str()), std::atof(row.at("median").c_str()) * 100,
                        std::atof(row.at("p90").c_str()) * 100);
  return text;
}

}  // namespace

std::string modern_chapter() {
  return "\n## PyTorch since Volta\n\n"
         "Products and convolutions go by tiles and waves on the multiprocessors, everything else by the bytes that it "
         "passes\n"
         "over, in the graph that PyTorch runs, casts included (`src/plan/time/torch_time.h`). Clocks under the power "
         "limit follow\n"
         "a V100's at 100 to 250 W (`src/plan/time/power_limit.h`). Batch norms in training take one\n"
         "multiprocessor for each channel; convolutions wait for operands where matrix units are quick, by a number "
         "that "
         "was chosen\n"
         "with an A100's training steps (`superbench`) in view and is not held out. Depthwise windows beyond 5x5, "
         "groups "
         "unlike\n"
         "ResNeXt's, channels that are no multiple of 16 bytes and interpolation between pixels have kernels of their "
         "own, and\n"
         "torch.compile chooses its layout as its source does (`src/plan/time/compiled_layout.h`): those forms were "
         "found by\n"
         "looking at these rows, so what is held out tests their numbers alone, and EfficientFormerV2's rows not even "
         "that. The\n"
         "numbers are in\n"
         "`src/plan/time/torch_parameters.inc`, each with its source; `make fit-gpu-time` fits them and writes what "
         "follows.\n"
         "Measured: timm's benchmarks (`timm_infer`, `timm_train`), under autocast, on torch's own operator lists; "
         "and\n"
         "`gpu_benchmark`, ResNet-50 and ViT-B/16 of the zoo in training, in f32 and under autocast, plain and "
         "compiled.\n\n"
         "### Held out\n\n"
         "Inference: the fit without a card and without a third of the families, held against that third on that card. "
         "The\n"
         "PRO 6000 is then described as an Ada card, because two figures of its generation came from it. Training of "
         "timm is of\n"
         "one card: families are left out. `gpu_benchmark`: the card is left out. Rows whose number of parameters is "
         "not that of\n"
         "the operator list of their name are not counted: the name has come to mean another network since.\n\n" +
         table("left_out_modern", "set") + "\n" + table("left_out_cards", "card") + "\n" +
         table("left_out_families", "family") +
         "\n### Cards against an RTX 3090\n\n"
         "Scores of ResNet-50 in training (`gpu_insights`), whose unit is not told: a card's over an RTX 3090's of the "
         "same\n"
         "version and format. The second version under autocast is taken to use channels last. Set with these rows in "
         "view:\n"
         "Apple's and Intel's shares, and in 32 bits the cost of batch norms (an A100, an H20), in 16 bits with "
         "channels last an\n"
         "A2's; else nothing.\n\n" +
         table("against_rtx_3090", "card") +
         "\n### Kernels alone\n\n"
         "Products of 16 bits on an A100 (`vidur`, times of the kernels themselves), from which the rates of matrix "
         "units' tiles\n"
         "are: fitted. Operators in f32 without TF32 (`neusight`, `transformer_operators`: BERT and GPT), called one "
         "by one: the\n"
         "rates of f32 tiles are fitted to products of the other cards (A100, V100, T4; both A100 are left out "
         "together). A call\n"
         "takes three quarters of the quickest element-wise call beside its kernel, and at least what the quickest of "
         "its kind\n"
         "took, both on the hosts of the maker's other cards: \"host\" are the calls for which that is longer, and "
         "tell of hosts.\n"
         "Short calls may draw more than a card's limit, which acts on an average over milliseconds: 1.4 times as much "
         "below\n"
         "0.7 ms, two numbers that a T4 and an A100 told. Before Ampere products of uneven rows draw 1.15 times the "
         "power, which a\n"
         "T4 and a V100 told. These three are not held out. A P4 is timed as the program does it, by the older model. "
         "What norms,\n"
         "softmaxes and passes number by number cost in 32 bits was set once, with `neusight`'s operators of all cards "
         "in view:\n"
         "those passes are not held out; `transformer_operators` are other sizes of them on the same cards.\n\n" +
         table("single_kernels", "kernels") +
         "\n### Fitted\n\nThe same rows with the numbers as they are, fitted on all of them: not evidence.\n\n" +
         table("fitted_modern", "set");
}

}  // namespace plimsoll
