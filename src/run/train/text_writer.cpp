#include "run/train/text_writer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "base/text.h"
#include "model/ops/counter_random.h"
#include "run/data/text/characters.h"
#include "run/train/next_token.h"

namespace plimsoll {
namespace {

// Without a prompt a new text begins.
std::vector<int64_t> first_tokens(const Tokenizer& tokenizer, const std::string& prompt) {
  const auto encoded = tokenizer.encode(prompt);
  if (encoded.empty()) return {tokenizer.end_of_text().value_or(0)};
  return {encoded.begin(), encoded.end()};
}

}  // namespace

int64_t draw_token(std::span<const float> scores, const WritingOptions& options, double chance) {
  if (options.temperature <= 0) return std::max_element(scores.begin(), scores.end()) - scores.begin();
  std::vector<int64_t> order(scores.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  const auto likelier = [&](int64_t a, int64_t b) {
    return scores[size_t(a)] != scores[size_t(b)] ? scores[size_t(a)] > scores[size_t(b)] : a < b;
  };
  if (options.top_k > 0 && options.top_k < int64_t(order.size())) {
    std::nth_element(order.begin(), order.begin() + options.top_k - 1, order.end(), likelier);
    order.resize(size_t(options.top_k));
  }
  const double most = scores[size_t(*std::min_element(order.begin(), order.end(), likelier))];
  std::vector<double> shares;
  double sum = 0;
  for (const int64_t token : order)
    sum += shares.emplace_back(std::exp((double(scores[size_t(token)]) - most) / options.temperature));
  double left = chance * sum;
  for (size_t i = 0; i < order.size(); ++i)
    if ((left -= shares[i]) < 0) return order[i];
  return order.back();
}

Result<WrittenText> write_text(Executor& inference, const Tokenizer& tokenizer, const std::string& prompt,
                               const WritingOptions& options) {
  if (!is_utf8(prompt)) return user_error("the prompt is not UTF-8 text");
  const auto start = std::chrono::steady_clock::now();
  const auto next = next_token_of(inference);
  std::vector<int64_t> tokens = first_tokens(tokenizer, prompt);
  WrittenText written;
  written.prompt = prompt;
  const RandomKey random{.seed = options.seed};
  std::string bytes;
  while (written.tokens < options.tokens) {
    auto scores = next->scores_after(tokens);
    // A network may know more tokens than the text had.
    scores = scores.first(std::min(scores.size(), size_t(tokenizer.size())));
    tokens.push_back(draw_token(scores, options, random.uniform(uint64_t(written.tokens), 0)));
    ++written.tokens;
    written.ended = tokens.back() == tokenizer.end_of_text().value_or(-1);
    if (written.ended) break;
    bytes += tokenizer.bytes_of(tokens.back());
  }
  written.text = as_utf8(bytes);
  written.seconds = {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
  return written;
}

}  // namespace plimsoll
