// Convolutions of known networks, each direction computed directly (oneDNN), by Winograd and by FFT in one run: the
// time of each (the best of many turns that alternate), how many times as fast as direct, its workspace and how far its
// numbers are from direct's.
//   conv_ways [--threads N] [--markdown] [--fft SIZE] [--only TEXT] [--seconds S]
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <oneapi/dnnl/dnnl.hpp>
#include <random>

#include "run/exec/fft/fft.h"
#include "run/exec/onednn/onednn_threads.h"
#include "run/exec/threads/threads.h"
#include "run/exec/winograd/winograd.h"

namespace plimsoll {
namespace {

struct Layer {
  const char* name;
  int64_t batch, in, out, size, kernel;  // padded to keep the size
};

constexpr Layer kLayers[] = {
    {"AlexNet conv2", 32, 64, 192, 27, 5},         {"AlexNet conv3", 32, 192, 384, 13, 3},
    {"AlexNet conv4", 32, 384, 256, 13, 3},        {"AlexNet conv5", 32, 256, 256, 13, 3},
    {"GoogLeNet 3a, 5x5", 16, 16, 32, 28, 5},      {"GoogLeNet 3b, 5x5", 16, 32, 96, 28, 5},
    {"GoogLeNet 4e, 5x5", 16, 32, 128, 14, 5},     {"GoogLeNet 5b, 5x5", 16, 48, 128, 7, 5},
    {"7x7, 64 channels", 8, 64, 64, 56, 7},        {"11x11, 64 channels", 8, 64, 64, 56, 11},
    {"VGG-16 64, 224x224", 4, 64, 64, 224, 3},     {"VGG-16 64-128, 112x112", 4, 64, 128, 112, 3},
    {"VGG-16 128, 112x112", 4, 128, 128, 112, 3},  {"VGG-16 128-256, 56x56", 4, 128, 256, 56, 3},
    {"VGG-16 256, 56x56", 4, 256, 256, 56, 3},     {"VGG-16 256-512, 28x28", 4, 256, 512, 28, 3},
    {"VGG-16 512, 28x28", 4, 512, 512, 28, 3},     {"VGG-16 512, 14x14", 4, 512, 512, 14, 3},
    {"ResNet-18 64, 56x56", 16, 64, 64, 56, 3},    {"ResNet-18 128, 28x28", 16, 128, 128, 28, 3},
    {"ResNet-18 256, 14x14", 16, 256, 256, 14, 3}, {"ResNet-18 512, 7x7", 16, 512, 512, 7, 3}};

enum Direction { kForward, kData, kWeights };
constexpr const char* kDirections[] = {"forward", "backward data", "backward weights"};

struct Options {
  int threads = most_threads();
  bool markdown = false;
  int fft = 0;  // a size for all; 0: what fft_size says
  std::string only;
  double seconds = 0.5;  // for all ways of one direction
};

using Desc = dnnl::memory::desc;
using Dims = dnnl::memory::dims;

// The memory of one layer: operands are shared by all ways, results are a way's own.
struct Operands {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  Desc x_desc, w_desc, y_desc;
  dnnl::memory x, w, dy;

  explicit Operands(const Layer& l) {
    using Tag = dnnl::memory::format_tag;
    const bool wide = tiled_conv_block() == 16;
    const auto desc = [](const Dims& dims, Tag tag) { return Desc(dims, dnnl::memory::data_type::f32, tag); };
    x_desc = desc({l.batch, l.in, l.size, l.size}, wide ? Tag::nChw16c : Tag::nChw8c);
    y_desc = desc({l.batch, l.out, l.size, l.size}, wide ? Tag::nChw16c : Tag::nChw8c);
    w_desc = desc({l.out, l.in, l.kernel, l.kernel}, wide ? Tag::OIhw16i16o : Tag::OIhw8i8o);
    std::mt19937 random(1);
    x = filled(x_desc, random, 1.0f);
    w = filled(w_desc, random, 0.05f);
    dy = filled(y_desc, random, 1.0f);
  }

  dnnl::memory filled(const Desc& desc, std::mt19937& random, float scale) const {
    dnnl::memory memory(desc, engine);
    std::normal_distribution<float> normal(0, scale);
    auto* numbers = static_cast<float*>(memory.get_data_handle());
    for (size_t i = 0; i < desc.get_size() / sizeof(float); ++i) numbers[i] = normal(random);
    return memory;
  }

  const Desc& result(Direction direction) const {
    return direction == kForward ? y_desc : direction == kData ? x_desc : w_desc;
  }

