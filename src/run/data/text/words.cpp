#include "run/data/text/words.h"

#include <limits>

#include "run/data/text/characters.h"

namespace plimsoll {
namespace {

struct Written {
  WordPattern pattern;
  std::string_view expression;
};

constexpr Written kWritten[] = {
    {WordPattern::gpt2, R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)"},
    {WordPattern::llama3, R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3})"
                          R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
    {WordPattern::qwen2, R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N})"
                         R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
};

bool ends_line(char32_t code) { return code == '\r' || code == '\n'; }

// The end of the run of characters of a kind, at most `most` of them.
size_t run_of(std::string_view text, size_t at, CharacterKind kind, size_t most = std::numeric_limits<size_t>::max()) {
  for (size_t count = 0; count < most; ++count) {
    const Character next = character_at(text, at);
    if (next.bytes == 0 || next.kind != kind) break;
    at += next.bytes;
  }
  return at;
}

}  // namespace

std::optional<WordPattern> word_pattern(std::string_view expression) {
  for (const auto& one : kWritten)
    if (one.expression == expression) return one.pattern;
  return std::nullopt;
}

std::string_view expression_of(WordPattern pattern) { return kWritten[size_t(pattern)].expression; }

std::optional<std::string_view> Words::next() {
  if (at_ >= text_.size()) return std::nullopt;
  const size_t start = at_;
  at_ = pattern_ == WordPattern::gpt2 ? gpt2_word() : llama3_word();
  return text_.substr(start, at_ - start);
}

// 's, 't, 're, 've, 'm, 'll, 'd: where it ends, or where it would begin when there is none.
size_t Words::contraction(bool any_case) const {
  if (text_[at_] != '\'') return at_;
  const auto letter = [&](size_t i) {
    const char c = i < text_.size() ? text_[i] : '\0';
    return any_case && c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  };
  const char one = letter(at_ + 1), two = letter(at_ + 2);
  if (one == 's' || one == 't' || one == 'm' || one == 'd') return at_ + 2;
  const bool pair = (one == 'r' && two == 'e') || (one == 'v' && two == 'e') || (one == 'l' && two == 'l');
  return pair ? at_ + 3 : at_;
}

// A run of spaces leaves its last one to the word that follows; one alone is a word where nothing takes it.
size_t Words::spaces() const {
  const size_t end = run_of(text_, at_, CharacterKind::space);
  if (end >= text_.size()) return end;
  size_t last = at_;
  for (size_t at = at_; at < end; at += character_at(text_, at).bytes) last = at;
  return last > at_ ? last : end;
}

size_t Words::gpt2_word() const {
  if (const size_t end = contraction(false); end > at_) return end;
  const size_t start = at_ + (text_[at_] == ' ' ? 1 : 0);
  const Character first = character_at(text_, start);
  if (first.bytes > 0 && first.kind != CharacterKind::space) return run_of(text_, start, first.kind);
  return spaces();
}

size_t Words::letters_after(size_t at) const { return run_of(text_, at, CharacterKind::letter); }

size_t Words::llama3_word() const {
  if (const size_t end = contraction(true); end > at_) return end;
  const Character first = character_at(text_, at_);
  if (first.kind == CharacterKind::letter) return letters_after(at_);
  if (first.kind == CharacterKind::number)
    return run_of(text_, at_, CharacterKind::number, pattern_ == WordPattern::llama3 ? 3 : 1);
  const size_t after = at_ + first.bytes;
  if (!ends_line(first.code) && letters_after(after) > after) return letters_after(after);
  const size_t start = first.code == ' ' ? after : at_;
  if (size_t end = run_of(text_, start, CharacterKind::other); end > start) {
    while (end < text_.size() && ends_line(char32_t(text_[end]))) ++end;
    return end;
  }
  const size_t end = run_of(text_, at_, CharacterKind::space);
  const size_t line_end = text_.substr(at_, end - at_).find_last_of("\r\n");
  return line_end == std::string_view::npos ? spaces() : at_ + line_end + 1;
}

}  // namespace plimsoll
