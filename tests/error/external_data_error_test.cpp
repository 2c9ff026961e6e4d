// Weights beside the model: every way in which their place can be wrong or dangerous. The numbers
// are those of the list of bad inputs that the project keeps.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "model/ir/bind.h"
#include "tests/harness/run_program.h"
#include "tests/onnx_model.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;
using onnx::TensorProto;

void add_entry(TensorProto& tensor, const std::string& key, const std::string& value) {
  auto* entry = tensor.add_external_data();
  entry->set_key(key);
  entry->set_value(value);
}

void make_external(TensorProto& tensor, const std::string& location) {
  tensor.clear_raw_data();
  tensor.set_data_location(TensorProto::EXTERNAL);
  add_entry(tensor, "location", location);
}

// A model in a folder of its own whose one bias (40 bytes) is external.
class ExternalData : public testing::Test {
 protected:
  ExternalData() {
    add_small_network(model_);
    fs::create_directory(fs::path(folder_.path()) / "model");
  }
  TensorProto& bias() { return *model_.graph.mutable_initializer(3); }
  fs::path inside(const std::string& name) const { return fs::path(folder_.path()) / "model" / name; }
  void write(const std::string& name, size_t size) { folder_.write(name, std::string(size, 'w')); }
  Result<Graph> import() { return import_onnx(folder_.write("model/m.onnx", model_.bytes()), {}); }
  std::string failure() {
    const auto graph = import();
    return graph.ok() ? "" : graph.error().line();
  }
  std::string failure_at(const std::string& location) {
    make_external(bias(), location);
    return failure();
  }

  TemporaryFolder folder_;
  OnnxModel model_;
};

