// A small mutation driver for a libFuzzer harness, for where libFuzzer is not: every file of
// the corpus with the ending as it is, then mutants FIRST to LAST, each a function of its number alone.
// Usage: program FIRST LAST .ENDING CORPUS_DIR…
//
// The number of the mutant about to run is in the file seeded_run, so that a crash can be run again.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using Random = std::mt19937;

size_t below(Random& random, size_t limit) { return limit == 0 ? 0 : random() % limit; }

void flip_bit(Random& random, std::string& bytes) { bytes[below(random, bytes.size())] ^= char(1 << random() % 8); }

void set_byte(Random& random, std::string& bytes) {
  constexpr unsigned char kTelling[] = {0, 1, 2, 7, 8, 0x0a, 0x12, 0x3a, 0x7f, 0x80, 0xff};
  bytes[below(random, bytes.size())] = char(kTelling[below(random, std::size(kTelling))]);
}

// A number that is near a limit, as a varint in place of a byte.
void put_varint(Random& random, std::string& bytes) {
  const int bits = int(random() % 64);
  uint64_t value = (uint64_t{1} << bits) + random() % 3 - 1;
  std::string varint;
  for (; value >= 0x80; value >>= 7) varint.push_back(char(value | 0x80));
  varint.push_back(char(value));
  bytes.replace(below(random, bytes.size()), 1, varint);
}

void truncate(Random& random, std::string& bytes) { bytes.resize(below(random, bytes.size() + 1)); }

void remove_part(Random& random, std::string& bytes) {
  const size_t start = below(random, bytes.size());
  bytes.erase(start, below(random, std::min<size_t>(64, bytes.size() - start)) + 1);
}

void repeat_part(Random& random, std::string& bytes) {
  const size_t start = below(random, bytes.size());
  const std::string part = bytes.substr(start, below(random, 64) + 1);
  bytes.insert(below(random, bytes.size()), part);
}

void splice(Random& random, std::string& bytes, const std::string& other) {
  bytes.resize(below(random, bytes.size() + 1));
  bytes += other.substr(below(random, other.size() + 1));
}

// Protobuf's structure, as far as it can be told without a schema.
struct Field {
  uint64_t tag;
  uint64_t number = 0;        // a varint, or the raw 4 or 8 bytes
  std::string text;           // when it is not a message
  std::vector<Field> fields;  // when it is
};

