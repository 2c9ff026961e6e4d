// oneDNN's regions run on our own threads, and other libraries keep theirs.
#include "run/exec/onednn/onednn_threads.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <oneapi/dnnl/dnnl.hpp>

#include "run/exec/threads/imported_functions.h"

namespace plimsoll {
namespace {

// A product that is worth several threads.
void multiply_with_onednn(int64_t size) {
  using dnnl::memory;
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const memory::desc shape({size, size}, memory::data_type::f32, memory::format_tag::ab);
  memory a(shape, engine), b(shape, engine), c(shape, engine);
  for (const memory& one : {a, b}) {
    auto* numbers = static_cast<float*>(one.get_data_handle());
    for (int64_t i = 0; i < size * size; ++i) numbers[i] = 0.5F;
  }
  const dnnl::matmul::primitive_desc product(dnnl::matmul::desc(shape, shape, shape), engine);
  dnnl::matmul(product).execute(stream, {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}});
  stream.wait();
  EXPECT_FLOAT_EQ(*static_cast<float*>(c.get_data_handle()), float(size) / 4);
}

TEST(OnednnThreads, RegionsOfOnednnRunOnOurThreads) {
  use_onednn_threads(2);
  ASSERT_TRUE(onednn_is_on_our_threads());
  const uint64_t before = onednn_regions();
  multiply_with_onednn(256);
  EXPECT_GT(onednn_regions(), before);
}

TEST(OnednnThreads, OpenmpItselfIsUntouched) {
  ASSERT_TRUE(onednn_is_on_our_threads());
  void* openmp = dlopen("libgomp.so.1", RTLD_NOW | RTLD_NOLOAD);
  ASSERT_TRUE(openmp);
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "GOMP_parallel"), dlsym(openmp, "GOMP_parallel"));
  dlclose(openmp);
}

TEST(OnednnThreads, NothingIsReplacedWhereSomethingIsMissing) {
  const auto none = [](std::string_view) { return false; };
  const Replacement unknown[] = {{"a_function_that_nobody_imports", nullptr}};
  EXPECT_FALSE(replace_imports("/libdnnl.so", unknown, none));
  EXPECT_FALSE(replace_imports("/a_library_that_is_not_loaded.so", {}, none));
}

TEST(OnednnThreads, ALibraryThatAsksForMoreIsLeftAlone) {
  EXPECT_FALSE(replace_imports("/libdnnl.so", {}, [](std::string_view name) { return name == "GOMP_parallel"; }));
  EXPECT_TRUE(replace_imports("/libdnnl.so", {}, [](std::string_view) { return false; }));
}

}  // namespace
}  // namespace plimsoll