void expect_says(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\nlacks: " << part;
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

TEST_F(ExternalData, GoodFileIsAccepted) {
  write("model/w.bin", 40);
  EXPECT_EQ(failure_at("w.bin"), "");
  fs::create_directory(inside("sub"));
  write("model/sub/w.bin", 140);
  bias().clear_external_data();
  add_entry(bias(), "offset", "100");
  add_entry(bias(), "length", "40");
  EXPECT_EQ(failure_at("./sub/w.bin"), "");
}

TEST_F(ExternalData, Row33ParentFolder) { expect_says(failure_at("../../etc/passwd"), "initializer 'fc.bias'"); }
TEST_F(ExternalData, Row34ParentFolderInside) { expect_says(failure_at("a/../../x"), "leaves the folder"); }
TEST_F(ExternalData, Row35Absolute) { expect_says(failure_at("/etc/passwd"), "absolute"); }
TEST_F(ExternalData, Row36Drive) { expect_says(failure_at("C:/weights"), "drive"); }
TEST_F(ExternalData, Row36Backslash) { expect_says(failure_at("C:\\weights"), "backslash"); }
TEST_F(ExternalData, Row36Unc) { expect_says(failure_at("\\\\server\\share"), "backslash"); }
TEST_F(ExternalData, Row36UncSlashes) { expect_says(failure_at("//server/share"), "absolute"); }
TEST_F(ExternalData, Row36Nul) { expect_says(failure_at(std::string("w.bin\0.txt", 10)), "NUL"); }
TEST_F(ExternalData, Row36Empty) { expect_says(failure_at(""), "names no file"); }

TEST_F(ExternalData, Row37SymbolicLink) {
  write("secret", 40);
  fs::create_symlink(fs::path(folder_.path()) / "secret", inside("w.bin"));
  expect_says(failure_at("w.bin"), "symbolic link");
}

TEST_F(ExternalData, Row37DanglingLink) {
  fs::create_symlink("nowhere", inside("w.bin"));
  expect_says(failure_at("w.bin"), "symbolic link");
}

TEST_F(ExternalData, Row38SymbolicLinkAsParent) {
  fs::create_directory(fs::path(folder_.path()) / "other");
  write("other/w.bin", 40);
  fs::create_directory_symlink(fs::path(folder_.path()) / "other", inside("sub"));
  expect_says(failure_at("sub/w.bin"), "symbolic link");
}

TEST_F(ExternalData, Row39HardLink) {
  write("secret", 40);
  fs::create_hard_link(fs::path(folder_.path()) / "secret", inside("w.bin"));
  expect_says(failure_at("w.bin"), "hard link");
}

TEST_F(ExternalData, Row40Fifo) {
  ASSERT_EQ(::mkfifo(inside("w.bin").c_str(), 0600), 0);
  expect_says(failure_at("w.bin"), "not a regular file");
}

TEST_F(ExternalData, Row40Folder) {
  fs::create_directory(inside("w.bin"));
  expect_says(failure_at("w.bin"), "not a regular file");
}

TEST_F(ExternalData, Row40FileAsFolder) {
  write("model/w.bin", 40);
  expect_says(failure_at("w.bin/x"), "cannot be opened");
}

TEST_F(ExternalData, Row41Numbers) {
  write("model/w.bin", 40);
  const std::vector<std::pair<std::string, std::string>> wrong = {{"offset", "-1"},
                                                                  {"offset", "ten"},
                                                                  {"offset", "1"},
                                                                  {"offset", "1125899906842624"},
                                                                  {"offset", " 0"},
                                                                  {"offset", ""},
                                                                  {"length", "-40"},
                                                                  {"length", "39"},
                                                                  {"length", "41"},
                                                                  {"length", "0x28"},
                                                                  {"length", "99999999999999999999"}};
  for (const auto& [key, value] : wrong) {
    SCOPED_TRACE(key + " " + value);
    bias().clear_external_data();
    add_entry(bias(), key, value);
    const std::string message = failure_at("w.bin");
    expect_says(message, "initializer 'fc.bias'");
    expect_says(message, "bytes");
  }
}

TEST_F(ExternalData, Row42UnknownKey) {
  add_entry(bias(), "__class__", "os.system");
  expect_says(failure_at("w.bin"), "unknown key '__class__'");
}

TEST_F(ExternalData, Row42NoLocationOrTwo) {
  bias().clear_raw_data();
  bias().set_data_location(TensorProto::EXTERNAL);
  expect_says(failure(), "no location");
  add_entry(bias(), "location", "a");
  expect_says(failure_at("b"), "two locations");
}

void make_sparse(onnx::SparseTensorProto& sparse, const std::string& name, bool values_outside) {
  sparse.add_dims(10);
  auto& values = *sparse.mutable_values();
  values.set_name(name);
  values.set_data_type(TensorProto::FLOAT);
  values.add_dims(1);
  auto& indices = *sparse.mutable_indices();
  indices.set_data_type(TensorProto::INT64);
  indices.add_dims(1);
  if (values_outside) {
    make_external(values, "../secret");
    indices.add_int64_data(3);
  } else {
    values.add_float_data(1);
    make_external(indices, "../secret");
  }
}

TEST_F(ExternalData, Row43SparseInitializer) {
  for (const bool values : {true, false}) {
    model_.graph.clear_sparse_initializer();
    make_sparse(*model_.graph.add_sparse_initializer(), "sparse", values);
    expect_says(failure(), "leaves the folder");
  }
}

TEST_F(ExternalData, Row43SparseConstant) {
  auto& node = model_.node("Constant", {}, {"k"}, "constant");
  auto* attribute = node.add_attribute();
  attribute->set_name("sparse_value");
  attribute->set_type(onnx::AttributeProto::SPARSE_TENSOR);
  make_sparse(*attribute->mutable_sparse_tensor(), "k", true);
  expect_says(failure(), "node 'constant'");
}

TEST_F(ExternalData, Row43AttributesAndSubgraphs) {
  auto& node = model_.node("Frobnicate", {"y"}, {"z"}, "odd");
  auto* attribute = node.add_attribute();
  attribute->set_name("t");
  attribute->set_type(onnx::AttributeProto::TENSOR);
  attribute->mutable_t()->set_data_type(TensorProto::FLOAT);
  make_external(*attribute->mutable_t(), "/etc/passwd");
  expect_says(failure(), "absolute");
  attribute->clear_t();
  attribute->set_type(onnx::AttributeProto::GRAPH);
  GraphMaker inner{*attribute->mutable_g()};
  make_external(inner.weight("w", {1}), "/etc/passwd");
  expect_says(failure(), "absolute");
}

// The file is swapped for a link to another all the while: whatever happens, what is read is never
// what lies outside.
TEST_F(ExternalData, Row44SwappedBetweenCheckAndRead) {
  folder_.write("secret", std::string(16, '\x55'));
  auto& shape = model_.integers("shape", {0, 0});
  shape.clear_int64_data();
  make_external(shape, "shape.bin");
  model_.node("Reshape", {"y", "shape"}, {"z"}, "reshape");
  std::atomic<bool> stop = false;
  std::thread swapper([&] {
    while (!stop) {
      folder_.write("model/fresh", std::string(16, '\0'));
      fs::rename(inside("fresh"), inside("shape.bin"));
      fs::create_symlink(fs::path(folder_.path()) / "secret", inside("link"));
      fs::rename(inside("link"), inside("shape.bin"));
    }
  });
  int read = 0, refused = 0;
  for (int i = 0; i < 300; ++i) {
    const auto graph = import();
    if (!graph.ok()) {
      ++refused;
      continue;
    }
    for (const auto& value : graph->values) {
      if (value.name != "shape" || !value.data) continue;
      ++read;
      for (const int64_t number : value.data->integers()) ASSERT_EQ(number, 0) << "read the file outside";
    }
  }
  stop = true;
  swapper.join();
  EXPECT_GT(read + refused, 0);
}

TEST_F(ExternalData, Row45AbsentFileIsNoted) {
  for (auto& tensor : *model_.graph.mutable_initializer()) make_external(tensor, "weights.bin");
  const auto graph = import();
  ASSERT_TRUE(graph.ok()) << graph.error().line();
  ASSERT_EQ(graph->notes.size(), 1u);
  EXPECT_EQ(graph->notes[0],
            "weights.bin is absent (needed by 4 tensors, first 'conv.weight'): shapes are enough to weigh");
  EXPECT_TRUE(bind(*graph, {}).ok());
}

// Row 4: past protobuf's 2 GiB, inline. The file is mostly a hole, which costs the disk nothing.
TEST(LargeFile, Row04IsWeighedWithoutItsWeights) {
  constexpr int64_t kRows = 600'000, kColumns = 1000, kBytes = kRows * kColumns * 4;
  OnnxModel model;
  model.input("x", {1, int(kColumns)});
  set_integer(model.node("Gemm", {"x", "huge"}, {"y"}, "fc"), "transB", 1);
  model.output("y");
  const auto varint = [](uint64_t value) {
    std::string out;
    for (; value >= 0x80; value >>= 7) out.push_back(char(value | 0x80));
    return out + char(value);
  };
  const std::string before = model.graph.SerializeAsString();
  TensorProto header;
  header.add_dims(kRows);
  header.add_dims(kColumns);
  header.set_data_type(TensorProto::FLOAT);
  header.set_name("huge");
  const std::string tensor = header.SerializeAsString() + "\x4a" + varint(kBytes);
  const std::string initializer = "\x2a" + varint(tensor.size() + kBytes) + tensor;
  model.proto.clear_graph();
  const std::string start = "\x3a" + varint(before.size() + initializer.size() + kBytes) + before + initializer;
  TemporaryFolder folder;
  const std::string path = folder.write("huge.onnx", start);
  fs::resize_file(path, start.size() + kBytes);
  std::ofstream(path, std::ios::binary | std::ios::app) << model.bytes();
  ASSERT_GT(fs::file_size(path), uint64_t{1} << 31);

  rusage usage_before{}, usage_after{};
  ::getrusage(RUSAGE_SELF, &usage_before);
  const auto graph = import_onnx(path, {});
  ::getrusage(RUSAGE_SELF, &usage_after);
  ASSERT_TRUE(graph.ok()) << graph.error().line();
  EXPECT_LT(usage_after.ru_maxrss - usage_before.ru_maxrss, 64 * 1024) << "KiB";
  const auto program = bind(*graph, {});
  ASSERT_TRUE(program.ok()) << program.error().line();
  EXPECT_EQ(program->operations[0].cost.macs.value(), kRows * kColumns);
}

}  // namespace
}  // namespace plimsoll
