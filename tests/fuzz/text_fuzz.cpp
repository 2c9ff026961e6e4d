// The door of labelled texts under arbitrary bytes: a CSV file, read with a vocabulary of its own, and a second one
// with that of the first. The first two bytes say where it ends.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "read_samples.h"
#include "run/data/text_lines.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace plimsoll;
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  const size_t cut = std::min<size_t>(size_t{data[0]} << 8 | data[1], bytes.size());
  TextOptions options{.length = 8, .vocabulary = 50};
  const auto samples_of = [](const Result<TextLines>& text) {
    return text.ok() ? Result<DatasetPtr>(text->dataset) : Result<DatasetPtr>(text.error());
  };
  const auto trained = read_text_lines(std::make_unique<MemorySource>(bytes.substr(0, cut)), options);
  check_or_read(samples_of(trained));
  if (!trained.ok()) return 0;
  options.trained = trained->vocabulary;
  check_or_read(samples_of(read_text_lines(std::make_unique<MemorySource>(bytes.substr(cut)), options)));
  return 0;
}
