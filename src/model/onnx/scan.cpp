#include "model/onnx/scan.h"

#include <fmt/format.h>

#include <array>

#include "base/field_mark.h"
#include "base/text.h"
#include "base/units.h"
#include "model/onnx/node_metadata.h"
#include "model/onnx/uncopied_data.h"
#include "model/onnx/wire_reader.h"
#include "model/onnx/wire_schema.h"

namespace plimsoll {
namespace {

constexpr int64_t kKeepNumbers = 4096;         // bytes of a tensor's contents that are copied
constexpr int64_t kKeepAllNumbers = 32 << 20;  // and of all tensors' together
constexpr int64_t kKeepBlob = 64 << 10;        // bytes of a string attribute
constexpr int64_t kMemory = 112 << 20;         // of the parsed copy, for the default limit of nodes
constexpr int64_t kLargestCopy = int64_t{1} << 30;
constexpr size_t kLengthBytes = 5;  // a length that is patched later: a varint padded to its longest

enum Wire : uint32_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

// A message on the way in: where it ends, who contains it, and what a message about it says.
struct Frame {
  const PartInfo& part;
  const Frame* parent;
  int64_t end;
  int depth;
  std::string name = {};
  int64_t inputs = 0;                      // of a node
  int64_t kept = 0;                        // bytes of a tensor's numbers
  bool raw = false;                        // raw_data has been seen
  std::array<int64_t, 12> scattered = {};  // numbers of each field that were counted one by one
};

size_t varint_size(uint64_t value) {
  size_t size = 1;
  while (value >>= 7) ++size;
  return size;
}

class Scanner {
 public:
  Scanner(const ByteSource& source, const ImportLimits& limits)
      : reader_(source), source_(source), limits_(limits), budget_(memory_budget(source, limits)) {}

  Result<std::string> run();

 private:
  static int64_t memory_budget(const ByteSource& source, const ImportLimits& limits);
  bool walk(Frame& frame);
  bool one_field(Frame& frame);
  bool known_field(Frame& frame, const WireField& field, Wire wire);
  bool unknown_field(Frame& frame, uint32_t number, Wire wire);
  bool bytes_field(Frame& frame, const WireField& field, int64_t length);
  bool message_field(Frame& frame, const WireField& field, int64_t length);
  bool packed_data(Frame& frame, const WireField& field, int64_t length);
  bool raw_data(Frame& frame, const WireField& field, int64_t length);
  bool single_number(Frame& frame, const WireField& field, Wire wire);
  bool keep_bytes(const WireField& field, int64_t length);
  bool keep_varints(const WireField& field, int64_t length);
  bool read_length(Frame& frame, std::string_view field, int64_t& length);
  bool room_for_numbers(Frame& frame, int64_t bytes);
  bool finish(Frame& frame);
  bool count(Frame& frame, const WireField& field);
  void spend(int64_t bytes);
  std::string place(const Frame& frame) const;
  Status check_counts() const;

