// The door of tokenizer.json under arbitrary bytes: what is accepted writes any text.
#include <cstddef>
#include <cstdint>
#include <string>

#include "one_line.h"
#include "run/data/text/tokenizer_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace plimsoll;
  const auto tokenizer = parse_tokenizer({reinterpret_cast<const char*>(data), size});
  if (!accepted(tokenizer)) return 0;
  const std::string text = "It's  12345 \xC3\xA4 of\n\n" + std::string(reinterpret_cast<const char*>(data), size % 64);
  const auto tokens = (*tokenizer)->encode(text);
  for (const int32_t token : tokens)
    PLIM_CHECK(token >= 0 && token < (*tokenizer)->size(), "a token that there is not");
  PLIM_CHECK(!tokens.empty(), "a text without tokens");
  return 0;
}
