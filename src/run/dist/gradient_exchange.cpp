#include "run/dist/gradient_exchange.h"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "run/dist/squares.h"

namespace plimsoll {
namespace {

using Clock = std::chrono::steady_clock;

// Each piece costs both sides a wait for the other, which may be a time slice where computing has the core.
constexpr Bytes kPiece{16 << 20};

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Where they lie; of a step on the host.
std::span<float> numbers_of(const Executor& step, ValueId id) {
  const auto bytes = step.storage(id);
  return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
}

size_t count_of(const Executor& step, ValueId id) {
  return size_t(step.lowered().rules().storage(step.program(), id).value()) / sizeof(float);
}

Bytes f32_bytes(size_t count) { return bytes_of(DType::f32, Count(int64_t(count))); }

// The largest bucket that is copied together as it is.
size_t copied_numbers(const std::vector<Bucket>& buckets, const ExchangeForm& form) {
  Bytes most;
  for (const auto& bucket : buckets) {
    const bool joined = bucket.results.size() > 1 && (form.wire == DType::f32 || !bucket.gradients());
    if (joined || form.on_device) most = std::max(most, bucket.bytes);
  }
  return size_t(most.value()) / sizeof(float);
}

// What goes into one call at the most.
Bytes piece_of(const ExchangeForm& form) { return std::min(form.bucket, kPiece); }

Bytes largest_sum(const std::vector<Bucket>& buckets, const ExchangeForm& form) {
  Bytes most;
  for (const auto& bucket : buckets)
    if (form.wire == DType::f32 || !bucket.gradients()) most = std::max(most, std::min(bucket.bytes, piece_of(form)));
  return most;
}

// What is packed at a time: a bucket, or as much of one that is a single large gradient.
size_t packed_numbers(const std::vector<Bucket>& buckets, const ExchangeForm& form) {
  Bytes most;
  for (const auto& bucket : buckets)
    if (form.wire != DType::f32 && bucket.gradients())
      most = std::max(most, bucket.results.size() > 1 ? bucket.bytes : std::min(bucket.bytes, form.bucket));
  return size_t(most.value()) / sizeof(float);
}

}  // namespace

Bytes exchange_memory(const std::vector<Bucket>& buckets, const ExchangeForm& form, int workers) {
  if (form.by_devices) return Bytes(0);
  if (form.by_reading()) return f32_bytes(copied_numbers(buckets, form)) + NeighbourMean::memory();
  const size_t packed = packed_numbers(buckets, form);
  const Bytes summed = largest_sum(buckets, form), own = Bytes(summed.value() / workers);
  return f32_bytes(copied_numbers(buckets, form)) + (packed > 0 ? PackedMean::memory(packed, workers) : Bytes(0)) +
         (summed - own);  // Open MPI halves what is to be added up again and again, down to a worker's own share
}

Bytes wire_bytes(const std::vector<Bucket>& buckets, DType wire) {
  Bytes bytes;
  for (const auto& bucket : buckets)
    bytes += bucket.gradients() ? bytes_of(wire, Count(bucket.bytes.value() / int64_t(sizeof(float)))) : bucket.bytes;
  return bytes;
}

GradientExchange::GradientExchange(Executor& step, std::unique_ptr<Communicator> communicator, const ExchangeForm& form)
    : step_(step),
      communicator_(std::move(communicator)),
      buckets_(make_buckets(step.lowered(), step.plan(), form.bucket)),
      most_(std::max<size_t>(1, size_t(piece_of(form).value()) / sizeof(float))) {
  copied_.resize(copied_numbers(buckets_, form));
  if (const size_t packed = packed_numbers(buckets_, form); packed > 0)
    packed_.emplace(form.wire, packed, communicator_->size());
  for (const auto& one : buckets_)
    for (const auto& result : one.results)
      PLIM_CHECK(step.program().value(result.value).type->dtype == DType::f32, "a gradient that is not f32");
  if (form.by_reading()) {
    std::vector<std::span<float>> places;
    for (const auto& bucket : buckets_) places.push_back(place_of(bucket));
    neighbours_.emplace(*communicator_, places);
    squares_.resize(2 * size_t(communicator_->size() + 1));
  }
  step_.tell_of_each([this](size_t operation) {
    const std::lock_guard lock(mutex_);
    const size_t before = ready_;
    while (ready_ < buckets_.size() && buckets_[ready_].ready_at <= operation) ++ready_;
    if (ready_ != before) changed_.notify_all();
  });
  sigset_t all, before;  // signals are the main thread's
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

GradientExchange::~GradientExchange() {
  step_.tell_of_each({});
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void GradientExchange::begin() {
  const std::lock_guard lock(mutex_);
  PLIM_CHECK(done_ == ready_, "a step begins while another is exchanged");
  ready_ = done_ = 0;
  busy_ = own_square_ = mean_square_ = 0;
  rounded_ = {};
  finite_ = mean_finite_ = true;
  std::fill(squares_.begin(), squares_.end(), 0);
}

Exchanged GradientExchange::finish() {
  const auto start = Clock::now();
  std::unique_lock lock(mutex_);
  PLIM_CHECK(ready_ == buckets_.size(), "a bucket that no operation finished");
  changed_.wait(lock, [&] { return done_ == buckets_.size(); });
  return {{busy_}, {seconds_since(start)}, finite_, mean_finite_, own_square_, mean_square_, rounded_};
}

void GradientExchange::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stop_ || done_ < ready_; });
    if (stop_) return;
    const size_t index = done_;
    lock.unlock();
    const auto start = Clock::now();
    exchange(index);
    if (neighbours_ && index + 1 == buckets_.size()) settle();
    const double took = seconds_since(start);
    lock.lock();
    busy_ += took;
    if (++done_ == buckets_.size()) changed_.notify_all();
  }
}