  WireReader reader_;
  const ByteSource& source_;
  const ImportLimits& limits_;
  const int64_t budget_;
  std::string out_;
  bool keeping_ = true;  // false once a limit is passed: from then on we only check and count
  int64_t memory_ = 0;
  int64_t parts_ = 0;
  int64_t nodes_ = 0;
  int64_t inputs_ = 0;
  int64_t most_node_inputs_ = 0;
  int64_t all_numbers_ = 0;
};

int64_t Scanner::memory_budget(const ByteSource& source, const ImportLimits& limits) {
  const int64_t times = std::max<int64_t>(1, std::min<int64_t>(limits.nodes / ImportLimits{}.nodes, 1024));
  return std::min(kMemory * times + source.size() / 2, kLargestCopy * std::min<int64_t>(times, 2) / 2);
}

void Scanner::spend(int64_t bytes) {
  memory_ += bytes;
  if (memory_ <= budget_) return;
  keeping_ = false;
  std::string().swap(out_);
}

// "initializer 'conv1.weight'", or as much of it as has been read.
std::string Scanner::place(const Frame& frame) const {
  return std::string(frame.part.name) + (frame.name.empty() ? "" : " " + in_quotes(frame.name));
}

bool Scanner::read_length(Frame& frame, std::string_view field, int64_t& length) {
  const int64_t at = reader_.position();
  uint64_t said = 0;
  if (!reader_.varint(frame.end, said)) return false;
  const int64_t left = frame.end - reader_.position();
  if (said <= uint64_t(left)) {
    length = int64_t(said);
    return true;
  }
  const bool file_ends = frame.end == source_.size();
  return reader_.fail(user_error(fmt::format("{} at byte {}: field {} of {} says {} bytes, {} are left",
                                             file_ends ? "truncated" : "damaged", file_ends ? frame.end : at, field,
                                             place(frame), said, left)));
}

bool Scanner::walk(Frame& frame) {
  if (frame.depth > kDeepestNesting)
    return reader_.fail(user_error(fmt::format("nested too deep: more than {} messages inside each other at byte {}",
                                               kDeepestNesting, reader_.position())));
  ++parts_;
  spend(frame.part.memory + 16);
  while (reader_.position() < frame.end)
    if (!one_field(frame)) return false;
  return finish(frame);
}

bool Scanner::one_field(Frame& frame) {
  const int64_t at = reader_.position();
  uint64_t tag = 0;
  if (!reader_.varint(frame.end, tag)) return false;
  const auto wire = Wire(tag & 7);
  const bool known_wire = wire == kVarint || wire == kFixed64 || wire == kBytes || wire == kFixed32;
  if (tag >> 3 == 0 || tag >> 32 != 0 || !known_wire)
    return reader_.fail(
        user_error(fmt::format("damaged at byte {}: {:#x} is not the start of a field of {}", at, tag, place(frame))));
  const auto number = uint32_t(tag >> 3);
  const WireField* field = find_field(frame.part.part, number);
  return field ? known_field(frame, *field, wire) : unknown_field(frame, number, wire);
}

bool Scanner::unknown_field(Frame& frame, uint32_t number, Wire wire) {
  uint64_t ignored = 0;
  if (wire == kVarint) return reader_.varint(frame.end, ignored);
  int64_t length = wire == kFixed32 ? 4 : 8;
  const std::string name = std::to_string(number);
  if (wire == kBytes && !read_length(frame, name, length)) return false;
  if (length > frame.end - reader_.position())
    return reader_.fail(user_error(
        fmt::format("truncated at byte {}: field {} of {} needs {} bytes", frame.end, name, place(frame), length)));
  reader_.skip(length);
  return true;
}

bool Scanner::known_field(Frame& frame, const WireField& field, Wire wire) {
  if (wire != kBytes) return single_number(frame, field, wire);
  int64_t length = 0;
  if (!read_length(frame, field.name, length) || !count(frame, field)) return false;
  switch (field.holds) {
    case Holds::message: return message_field(frame, field, length);
    case Holds::raw_data: return raw_data(frame, field, length);
    case Holds::data32:
    case Holds::data64:
    case Holds::data_varint:
    case Holds::data_text: return packed_data(frame, field, length);
    default: return bytes_field(frame, field, length);
  }
}

// A varint or a fixed-size number, alone: a plain field, or an element of a list that is not packed.
bool Scanner::single_number(Frame& frame, const WireField& field, Wire wire) {
  const bool varint = field.holds == Holds::integer || field.holds == Holds::code || field.holds == Holds::integers ||
                      field.holds == Holds::data_varint;
  const bool fixed32 = field.holds == Holds::float32 || field.holds == Holds::float32s || field.holds == Holds::data32;
  const Wire expected = varint ? kVarint : fixed32 ? kFixed32 : field.holds == Holds::data64 ? kFixed64 : kBytes;
  if (wire != expected)
    return reader_.fail(
        user_error(fmt::format("damaged at byte {}: field {} of {} has the wire type {}, expected {}",
                               reader_.position(), field.name, place(frame), int(wire), int(expected))));
  const bool data = field.holds == Holds::data_varint || field.holds == Holds::data32 || field.holds == Holds::data64;
  const bool keep = keeping_ && (!data || room_for_numbers(frame, 8));
  if (keep) append_tag(out_, field.number, wire);
  if (data && !keep) ++frame.scattered[field.number];
  spend(keep ? 16 : 0);
  if (wire != kVarint) {
    const int64_t size = wire == kFixed32 ? 4 : 8;
    if (size > frame.end - reader_.position())
      return reader_.fail(user_error(fmt::format("truncated at byte {}: field {} of {} needs {} bytes", frame.end,
                                                 field.name, place(frame), size)));
    if (keep && keeping_) return reader_.copy(size, out_);
    reader_.skip(size);
    return true;
  }
  uint64_t value = 0;
  const int64_t at = reader_.position();
  if (!reader_.varint(frame.end, value)) return false;
  if (field.holds == Holds::code && int64_t(value) != int64_t(int32_t(value)))
    return reader_.fail(user_error(fmt::format("damaged at byte {}: {} of {} is {}, expected a data type", at,
                                               field.name, place(frame), int64_t(value))));
  if (keep && keeping_) append_varint(out_, value);
  return true;
}

bool Scanner::keep_bytes(const WireField& field, int64_t length) {
  if (!keeping_) {
    reader_.skip(length);
    return true;
  }
  append_tag(out_, field.number, kBytes);
  append_varint(out_, uint64_t(length));
  return reader_.copy(length, out_);
}

// Packed varints, one by one: each is checked, and each is eight bytes once parsed.
bool Scanner::keep_varints(const WireField& field, int64_t length) {
  const int64_t end = reader_.position() + length;
  if (keeping_) {
    append_tag(out_, field.number, kBytes);
    append_varint(out_, uint64_t(length));
  }
  spend(48 + length);
  while (reader_.position() < end) {
    const int64_t at = reader_.position();
    uint64_t value = 0;
    if (!reader_.varint(end, value)) return false;
    spend(12);
    if (!keeping_) continue;
    append_varint(out_, value);
    const auto shorter = size_t(reader_.position() - at) - varint_size(value);  // it was padded: keep its length
    if (shorter == 0) continue;
    out_.back() = char(out_.back() | 0x80);
    out_.append(shorter - 1, char(0x80));
    out_.push_back(0);
  }
  return true;
}

bool Scanner::bytes_field(Frame& frame, const WireField& field, int64_t length) {
  const int64_t at = reader_.position();
  if (field.holds == Holds::integer || field.holds == Holds::code || field.holds == Holds::float32)
    return reader_.fail(
        user_error(fmt::format("damaged at byte {}: field {} of {} is not a number", at, field.name, place(frame))));
  if (field.holds == Holds::blob && length > kKeepBlob) {
    reader_.skip(length);
    spend(48);
    length = 0;
    if (!keeping_) return true;
    append_tag(out_, field.number, kBytes);
    append_varint(out_, 0);
    return true;
  }
  if (field.holds == Holds::integers) return keep_varints(field, length);
  spend(48 + 2 * length);
  if (field.holds == Holds::float32s && length % 4 != 0)
    return reader_.fail(user_error(fmt::format("damaged at byte {}: field {} of {} has {} bytes, not a multiple of 4",
                                               at, field.name, place(frame), length)));
  if (!keep_bytes(field, length)) return false;
  if (field.number == frame.part.name_field && keeping_)
    frame.name = out_.substr(out_.size() - size_t(length), size_t(std::min<int64_t>(length, 100)));
  return true;
}

bool Scanner::message_field(Frame& frame, const WireField& field, int64_t length) {
  Frame inner{info(field.part), &frame, reader_.position() + length, frame.depth + 1};
  const size_t start = out_.size();
  const int64_t memory = memory_;
  if (keeping_) append_tag(out_, field.number, kBytes);
  const size_t patch = out_.size();
  if (keeping_) out_.append(kLengthBytes, '\0');
  if (!walk(inner)) return false;
  if (!keeping_) return true;
  if (frame.part.part == Part::node && field.part == Part::entry && !is_read_metadata(inner.name)) {
    out_.resize(start);  // stack traces and the like, most of what some exporters write
    memory_ = memory;
    return true;
  }
  uint64_t size = out_.size() - patch - kLengthBytes;
  for (size_t i = 0; i < kLengthBytes; ++i, size >>= 7)
    out_[patch + i] = char((size & 0x7F) | (i + 1 < kLengthBytes ? 0x80 : 0));
  spend(int64_t(kLengthBytes) + 2);
  return true;
}

// Whether this many more bytes of the tensor's numbers are worth copying: shapes and axes are,
// weights are not.
bool Scanner::room_for_numbers(Frame& frame, int64_t bytes) {
  if (frame.kept + bytes > kKeepNumbers || all_numbers_ + bytes > kKeepAllNumbers) return false;
  frame.kept += bytes;
  all_numbers_ += bytes;
  return true;
}

bool Scanner::raw_data(Frame& frame, const WireField& field, int64_t length) {
  if (frame.raw)
    return reader_.fail(
        user_error(fmt::format("damaged at byte {}: {} has raw_data twice", reader_.position(), place(frame))));
  frame.raw = true;
  if (room_for_numbers(frame, length)) {
    spend(48 + 2 * length);
    return keep_bytes(field, length);
  }
  if (keeping_) append_uncopied(out_, {field.number, reader_.position(), length, length});
  spend(96);
  reader_.skip(length);
  return true;
}

bool Scanner::packed_data(Frame& frame, const WireField& field, int64_t length) {
  const int64_t size = field.holds == Holds::data32 ? 4 : field.holds == Holds::data64 ? 8 : 1;
  const int64_t at = reader_.position();
  if (length % size != 0)
    return reader_.fail(user_error(fmt::format("damaged at byte {}: field {} of {} has {} bytes, not a multiple of {}",
                                               at, field.name, place(frame), length, size)));
  const bool keep = room_for_numbers(frame, length + 8);
  if (field.holds == Holds::data_text) {
    if (!keep) ++frame.scattered[field.number];
    spend(keep ? 64 + 2 * length : 0);
    if (keep) return keep_bytes(field, length);
    reader_.skip(length);
    return true;
  }
  if (keep && field.holds == Holds::data_varint) return keep_varints(field, length);
  if (keep) {
    spend(48 + 2 * length);
    return keep_bytes(field, length);
  }
  int64_t elements = length / size;
  if (field.holds == Holds::data_varint && !reader_.count_varints(length, elements)) return false;
  if (field.holds != Holds::data_varint) reader_.skip(length);
  if (keeping_) append_uncopied(out_, {field.number, at, length, elements});
  spend(96);
  return true;
}

bool Scanner::finish(Frame& frame) {
  for (uint32_t field = 0; field < frame.scattered.size(); ++field)
    if (frame.scattered[field] > 0 && keeping_) append_uncopied(out_, {field, 0, 0, frame.scattered[field]});
  most_node_inputs_ = std::max(most_node_inputs_, frame.inputs);
  return true;
}

bool Scanner::count(Frame& frame, const WireField& field) {
  const bool node_input = frame.part.part == Part::node && field.name == "input";
  if (node_input && ++frame.inputs > limits_.inputs) keeping_ = false;
  if (field.holds == Holds::message && field.part == Part::node && ++nodes_ > limits_.nodes) keeping_ = false;
  const bool graph_input = frame.part.part == Part::graph && field.name == "input";
  if (graph_input && ++inputs_ > limits_.inputs) keeping_ = false;
  return true;
}

Status Scanner::check_counts() const {
  if (nodes_ > limits_.nodes)
    return user_error(fmt::format("has {} nodes, the limit is {}", with_commas(nodes_), with_commas(limits_.nodes)),
                      fmt::format("raise it with {} {}", named("max_nodes"), nodes_));
  if (inputs_ > limits_.inputs)
    return user_error(fmt::format("has {} inputs, the limit is {}", with_commas(inputs_), with_commas(limits_.inputs)),
                      fmt::format("raise it with {} {}", named("max_nodes"), inputs_));
  if (most_node_inputs_ > limits_.inputs)
    return user_error(fmt::format("has a node with {} inputs, the limit is {}", with_commas(most_node_inputs_),
                                  with_commas(limits_.inputs)),
                      fmt::format("raise it with {} {}", named("max_nodes"), most_node_inputs_));
  if (!keeping_)
    return user_error(
        fmt::format("its {} nodes, tensors, names and settings take {} of memory without any weights, the "
                    "limit is {}",
                    with_commas(parts_), human_bytes(Bytes(memory_)), human_bytes(Bytes(budget_))),
        "raise it with " + named("max_nodes"));
  return {};
}

Result<std::string> Scanner::run() {
  if (source_.size() == 0) return user_error("empty, not ONNX");
  Frame model{info(Part::model), nullptr, source_.size(), 0};
  if (!walk(model)) return reader_.error();
  PLIM_TRY(check_counts());
  return std::move(out_);
}

}  // namespace

Result<std::string> scan_model(const ByteSource& source, const ImportLimits& limits) {
  return Scanner(source, limits).run();
}

}  // namespace plimsoll
