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

std::span<float> numbers_of(const Executor& step, ValueId id) {
  const auto bytes = step.storage(id);
  return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
}

Bytes f32_bytes(size_t count) { return bytes_of(DType::f32, Count(int64_t(count))); }

// The largest bucket that is copied together as it is.
size_t copied_numbers(const std::vector<Bucket>& buckets, DType wire) {
  Bytes most;
  for (const auto& bucket : buckets)
    if (bucket.results.size() > 1 && (wire == DType::f32 || !bucket.gradients())) most = std::max(most, bucket.bytes);
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
  const size_t packed = packed_numbers(buckets, form);
  const Bytes summed = largest_sum(buckets, form), own = Bytes(summed.value() / workers);
  return f32_bytes(copied_numbers(buckets, form.wire)) + (packed > 0 ? PackedMean::memory(packed, workers) : Bytes(0)) +
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
  copied_.resize(copied_numbers(buckets_, form.wire));
  if (const size_t packed = packed_numbers(buckets_, form); packed > 0)
    packed_.emplace(form.wire, packed, communicator_->size());
  for (const auto& one : buckets_)
    for (const auto& result : one.results)
      PLIM_CHECK(step.program().value(result.value).type->dtype == DType::f32, "a gradient that is not f32");
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
    const Bucket& bucket = buckets_[done_];
    lock.unlock();
    const auto start = Clock::now();
    exchange(bucket);
    const double took = seconds_since(start);
    lock.lock();
    busy_ += took;
    if (++done_ == buckets_.size()) changed_.notify_all();
  }
}

// Piece by piece: what is looked at before the sum and scaled behind it is still in the cache, and the memory that MPI
// takes for a call stays small enough to be used again; larger ones are mapped, and zeroed, anew each time. What is not
// finite is read by finish(), like the squares, behind the lock that done_ is counted under.
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

void GradientExchange::add_up_copied(const Bucket& bucket) {
  size_t at = 0;
  for (const auto& result : bucket.results) {
    const auto numbers = numbers_of(step_, result.value);
    std::copy(numbers.begin(), numbers.end(), copied_.begin() + ptrdiff_t(at));
    at += numbers.size();
  }
  add_up(std::span(copied_).first(at), bucket.gradients());
  at = 0;
  for (const auto& result : bucket.results) {
    const auto numbers = numbers_of(step_, result.value);
    std::copy_n(copied_.begin() + ptrdiff_t(at), numbers.size(), numbers.begin());
    at += numbers.size();
  }
}

void GradientExchange::add_up_packed(const Bucket& bucket) {
  std::vector<std::span<float>> pieces;
  for (const auto& result : bucket.results) pieces.push_back(numbers_of(step_, result.value));
  for (const auto piece : pieces) own_square_ += square_of(piece);
  if (!std::isfinite(own_square_)) finite_ = false;
  const Rounded rounded = packed_->take(*communicator_, pieces);
  rounded_.sent += rounded.sent;
  rounded_.mean += rounded.mean;
  for (const auto piece : pieces) mean_square_ += square_of(piece);
  if (!std::isfinite(mean_square_)) mean_finite_ = false;
}

void GradientExchange::exchange(const Bucket& bucket) {
  if (packed_ && bucket.gradients()) add_up_packed(bucket);
  else if (bucket.results.size() == 1) add_up(numbers_of(step_, bucket.results[0].value), bucket.gradients());
  else add_up_copied(bucket);
}

}  // namespace plimsoll
