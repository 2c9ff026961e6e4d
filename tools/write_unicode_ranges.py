#!/usr/bin/env python3
"""Writes src/run/data/text/unicode_ranges.cpp: which characters are letters and which are numbers.

usage: tools/write_unicode_ranges.py > src/run/data/text/unicode_ranges.cpp && clang-format -i that file

They are Unicode's categories L and N as this Python has them; tokenizers cut text into words by them.
"""
import unicodedata


def ranges(category):
    """[(first, last)] of all characters whose category begins with the letter, in order."""
    found = []
    for code in range(0x110000):
        if unicodedata.category(chr(code))[0] != category:
            continue
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return found


def table(name, category):
    rows = ", ".join(f"{{0x{first:X}, 0x{last:X}}}" for first, last in ranges(category))
    return f"constexpr CharacterRange {name}[] = {{{rows}}};"


print(f"""// Letters and numbers of Unicode {unicodedata.unidata_version}; written by tools/write_unicode_ranges.py.
#include "run/data/text/unicode_ranges.h"

namespace plimsoll {{
namespace {{

{table("kLetterRanges", "L")}
{table("kNumberRanges", "N")}

}}  // namespace

std::span<const CharacterRange> letter_ranges() {{ return kLetterRanges; }}
std::span<const CharacterRange> number_ranges() {{ return kNumberRanges; }}

}}  // namespace plimsoll""")