// Piece by piece: what is looked at before the sum and scaled after it is still in the cache, and the memory that MPI
// takes for a call stays small enough to be used again; larger ones are mapped, and zeroed, anew each time. What is not
// finite is read by finish(), like the squares, under the lock that done_ is counted under.
void GradientExchange::add_up(std::span<float> numbers, bool gradients) {
  const float share = 1.0F / float(communicator_->size());
  for (size_t at = 0; at < numbers.size(); at += most_) {
    const auto piece = numbers.subspan(at, std::min(most_, numbers.size() - at));
    const double own = square_of(piece);
    if (!std::isfinite(own)) finite_ = false;
    communicator_->sum(piece);
    const double mean = scale_to_square(piece, share);
    if (!std::isfinite(mean)) mean_finite_ = false;
    if (!gradients) continue;
    own_square_ += own;
    mean_square_ += mean;
  }
}

// Where a bucket is added up: where it lies, or where its pieces are copied together.
std::span<float> GradientExchange::place_of(const Bucket& bucket) {
  if (!is_copied(bucket)) return numbers_of(step_, bucket.results[0].value);
  size_t numbers = 0;
  for (const auto& result : bucket.results) numbers += count_of(step_, result.value);
  return std::span(copied_).first(numbers);
}

void GradientExchange::copy_together(const Bucket& bucket) {
  std::span<float> rest(copied_);
  for (const auto& result : bucket.results) {
    const auto to = rest.first(count_of(step_, result.value));
    if (step_.on_host()) std::ranges::copy(numbers_of(step_, result.value), to.begin());
    else step_.read(result.value, std::as_writable_bytes(to));
    rest = rest.subspan(to.size());
  }
}

void GradientExchange::copy_back(const Bucket& bucket) {
  std::span<float> rest(copied_);
  for (const auto& result : bucket.results) {
    const auto from = rest.first(count_of(step_, result.value));
    if (step_.on_host()) std::ranges::copy(from, numbers_of(step_, result.value).begin());
    else step_.write(result.value, std::as_bytes(from));
    rest = rest.subspan(from.size());
  }
}

void GradientExchange::add_up_packed(const Bucket& bucket) {
  std::vector<std::span<float>> pieces;
  if (step_.on_host()) {
    for (const auto& result : bucket.results) pieces.push_back(numbers_of(step_, result.value));
  } else {
    copy_together(bucket);
    pieces.push_back(place_of(bucket));
  }
  for (const auto piece : pieces) own_square_ += square_of(piece);
  if (!std::isfinite(own_square_)) finite_ = false;
  const Rounded rounded = packed_->take(*communicator_, pieces);
  rounded_.sent += rounded.sent;
  rounded_.mean += rounded.mean;
  for (const auto piece : pieces) mean_square_ += square_of(piece);
  if (!std::isfinite(mean_square_)) mean_finite_ = false;
  if (!step_.on_host()) copy_back(bucket);
}

// Squares of neighbours are of parts. All that they read of each other is read when this is back.
void GradientExchange::settle() {
  communicator_->sum(squares_);
  const size_t own = size_t(communicator_->rank()), mean = size_t(communicator_->size()), others = mean + 1;
  own_square_ = squares_[own];
  mean_square_ = squares_[mean];
  finite_ = std::isfinite(own_square_) && std::isfinite(squares_[others + own]);
  mean_finite_ = std::isfinite(mean_square_) && std::isfinite(squares_[others + mean]);
}

void GradientExchange::exchange(size_t index) {
  const Bucket& bucket = buckets_[index];
  if (packed_ && bucket.gradients()) return add_up_packed(bucket);
  const bool copied = is_copied(bucket);
  if (copied) copy_together(bucket);
  if (neighbours_) {
    const size_t half = squares_.size() / 2;
    neighbours_->take(index, std::span(squares_).subspan(bucket.gradients() ? 0 : half, half));
    if (copied) communicator_->barrier();  // others read what the next bucket is copied to
  } else {
    add_up(place_of(bucket), bucket.gradients());
  }
  if (copied) copy_back(bucket);
}

}  // namespace plimsoll