  dnnl::memory in_layout(const dnnl::memory& from, const Desc& desc) {
    dnnl::memory to(desc, engine);
    dnnl::memory source = from;
    dnnl::reorder(source, to).execute(stream, source, to);
    stream.wait();
    return to;
  }
};

float* numbers(const dnnl::memory& memory) { return static_cast<float*>(memory.get_data_handle()); }

// One way to compute one direction of one layer.
struct Way {
  const char* name;
  std::function<void()> run;
  int64_t workspace = 0;  // bytes
  dnnl::memory result;
  double seconds = 1e30;
};

Way direct(Operands& o, const Layer& l, Direction direction) {
  using namespace dnnl;
  const auto any = [](const Desc& desc) { return Desc(desc.dims(), memory::data_type::f32, memory::format_tag::any); };
  const Dims ones{1, 1}, zeros{0, 0}, pad{l.kernel / 2, l.kernel / 2};
  const auto way = algorithm::convolution_direct;
  const Desc x = any(o.x_desc), w = any(o.w_desc), y = any(o.y_desc);
  primitive_attr attributes;
  attributes.set_scratchpad_mode(scratchpad_mode::user);
  const convolution_forward::primitive_desc forward({prop_kind::forward_training, way, x, w, y, ones, zeros, pad, pad},
                                                    attributes, o.engine);
  std::unordered_map<int, memory> arguments;
  primitive step;
  Desc scratchpad, result;
  int result_is = 0;
  const auto describe = [&](const auto& pd, auto made, const Desc& desc, int name) {
    step = made;
    scratchpad = pd.scratchpad_desc();
    result = desc;
    result_is = name;
  };
  if (direction == kForward) {
    describe(forward, convolution_forward(forward), forward.dst_desc(), DNNL_ARG_DST);
    arguments = {{DNNL_ARG_SRC, o.in_layout(o.x, forward.src_desc())},
                 {DNNL_ARG_WEIGHTS, o.in_layout(o.w, forward.weights_desc())}};
  } else if (direction == kData) {
    const convolution_backward_data::primitive_desc pd({way, x, w, y, ones, zeros, pad, pad}, attributes, o.engine,
                                                       forward);
    describe(pd, convolution_backward_data(pd), pd.diff_src_desc(), DNNL_ARG_DIFF_SRC);
    arguments = {{DNNL_ARG_DIFF_DST, o.in_layout(o.dy, pd.diff_dst_desc())},
                 {DNNL_ARG_WEIGHTS, o.in_layout(o.w, pd.weights_desc())}};
  } else {
    const convolution_backward_weights::primitive_desc pd({way, x, w, y, ones, zeros, pad, pad}, attributes, o.engine,
                                                          forward);
    describe(pd, convolution_backward_weights(pd), pd.diff_weights_desc(), DNNL_ARG_DIFF_WEIGHTS);
    arguments = {{DNNL_ARG_SRC, o.in_layout(o.x, pd.src_desc())},
                 {DNNL_ARG_DIFF_DST, o.in_layout(o.dy, pd.diff_dst_desc())}};
  }
  memory to(result, o.engine);
  arguments.emplace(result_is, to);
  arguments.emplace(DNNL_ARG_SCRATCHPAD, memory(scratchpad, o.engine));
  const auto run = [&o, step, arguments] {
    step.execute(o.stream, arguments);
    dnnl::stream(o.stream).wait();
  };
  return {"direct", run, int64_t(scratchpad.get_size()), to};
}

TiledConv tiled(const Layer& l, Direction direction, int threads) {
  TiledConv conv;
  conv.batch = l.batch;
  conv.in_channels = l.in;
  conv.out_channels = l.out;
  if (direction == kData) std::swap(conv.in_channels, conv.out_channels);
  conv.turned = direction == kData;
  conv.in_height = conv.in_width = conv.out_height = conv.out_width = l.size;
  conv.kernel_height = conv.kernel_width = l.kernel;
  conv.pad_top = conv.pad_left = l.kernel / 2;
  conv.threads = threads;
  return conv;
}

template <class Conv>
Way our_way(const char* name, Operands& o, Direction direction, const Conv& conv, const TiledLoops<Conv>& loops) {
  const int64_t floats = direction == kWeights ? loops.gradient_space(conv) : loops.space(conv);
  const dnnl::memory work(Desc({floats}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::a), o.engine);
  const dnnl::memory to(o.result(direction), o.engine);
  const auto run = [&o, &loops, direction, conv, work, to] {
    if (direction == kWeights) loops.gradient(conv, numbers(o.x), numbers(o.dy), numbers(to), numbers(work));
    else loops.convolve(conv, numbers(direction == kData ? o.dy : o.x), numbers(o.w), {}, numbers(to), numbers(work));
  };
  return {name, run, floats * int64_t(sizeof(float)), to};
}

std::vector<Way> ways_of(Operands& o, const Layer& l, Direction direction, const Options& options) {
  std::vector<Way> ways{direct(o, l, direction)};
  const TiledConv conv = tiled(l, direction, options.threads);
  for (const int tile : {2, 4})
    if (l.kernel == 3)
      ways.push_back(
          our_way(tile == 2 ? "F(2x2)" : "F(4x4)", o, direction, WinogradConv{conv, tile}, winograd_loops()));
  const int size = options.fft ? options.fft : fft_size(conv);
  ways.push_back(our_way(size == 8    ? "FFT 8x8"
                         : size == 16 ? "FFT 16x16"
                                      : "FFT 32x32",
                         o, direction, FftConv{conv, size}, fft_loops()));
  return ways;
}

// One thread is measured by what it computes, so that others on the machine disturb less; several by the clock.
double now(int threads) {
  timespec time{};
  clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

void measure(std::vector<Way>& ways, const Options& options) {
  for (auto& way : ways) way.run();
  const double start = now(options.threads);
  for (int turn = 0; turn < 3 || now(options.threads) - start < options.seconds; ++turn)
    for (auto& way : ways) {
      const double before = now(options.threads);
      way.run();
      way.seconds = std::min(way.seconds, now(options.threads) - before);
    }
}

// The root of the mean square of the differences, as a share of the numbers' own.
double difference(Operands& o, const Way& way, const Way& direct) {
  const dnnl::memory expected = o.in_layout(direct.result, way.result.get_desc());
  double sum = 0, all = 0;
  for (size_t i = 0; i < way.result.get_desc().get_size() / sizeof(float); ++i) {
    const double number = numbers(expected)[i];
    sum += std::pow(numbers(way.result)[i] - number, 2);
    all += number * number;
  }
  return std::sqrt(sum / all);
}

void print(Operands& o, const Layer& l, Direction direction, const std::vector<Way>& ways, bool markdown) {
  const double flops = 2.0 * double(l.batch * l.in * l.out * l.kernel * l.kernel * l.size * l.size);
  for (const Way& way : ways) {
    const double mib = double(way.workspace) / (1 << 20), ms = way.seconds * 1e3;
    const double ratio = ways[0].seconds / way.seconds;
    const std::string error = &way == &ways[0] ? "" : fmt::format("{:.0e}", difference(o, way, ways[0]));
    const auto* line = markdown ? "| {} | {} | {} | {:.2f} | {:.2f} | {:.0f} | {:.1f} | {} |\n"
                                : "{:<24} {:<17} {:<10} {:>8.2f} ms {:>5.2f}x {:>5.0f} GFLOP/s {:>7.1f} MiB {:>6}\n";
    fmt::print(fmt::runtime(line), l.name, kDirections[direction], way.name, ms, ratio, flops / way.seconds * 1e-9, mib,
               error);
  }
  std::fflush(stdout);
}

Options read(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const char* value = i + 1 < count ? words[i + 1] : "";
    if (word == "--markdown") options.markdown = true;
    else if (word == "--threads") options.threads = std::max(1, std::atoi(value)), ++i;
    else if (word == "--fft") options.fft = std::atoi(value), ++i;
    else if (word == "--only") options.only = value, ++i;
    else if (word == "--seconds") options.seconds = std::atof(value), ++i;
  }
  return options;
}

int run(const Options& options) {
  if (tiled_conv_block() == 0) {
    fmt::print("This machine has no instruction set that we have kernels for.\n");
    return 1;
  }
  use_onednn_threads(options.threads);
  if (options.markdown)
    fmt::print(
        "| layer | direction | way | ms | times direct | GFLOP/s of direct | workspace MiB | difference |\n"
        "|---|---|---|---:|---:|---:|---:|---:|\n");
  for (const Layer& layer : kLayers) {
    if (std::string(layer.name).find(options.only) == std::string::npos) continue;
    Operands operands(layer);
    for (const Direction direction : {kForward, kData, kWeights}) {
      auto ways = ways_of(operands, layer, direction, options);
      measure(ways, options);
      print(operands, layer, direction, ways, options.markdown);
    }
  }
  return 0;
}

}  // namespace
}  // namespace plimsoll

int main(int count, char** words) { return plimsoll::run(plimsoll::read(count, words)); }
