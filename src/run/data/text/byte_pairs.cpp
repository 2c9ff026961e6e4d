#include "run/data/text/byte_pairs.h"

#include <queue>

namespace plimsoll {
namespace {

// A pair that may be merged; stale once either of its tokens has changed.
struct MergeCandidate {
  int32_t place;  // in the list of merges
  int32_t at;     // of its left token in the word
  int32_t left, right, made;

  // The first of the list first, of equals the leftmost.
  bool operator<(const MergeCandidate& other) const {
    return place != other.place ? place > other.place : at > other.at;
  }
};

struct WordPiece {
  int32_t token, before, after;  // neighbours by their places, -1: none; token -1: merged into the one before
};

}  // namespace

BytePairs::BytePairs(const std::array<int32_t, 256>& bytes, const std::vector<PairMerge>& merges) : bytes_(bytes) {
  ranks_.reserve(merges.size());
  for (size_t i = 0; i < merges.size(); ++i)
    ranks_.try_emplace(pair_key(merges[i].left, merges[i].right), Rank{int32_t(i), merges[i].made});
}

const BytePairs::Rank* BytePairs::rank_of(int32_t left, int32_t right) const {
  const auto found = ranks_.find(pair_key(left, right));
  return found == ranks_.end() ? nullptr : &found->second;
}

void BytePairs::encode(std::string_view word, std::vector<int32_t>& into) const {
  const auto count = int32_t(word.size());
  std::vector<WordPiece> pieces;
  for (int32_t i = 0; i < count; ++i)
    pieces.push_back({bytes_[static_cast<unsigned char>(word[size_t(i)])], i - 1, i + 1 < count ? i + 1 : -1});
  std::priority_queue<MergeCandidate> queue;
  const auto offer = [&](int32_t at) {
    if (at < 0 || pieces[size_t(at)].after < 0) return;
    const int32_t left = pieces[size_t(at)].token, right = pieces[size_t(pieces[size_t(at)].after)].token;
    if (const Rank* rank = rank_of(left, right)) queue.push({rank->place, at, left, right, rank->made});
  };
  for (int32_t i = 0; i < count; ++i) offer(i);
  while (!queue.empty()) {
    const MergeCandidate best = queue.top();
    queue.pop();
    WordPiece& left = pieces[size_t(best.at)];
    if (left.token != best.left || left.after < 0 || pieces[size_t(left.after)].token != best.right) continue;
    WordPiece& right = pieces[size_t(left.after)];
    left.token = best.made;
    left.after = right.after;
    right.token = -1;
    if (left.after >= 0) pieces[size_t(left.after)].before = best.at;
    offer(left.before);
    offer(best.at);
  }
  for (int32_t at = count > 0 ? 0 : -1; at >= 0; at = pieces[size_t(at)].after)
    into.push_back(pieces[size_t(at)].token);
}

}  // namespace plimsoll
