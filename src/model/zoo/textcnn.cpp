// The text network of Kim (2014): word vectors, convolutions over 3, 4 and 5 words side by side, the
// strongest answer of each kernel over the text, one linear layer. A vocabulary of 20,000 words.
#include <fmt/format.h>

#include "model/build/builder.h"
#include "model/zoo/all_models.h"

namespace plimsoll {
namespace {

constexpr int64_t kVocabulary = 20'000, kWidth = 128, kKernels = 100;

Result<Graph> build_textcnn(const ZooModel& self, const Shape& input, int64_t classes) {
  Builder b(std::string(self.name), input, DType::i64);
  const ValueId words = b.embedding("embedding", b.input(), kVocabulary, kWidth);
  const ValueId text = b.transpose("transpose", words, {0, 2, 1});  // words along the convolved axis
  std::vector<ValueId> found;
  for (const int64_t width : {3, 4, 5}) {
    const auto scope = b.enter(fmt::format("conv{}", width));
    const ValueId x = b.relu("relu", b.conv("conv", text, kKernels, {.kernel = {width}}));
    found.push_back(b.flatten("flatten", b.apply("pool", "global_max_pool", {x})));
  }
  return b.finish(b.linear("fc", b.dropout("dropout", b.concat("concat", found), 0.5), classes));
}

}  // namespace

std::vector<ZooModel> textcnn_models() {
  return {{"textcnn", "text CNN over 64 words of 20,000 (Kim 2014)", {64}, 2, DType::i64, build_textcnn}};
}

}  // namespace plimsoll