bool take_varint(std::string_view& bytes, uint64_t& value) {
  value = 0;
  for (int shift = 0; !bytes.empty() && shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= uint64_t(byte & 0x7F) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

bool parse(std::string_view bytes, std::vector<Field>& fields, int depth) {
  while (!bytes.empty()) {
    Field field{};
    if (!take_varint(bytes, field.tag) || field.tag >> 3 == 0 || field.tag >> 3 > 30) return false;
    const auto wire = field.tag & 7;
    if (wire != 0 && wire != 2 && wire != 5) return false;
    if (wire == 5) {
      if (bytes.size() < 4) return false;
      field.text = bytes.substr(0, 4);
      bytes.remove_prefix(4);
    } else if (!take_varint(bytes, field.number)) {
      return false;
    }
    if (wire == 2) {
      if (field.number > bytes.size()) return false;
      field.text = bytes.substr(0, field.number);
      if (depth < 12 && (field.text.empty() || !parse(field.text, field.fields, depth + 1))) field.fields.clear();
      bytes.remove_prefix(field.number);
    }
    fields.push_back(std::move(field));
  }
  return true;
}

void append_varint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(char(value | 0x80));
  out.push_back(char(value));
}

std::string written(const std::vector<Field>& fields) {
  std::string out;
  for (const Field& field : fields) {
    append_varint(out, field.tag);
    if ((field.tag & 7) == 5) {
      out += field.text;
    } else if ((field.tag & 7) == 0) {
      append_varint(out, field.number);
    } else {
      const std::string body = field.fields.empty() ? field.text : written(field.fields);
      append_varint(out, body.size());
      out += body;
    }
  }
  return out;
}

// A list of fields somewhere in the tree, deeper ones as likely as shallow ones.
std::vector<Field>& some_list(Random& random, std::vector<Field>& fields) {
  std::vector<Field*> inner;
  for (Field& field : fields)
    if (!field.fields.empty()) inner.push_back(&field);
  if (inner.empty() || random() % 4 == 0) return fields;
  return some_list(random, inner[below(random, inner.size())]->fields);
}

void change_number(Random& random, Field& field) {
  constexpr uint64_t kTelling[] = {0,
                                   1,
                                   2,
                                   3,
                                   7,
                                   63,
                                   64,
                                   127,
                                   1 << 16,
                                   uint64_t{1} << 31,
                                   uint64_t{1} << 40,
                                   uint64_t{1} << 62,
                                   ~uint64_t{0},
                                   ~uint64_t{0} - 1,
                                   uint64_t{1} << 63};
  field.number = kTelling[below(random, std::size(kTelling))];
}

// One field is taken out, put in twice, moved, given another's contents or swapped for one of another
// file. The lengths around it are right again afterwards, so that the mutant gets far.
void change_structure(Random& random, std::string& bytes, const std::string& other) {
  std::vector<Field> fields, others;
  if (!parse(bytes, fields, 0) || fields.empty()) return flip_bit(random, bytes);
  std::vector<Field>& list = some_list(random, fields);
  const size_t at = below(random, list.size());
  switch (random() % 6) {
    case 0: list.erase(list.begin() + long(at)); break;
    case 1: list.insert(list.begin() + long(at), Field(list[below(random, list.size())])); break;
    case 2: std::swap(list[at], list[below(random, list.size())]); break;
    case 3:
      if (parse(other, others, 0) && !others.empty()) {
        auto& from = some_list(random, others);
        list[at] = from[below(random, from.size())];
      }
      break;
    case 4: {  // give a name or a payload of another field of the same message
      const size_t from = below(random, list.size());
      if ((list[at].tag & 7) == 2 && (list[from].tag & 7) == 2) {
        list[at].text = list[from].text;
        list[at].fields = std::vector<Field>(list[from].fields);
      }
      break;
    }
    default:
      if ((list[at].tag & 7) == 0) change_number(random, list[at]);
      else if ((list[at].tag & 7) == 2 && list[at].fields.empty() && !list[at].text.empty())
        flip_bit(random, list[at].text);
  }
  bytes = written(fields);
}

std::string mutant(Random& random, const std::vector<std::string>& corpus) {
  std::string bytes = corpus[below(random, corpus.size())];
  const std::string& other = corpus[below(random, corpus.size())];
  for (size_t changes = 1 + random() % 4; changes > 0; --changes) {
    if (bytes.empty()) return bytes;
    switch (random() % 12) {
      case 0: flip_bit(random, bytes); break;
      case 1: set_byte(random, bytes); break;
      case 2: put_varint(random, bytes); break;
      case 3: truncate(random, bytes); break;
      case 4: remove_part(random, bytes); break;
      case 5: repeat_part(random, bytes); break;
      case 6: splice(random, bytes, other); break;
      default: change_structure(random, bytes, other);
    }
  }
  return bytes;
}

// A file that is written without a call for each number: what is in it stays when the program crashes.
class Progress {
 public:
  Progress() : file_(open("seeded_run", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
    if (file_ < 0 || ftruncate(file_, kBytes) != 0) return;
    void* mapped = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (mapped != MAP_FAILED) text_ = static_cast<char*>(mapped);
  }
  void tell(long number) {
    if (text_) std::snprintf(text_, kBytes, "%ld\n", number);
  }

 private:
  static constexpr size_t kBytes = 32;
  int file_;
  char* text_ = nullptr;
};

void run(const std::string& bytes) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

int main(int count, char** arguments) {
  const long first = count > 2 ? std::atol(arguments[1]) : 0, last = count > 2 ? std::atol(arguments[2]) : 0;
  std::vector<std::string> paths, corpus;
  for (int i = 4; i < count; ++i)
    for (const auto& entry : std::filesystem::recursive_directory_iterator(arguments[i]))
      if (entry.path().extension() == arguments[3]) paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  if (last <= first || corpus.empty()) {
    std::fprintf(stderr, "usage: %s FIRST LAST .ENDING CORPUS_DIR…, with such files in the folders\n", arguments[0]);
    return 1;
  }
  for (const auto& bytes : corpus) run(bytes);
  Progress progress;
  for (long i = first; i < last; ++i) {
    progress.tell(i);
    Random random(static_cast<uint32_t>(i));
    run(mutant(random, corpus));
  }
  std::printf("%zu files and %ld mutants of them\n", corpus.size(), last - first);
  return 0;
}
