#include "run/exec/loops/batch_norm.h"

#include <cmath>

#include "run/exec/loops/parallel.h"

namespace plimsoll {
namespace {

constexpr int64_t kLanes = 16;  // sums of a row-major piece, so that it adds up in vectors

// Sums of `count` rows of `block` numbers; for block 1 the numbers of one channel stand in a row and are summed in
// kLanes parts that are added at the end.
PLIM_CLONES void piece_moments(const float* x, int64_t places, int64_t block, float* mean, float* squares) {
  float sum[kLanes] = {}, square[kLanes] = {};
  const int64_t width = block == 1 ? kLanes : block, rows = block == 1 ? places / kLanes : places;
  for (int64_t i = 0; i < rows; ++i) {
#pragma omp simd
    for (int64_t k = 0; k < width; ++k) sum[k] += x[i * width + k];
  }
  if (block == 1) {
    for (int64_t i = rows * kLanes; i < places; ++i) sum[0] += x[i];
    for (int64_t k = 1; k < kLanes; ++k) sum[0] += sum[k];
    for (int64_t k = kLanes; k-- > 0;) sum[k] = sum[0];
  }
  float middle[kLanes];
  for (int64_t k = 0; k < kLanes; ++k) middle[k] = sum[k] / float(places);
  for (int64_t i = 0; i < rows; ++i) {
#pragma omp simd
    for (int64_t k = 0; k < width; ++k) {
      const float off = x[i * width + k] - middle[k];
      square[k] += off * off;
    }
  }
  if (block == 1) {
    for (int64_t i = rows * kLanes; i < places; ++i) square[0] += (x[i] - middle[0]) * (x[i] - middle[0]);
    for (int64_t k = 1; k < kLanes; ++k) square[0] += square[k];
  }
  for (int64_t k = 0; k < block; ++k) {
    mean[k] = middle[k];
    squares[k] = square[k];
  }
}

PLIM_CLONES void piece_scaled(const float* x, int64_t places, int64_t block, const float* factor, const float* offset,
                              bool relu, float* y) {
  if (block == 1) {
    const float f = factor[0], o = offset[0], least = relu ? 0.0F : -INFINITY;
#pragma omp simd
    for (int64_t i = 0; i < places; ++i) {
      const float value = x[i] * f + o;
      y[i] = value < least ? least : value;
    }
    return;
  }
  const float least = relu ? 0.0F : -INFINITY;
  for (int64_t i = 0; i < places; ++i) {
#pragma omp simd
    for (int64_t k = 0; k < block; ++k) {
      const float value = x[i * block + k] * factor[k] + offset[k];
      y[i * block + k] = value < least ? least : value;
    }
  }
}

PLIM_CLONES void piece_gradient_sums(const float* dy, const float* x, int64_t places, int64_t block, const float* mean,
                                     float* sum_dy, float* sum_dy_x) {
  float sum[kLanes] = {}, product[kLanes] = {}, middle[kLanes];
  const int64_t width = block == 1 ? kLanes : block, rows = block == 1 ? places / kLanes : places;
  for (int64_t k = 0; k < kLanes; ++k) middle[k] = block == 1 ? mean[0] : k < block ? mean[k] : 0;
  for (int64_t i = 0; i < rows; ++i) {
#pragma omp simd
    for (int64_t k = 0; k < width; ++k) {
      sum[k] += dy[i * width + k];
      product[k] += dy[i * width + k] * (x[i * width + k] - middle[k]);
    }
  }
  if (block == 1) {
    for (int64_t i = rows * kLanes; i < places; ++i) {
      sum[0] += dy[i];
      product[0] += dy[i] * (x[i] - middle[0]);
    }
    for (int64_t k = 1; k < kLanes; ++k) {
      sum[0] += sum[k];
      product[0] += product[k];
    }
  }
  for (int64_t k = 0; k < block; ++k) {
    sum_dy[k] = sum[k];
    sum_dy_x[k] = product[k];
  }
}

// dx = dy · a + x · b + c of the channel
PLIM_CLONES void piece_gradient(const float* dy, const float* x, int64_t places, int64_t block, const float* a,
                                const float* b, const float* c, float* dx) {
  if (block == 1) {
    const float a0 = a[0], b0 = b[0], c0 = c[0];
#pragma omp simd
    for (int64_t i = 0; i < places; ++i) dx[i] = dy[i] * a0 + x[i] * b0 + c0;
    return;
  }
  for (int64_t i = 0; i < places; ++i) {
#pragma omp simd
    for (int64_t k = 0; k < block; ++k) dx[i * block + k] = dy[i * block + k] * a[k] + x[i * block + k] * b[k] + c[k];
  }
}

// f(piece's first number, its first lane) for each piece.
template <class F>
void for_pieces(const BatchNormShape& shape, F&& f) {
  const int64_t pieces = shape.batch * shape.blocks();
  parallel_items(pieces, pieces * shape.piece(),
                 [&](int64_t i) { f(i * shape.piece(), i % shape.blocks() * shape.block, i); });
}

// Sums of dy and of dy · (x - mean), one of each a sample and block, to the front of the workspace.
void gradient_sums(const BatchNormShape& shape, const BatchNormBackward& a) {
  const int64_t lanes = shape.lanes();
  float *sums = a.work, *products = sums + shape.batch * lanes, *mean = products + shape.batch * lanes;
  for (int64_t c = 0; c < lanes; ++c) mean[c] = c < shape.channels ? a.mean[c] : 0;
  for_pieces(shape, [&](int64_t at, int64_t lane, int64_t piece) {
    piece_gradient_sums(a.dy + at, a.x + at, shape.places, shape.block, mean + lane, sums + piece * shape.block,
                        products + piece * shape.block);
  });
}

}  // namespace

void scale_channels(const BatchNormShape& shape, const float* x, const float* factor, const float* offset, bool relu,
                    float* y) {
  for_pieces(shape, [&](int64_t at, int64_t lane, int64_t) {
    piece_scaled(x + at, shape.places, shape.block, factor + lane, offset + lane, relu, y + at);
  });
}

void batch_norm_forward(const BatchNormShape& shape, const BatchNormForward& a) {
  const int64_t lanes = shape.lanes();
  float *means = a.work, *squares = means + shape.batch * lanes, *factor = squares + shape.batch * lanes,
        *offset = factor + lanes;
  for_pieces(shape, [&](int64_t at, int64_t, int64_t piece) {
    piece_moments(a.x + at, shape.places, shape.block, means + piece * shape.block, squares + piece * shape.block);
  });
  const double count = double(shape.batch * shape.places);
  for (int64_t c = 0; c < lanes; ++c) {
    if (c >= shape.channels) {  // padding stays zero
      factor[c] = offset[c] = 0;
      continue;
    }
    double mean = 0, square = 0;
    for (int64_t n = 0; n < shape.batch; ++n) mean += means[n * lanes + c];
    mean /= double(shape.batch);
    for (int64_t n = 0; n < shape.batch; ++n) {
      const double off = means[n * lanes + c] - mean;
      square += squares[n * lanes + c] + off * off * double(shape.places);
    }
    const double inverse = 1 / std::sqrt(square / count + double(a.epsilon));
    const double unbiased = square / std::max(count - 1, 1.0), momentum = a.momentum;
    a.running_mean[c] = float(a.running_mean[c] * momentum + mean * (1 - momentum));
    a.running_variance[c] = float(a.running_variance[c] * momentum + unbiased * (1 - momentum));
    a.mean[c] = float(mean);
    a.inverse[c] = float(inverse);
    factor[c] = float(a.scale[c] * inverse);
    offset[c] = float(a.bias[c] - mean * a.scale[c] * inverse);
  }
  scale_channels(shape, a.x, factor, offset, a.relu, a.y);
}

void batch_norm_backward_stored(const BatchNormShape& shape, const BatchNormBackward& a, const float* variance,
                                double epsilon) {
  const int64_t lanes = shape.lanes();
  float *sums = a.work, *products = sums + shape.batch * lanes, *factor = products + (shape.batch + 1) * lanes,
        *offset = factor + lanes;
  gradient_sums(shape, a);
  for (int64_t c = 0; c < lanes; ++c) {
    factor[c] = offset[c] = 0;
    if (c >= shape.channels) continue;
    double sum = 0, product = 0;
    for (int64_t n = 0; n < shape.batch; ++n) {
      sum += sums[n * lanes + c];
      product += products[n * lanes + c];
    }
    const double inverse = 1 / std::sqrt(variance[c] + epsilon);
    factor[c] = float(a.scale[c] * inverse);
    if (a.dbias) a.dbias[c] = float(sum);
    if (a.dscale) a.dscale[c] = float(product * inverse);
  }
  scale_channels(shape, a.dy, factor, offset, false, a.dx);
}

void batch_norm_backward(const BatchNormShape& shape, const BatchNormBackward& a) {
  const int64_t lanes = shape.lanes();
  float *sums = a.work, *products = sums + shape.batch * lanes, *mean = products + shape.batch * lanes;
  float *fa = mean + lanes, *fb = fa + lanes, *fc = fb + lanes;
  gradient_sums(shape, a);
  const double count = double(shape.batch * shape.places);
  for (int64_t c = 0; c < lanes; ++c) {
    if (c >= shape.channels) {
      fa[c] = fb[c] = fc[c] = 0;
      continue;
    }
    double sum = 0, product = 0;
    for (int64_t n = 0; n < shape.batch; ++n) {
      sum += sums[n * lanes + c];
      product += products[n * lanes + c];
    }
    const double inverse = a.inverse[c], slope = a.scale[c] * inverse;
    a.dbias[c] = float(sum);
    a.dscale[c] = float(product * inverse);
    // dx = slope · (dy - sum/count - (x - mean) · inverse² · product/count)
    const double along = -slope * inverse * inverse * product / count;
    fa[c] = float(slope);
    fb[c] = float(along);
    fc[c] = float(-slope * sum / count - along * double(a.mean[c]));
  }
  for_pieces(shape, [&](int64_t at, int64_t lane, int64_t) {
    piece_gradient(a.dy + at, a.x + at, shape.places, shape.block, fa + lane, fb + lane, fc + lane, a.dx + at);
  });
}

}  // namespace plimsoll
