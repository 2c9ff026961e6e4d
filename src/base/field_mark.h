// How a sentence names a field of the request without knowing who reads it: the command line has flags, JSON and Python
// have names. Write named("global_batch"); whoever shows the sentence (rows/named.h) says how fields are called there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

// A mark in a sentence that stands for the field.
std::string named(std::string_view field);

// printable() for a sentence that somebody else will show: its marks stay.
std::string printable_but_for_marks(std::string_view sentence);

// The sentence in order: what is written out, and the fields that marks stand for. Borrows the sentence.
struct SentencePiece {
  std::string_view text;
  bool is_field;
};
std::vector<SentencePiece> pieces_of(std::string_view sentence);

}  // namespace plimsoll
