// How a sentence names a field of the request without knowing who reads it: the command line has flags, JSON and Python
// have names. Write named("global_batch"); whoever shows the sentence (named.h) says how fields are called there.
#pragma once

#include <string>
#include <string_view>

namespace plimsoll {

// A mark in a sentence that stands for the field.
std::string named(std::string_view field);

// printable() for a sentence that somebody else will show: its marks stay.
std::string printable_but_for_marks(std::string_view sentence);

}  // namespace plimsoll
