// Files that are no ONNX, or cut, or damaged: the message says what and where, and nothing crashes.
// The numbers are those of the list of bad inputs that the project keeps.
#include <sys/stat.h>

#include "tests/error/onnx_failure.h"
#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

TEST(OnnxErrors, Row01EmptyFile) {
  TemporaryFolder folder;
  PLIM_EXPECT_SAYS(failure_of_file(folder.write("m.onnx", "")), "empty, not ONNX");
}

TEST(OnnxErrors, Row02OtherKindsOfFile) {
  PLIM_EXPECT_SAYS(failure_of_bytes("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"),
                   "Git LFS pointer: run git lfs pull");
  PLIM_EXPECT_SAYS(failure_of_bytes("<!DOCTYPE html><html><body>404</body></html>"), "HTML");
  PLIM_EXPECT_SAYS(failure_of_bytes("\n <html></html>"), "HTML");
  PLIM_EXPECT_SAYS(failure_of_bytes("{\"model_type\": \"bert\"}"), "JSON");
  PLIM_EXPECT_SAYS(failure_of_bytes("hello, this is a note"), "text, not ONNX");
  PLIM_EXPECT_SAYS(failure_of_bytes("PK\x03\x04 archive/data.pkl"), "may run code");
  PLIM_EXPECT_SAYS(failure_of_bytes("\x80\x02}q\x01."), "may run code");
  PLIM_EXPECT_SAYS(failure_of_bytes("\x1f\x8b\x08 zipped"), "gzip");
  PLIM_EXPECT_SAYS(failure_of_bytes(std::string("\x10\0\0\0\0\0\0\0{\"a\":{}        }", 24)), "safetensors");
  expect_one_line(
      failure_of_bytes(std::string("\x7f"
                                   "ELF\x02\x01\x01",
                                   7)));
  expect_one_line(failure_of_bytes(std::string("\x08\x07", 2)));  // a good start, but no graph
}

TEST(OnnxErrors, Row02NotAFile) {
  TemporaryFolder folder;
  const std::string fifo = folder.path() + "/pipe.onnx";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  PLIM_EXPECT_SAYS(failure_of_file(fifo), "FIFO");
  PLIM_EXPECT_SAYS(failure_of_file(folder.path()), "a folder");
  PLIM_EXPECT_SAYS(failure_of_file("/dev/null"), "a device");
  folder.write("resnet50.onnx", "x");
  PLIM_EXPECT_SAYS(failure_of_file(folder.path() + "/resnet5.onnx"), "did you mean 'resnet50.onnx'?");
  PLIM_EXPECT_SAYS(failure_of_file(folder.path() + "/no/such/folder.onnx"), "no such file");
}

TEST(OnnxErrors, Row03TruncatedAtEveryByte) {
  OnnxModel model;
  add_small_network(model);
  const std::string whole = model.bytes();
  ASSERT_EQ(failure_of_bytes(whole), "");
  for (size_t length = 0; length < whole.size(); ++length) {
    SCOPED_TRACE(length);
    const std::string message = failure_of_bytes(std::string_view(whole).substr(0, length));
    ASSERT_FALSE(message.empty()) << "a truncated model was accepted";
    ASSERT_EQ(message.find('\n'), std::string::npos);
  }
  PLIM_EXPECT_SAYS(failure_of_bytes(std::string_view(whole).substr(0, whole.size() / 2)),
                   "truncated at byte " + std::to_string(whole.size() / 2));
}

TEST(OnnxErrors, Row05NestedTooDeep) {
  OnnxModel model;
  add_small_network(model);
  std::string type;  // written by hand: protobuf itself refuses to write so deep
  for (int i = 0; i < 300; ++i) type = prefixed('\x22', prefixed('\x0a', type));
  const std::string graph = prefixed('\x6a', prefixed('\x12', type));
  PLIM_EXPECT_SAYS(failure_of_bytes(model.bytes() + prefixed('\x3a', graph)), "nested too deep");
}

TEST(OnnxErrors, Row06NumbersAndLengthsThatOverrun) {
  PLIM_EXPECT_SAYS(failure_of_bytes(std::string("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12)), "byte 1");
  PLIM_EXPECT_SAYS(failure_of_bytes(std::string("\x08\xff", 2)), "truncated at byte 2");
  PLIM_EXPECT_SAYS(failure_of_bytes(std::string("\x08\x07\x3a\x04\x2a\x09zz", 8)), "says 9 bytes, 2 are left");
  PLIM_EXPECT_SAYS(failure_of_bytes(std::string("\x08\x07\x0f", 3)), "damaged at byte 2");
  PLIM_EXPECT_SAYS(failure_of_bytes(std::string("\x08\x07\x3d\x01\x02\x03\x04", 7)), "wire type");
}

TEST(OnnxErrors, Row07HugeLengthInASmallFile) {
  std::string bytes("\x08\x07\x3a", 3);
  for (uint64_t size = 10'000'000'000u; true; size >>= 7) {
    bytes.push_back(char((size & 0x7F) | (size >= 0x80 ? 0x80 : 0)));
    if (size < 0x80) break;
  }
  bytes.resize(1024, 'a');
  PLIM_EXPECT_SAYS(failure_of_bytes(bytes), "field graph of model says 10000000000 bytes");
}

TEST(OnnxErrors, Row08InvalidUtf8IsEscaped) {
  OnnxModel model;
  add_small_network(model);
  model.node("Relu", {"y"}, {"z\xff\xfe"}, "bad\xc3");
  model.node("Relu", {"nowhere\xff"}, {"w"}, "bad\xc3");
  const std::string message = failure(model);
  PLIM_EXPECT_SAYS(message, "bad\\xC3");
  PLIM_EXPECT_SAYS(message, "nowhere\\xFF");
}

}  // namespace
}  // namespace plimsoll
