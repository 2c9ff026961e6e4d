#include "run/data/loader.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

#include "run/data/aligned_memory.h"
#include "run/data/permutation.h"

namespace plimsoll {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMostLines = 1000;  // of skipped samples that are kept as text

struct BadSample {
  int64_t place;  // in the batch
  bool replaced;
  Error error;
};

struct Buffer {
  AlignedMemory inputs;
  std::vector<int64_t> labels;
  int64_t number = -1;  // of the batch in it
  int64_t filled = 0;   // places that are done
  std::vector<BadSample> bad;
  std::optional<BadSample> error;  // the first one that ends the epoch
};

// A few places of one batch: what a worker takes at a time.
struct Piece {
  int64_t batch, from, to;
};

Status check(const Dataset& dataset, const LoaderOptions& options) {
  if (options.batch < 1 || options.batch > kLargestSet)
    return user_error(fmt::format("the batch is {}, expected at least 1", options.batch));
  if (options.workers < 0 || options.workers > kMostLoaderWorkers)
    return user_error(
        fmt::format("there are {} loader workers, expected 0 to {}", options.workers, kMostLoaderWorkers));
  if (options.depth < 1 || options.depth > kMostDepth)
    return user_error(fmt::format("{} batches are to be kept ready, expected 1 to {}", options.depth, kMostDepth));
  if (dataset.size() == 0) return user_error("the dataset has no samples").in(dataset.info().name);
  PLIM_CHECK(options.shares >= 1 && options.share >= 0 && options.share < options.shares, "a share of no worker");
  if (options.drop_last && dataset.size() / options.shares < options.batch)
    return user_error(fmt::format("has {} samples, fewer than one batch of {}{}", with_commas(dataset.size()),
                                  with_commas(options.batch),
                                  options.shares > 1 ? fmt::format(" for each of {} workers", options.shares) : ""),
                      "choose a smaller batch")
        .in(dataset.info().name);
  return {};
}

int buffers_of(const LoaderOptions& options) { return options.workers == 0 ? 1 : options.depth; }

}  // namespace

class Loader::Work {
 public:
  Work(DatasetPtr set, const LoaderOptions& how) : dataset_(std::move(set)), options_(how), order_(1, 0, 0) {
    sample_ = dataset_->info().type.input.bytes().value();
    samples_ = dataset_->size();
    const int64_t all = options_.drop_last ? samples_ / (options_.batch * options_.shares) * options_.shares
                                           : (samples_ + options_.batch - 1) / options_.batch;
    batches_ = std::max<int64_t>((all - options_.share + options_.shares - 1) / options_.shares, 0);
    piece_ = std::clamp<int64_t>(options_.batch / (4 * std::max(1, options_.workers)), 1, 16);
    ticket_ = {batches_, 0, 0};
    next_ = released_ = batches_;  // nothing to hand out before start()
  }

  bool allocate() {
    buffers_.resize(size_t(buffers_of(options_)));
    scratch_.resize(size_t(std::max(1, options_.workers)));
    bool ok = true;
    for (auto& buffer : buffers_) {
      buffer.inputs = AlignedMemory(Bytes(sample_) * options_.batch);
      buffer.labels.resize(size_t(options_.batch));
      ok = ok && buffer.inputs.ok();
    }
    for (auto& scratch : scratch_) {
      scratch = AlignedMemory(dataset_->scratch());
      ok = ok && scratch.ok();
    }
    return ok;
  }

  // Signals are the main thread's.
  void start_threads() {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (int i = 0; i < options_.workers; ++i) threads_.emplace_back([this, i] { work(scratch_[size_t(i)].span()); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  ~Work() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    may_work_.notify_all();
    for (auto& thread : threads_) thread.join();
  }

  Status start(int64_t epoch, int64_t first_batch) {
    if (first_batch < 0 || first_batch > batches_)
      return user_error(fmt::format("batch {} of an epoch of {}", first_batch, batches_));
    PLIM_TRY(check_unchanged(*dataset_));
    {
      std::unique_lock lock(mutex_);
      ticket_.batch = batches_;  // nobody begins anything more
      done_.wait(lock, [&] { return busy_ == 0; });
      epoch_ = epoch;
      order_ = Permutation(samples_, options_.seed, options_.in_turn ? epoch / options_.shares : epoch);
      share_ = options_.in_turn ? epoch % options_.shares : options_.share;
      next_ = released_ = first_batch;
      ticket_ = {first_batch, 0, 0};
      for (auto& buffer : buffers_) buffer.number = -1;
      held_ = false;
      failed_.reset();
      skipped_ = 0;
      lines_.clear();
      waited_ = {};
    }
    may_work_.notify_all();
    return {};
  }

  Result<std::optional<Batch>> next() {
    if (failed_) return *failed_;
    release();
    if (next_ >= batches_) return std::optional<Batch>();
    Buffer& buffer = wait_for(next_);
    if (buffer.error) {
      failed_ = buffer.error->error;
      return *failed_;
    }
    Batch batch = take(buffer);
    if (skipped_ > options_.bad.most) {
      failed_ = user_error(fmt::format("{} samples of this epoch are bad, at most {} may be skipped; the first: {}",
                                       skipped_, options_.bad.most, lines_[0]));
      return *failed_;
    }
    held_ = true;
    ++next_;
    return std::optional(batch);
  }

  std::optional<Batch> ahead() {
    if (failed_ || threads_.empty() || next_ >= batches_ || buffers_.size() < 2) return std::nullopt;
    const Buffer& buffer = wait_for(next_);
    if (places(next_) < options_.batch || !buffer.bad.empty() || buffer.error) return std::nullopt;
    return Batch{buffer.inputs.span().first(size_t(options_.batch * sample_)), buffer.labels, options_.batch,
                 first_of(next_)};
  }

  Bytes memory() const {
    Bytes bytes;
    for (const auto& buffer : buffers_) bytes += Bytes(int64_t(buffer.inputs.span().size() + buffer.labels.size() * 8));
    for (const auto& scratch : scratch_) bytes += Bytes(int64_t(scratch.span().size()));
    return bytes;
  }

  DatasetPtr dataset_;
  LoaderOptions options_;
  int64_t batches_ = 0;
  int64_t skipped_ = 0;
  std::vector<std::string> lines_;
  Seconds waited_;

 private:
  // The place in the epoch's order of a batch's first sample.
  int64_t first_of(int64_t batch) const { return (batch * options_.shares + share_) * options_.batch; }
  int64_t places(int64_t batch) const { return std::min(options_.batch, samples_ - first_of(batch)); }
  Buffer& buffer_of(int64_t batch) { return buffers_[size_t(batch) % buffers_.size()]; }

  void release() {
    if (!held_) return;
    {
      const std::lock_guard lock(mutex_);
      held_ = false;
      ++released_;
    }
    may_work_.notify_all();
  }

  Buffer& wait_for(int64_t batch) {
    Buffer& buffer = buffer_of(batch);
    if (threads_.empty()) {
      while (buffer.number != batch || buffer.filled < places(batch)) fill(take_piece(), scratch_[0].span());
      return buffer;
    }
    const auto start = Clock::now();
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return buffer.number == batch && buffer.filled == places(batch); });
    waited_.value += std::chrono::duration<double>(Clock::now() - start).count();
    return buffer;
  }

  // The batch as it is handed out: skipped samples taken out, zeros after the last.
  Batch take(Buffer& buffer) {
    const int64_t all = places(buffer.number);
    std::sort(buffer.bad.begin(), buffer.bad.end(), [](const auto& a, const auto& b) { return a.place < b.place; });
    int64_t kept = 0;
    auto bad = buffer.bad.begin();
    const auto inputs = buffer.inputs.span();
    for (int64_t place = 0; place < all; ++place) {
      if (bad != buffer.bad.end() && bad->place == place && !(bad++)->replaced) continue;
      if (kept != place) {
        std::memcpy(&inputs[size_t(kept * sample_)], &inputs[size_t(place * sample_)], size_t(sample_));
        buffer.labels[size_t(kept)] = buffer.labels[size_t(place)];
      }
      ++kept;
    }
    const auto whole = inputs.first(size_t(options_.batch * sample_));
    std::fill(whole.begin() + kept * sample_, whole.end(), std::byte{0});
    std::fill(buffer.labels.begin() + kept, buffer.labels.end(), 0);
    skipped_ += int64_t(buffer.bad.size());
    for (const auto& one : buffer.bad)
      if (lines_.size() < kMostLines) lines_.push_back(one.error.line());
    return {whole, buffer.labels, kept, first_of(buffer.number)};
  }

  // The next places to fill; its batch's buffer is free.
  Piece take_piece() {
    Buffer& buffer = buffer_of(ticket_.batch);
    if (ticket_.from == 0) {
      buffer.number = ticket_.batch;
      buffer.filled = 0;
      buffer.bad.clear();
      buffer.error.reset();
    }
    Piece piece = ticket_;
    piece.to = std::min(piece.from + piece_, places(piece.batch));
    ticket_.from = piece.to;
    if (ticket_.from == places(ticket_.batch)) ticket_ = {ticket_.batch + 1, 0, 0};
    return piece;
  }

  void work(std::span<std::byte> scratch) {
    std::unique_lock lock(mutex_);
    while (true) {
      may_work_.wait(lock, [&] {
        return stop_ || (ticket_.batch < batches_ && ticket_.batch < released_ + int64_t(buffers_.size()));
      });
      if (stop_) return;
      const Piece piece = take_piece();
      ++busy_;
      lock.unlock();
      fill(piece, scratch);
      lock.lock();
      --busy_;
      done_.notify_all();
    }
  }

  void fill(const Piece& piece, std::span<std::byte> scratch) {
    Buffer& buffer = buffer_of(piece.batch);
    for (int64_t place = piece.from; place < piece.to; ++place) {
      auto bad =
          load(first_of(piece.batch) + place, buffer.inputs.span().subspan(size_t(place * sample_), size_t(sample_)),
               buffer.labels[size_t(place)], scratch);
      if (!bad) continue;
      bad->place = place;
      const std::lock_guard lock(mutex_);
      const bool full = bad->replaced || !options_.drop_last;
      if (options_.bad.skip && full && bad->error.kind == ErrorKind::user) buffer.bad.push_back(std::move(*bad));
      else if (!buffer.error || buffer.error->place > place) buffer.error = std::move(bad);
    }
    const std::lock_guard lock(mutex_);
    buffer.filled += piece.to - piece.from;
  }

  std::optional<BadSample> load(int64_t place, std::span<std::byte> input, int64_t& label,
                                std::span<std::byte> scratch) const {
    int64_t index = options_.shuffle ? order_.at(place) : place;
    auto status = dataset_->get(index, epoch_, input, label, scratch);
    if (status.ok()) return {};
    BadSample bad{place, false, std::move(status).error()};
    if (!options_.bad.skip || !options_.drop_last || bad.error.kind != ErrorKind::user) return bad;
    for (int64_t tries = 0; tries <= options_.bad.most && tries < samples_ - 1 && !bad.replaced; ++tries) {
      index = (index + 1) % samples_;
      auto another = dataset_->get(index, epoch_, input, label, scratch);
      if (!another.ok() && another.error().kind != ErrorKind::user) {
        bad.error = std::move(another).error();
        return bad;
      }
      bad.replaced = another.ok();
    }
    return bad;
  }

  int64_t sample_ = 0, samples_ = 0, piece_ = 1;
  std::vector<Buffer> buffers_;
  std::vector<AlignedMemory> scratch_;
  std::vector<std::thread> threads_;

  std::mutex mutex_;  // all below, and what the buffers say of themselves
  std::condition_variable may_work_, done_;
  Permutation order_;
  int64_t epoch_ = 0;
  int64_t share_ = 0;
  int64_t next_ = 0;      // batch to hand out
  int64_t released_ = 0;  // batches that are done with
  Piece ticket_{0, 0, 0};
  int busy_ = 0;
  bool held_ = false, stop_ = false;
  std::optional<Error> failed_;
};

Result<std::unique_ptr<Loader>> Loader::make(DatasetPtr dataset, const LoaderOptions& options) {
  PLIM_TRY(check(*dataset, options));
  const Bytes needed = memory_of(*dataset, options);
  if (needed.overflowed()) return user_error(fmt::format("a batch of {} samples is too large", options.batch));
  auto work = std::make_unique<Work>(std::move(dataset), options);
  if (!work->allocate())
    return environment_error(fmt::format("there is no memory for the batches: {}", human_bytes(needed)));
  work->start_threads();
  return std::unique_ptr<Loader>(new Loader(std::move(work)));
}

Bytes Loader::memory_of(const Dataset& dataset, const LoaderOptions& options) {
  const Bytes inputs = dataset.info().type.input.bytes() * options.batch;
  if (inputs.overflowed()) return inputs;
  return (AlignedMemory::rounded(inputs) + Bytes(8) * options.batch) * int64_t{buffers_of(options)} +
         AlignedMemory::rounded(dataset.scratch()) * int64_t{std::max(1, options.workers)};
}

Loader::Loader(std::unique_ptr<Work> work) : work_(std::move(work)) {}
Loader::~Loader() = default;
Status Loader::start(int64_t epoch, int64_t first_batch) { return work_->start(epoch, first_batch); }
Result<std::optional<Batch>> Loader::next() { return work_->next(); }
std::optional<Batch> Loader::ahead() { return work_->ahead(); }
const Dataset& Loader::dataset() const { return *work_->dataset_; }
const LoaderOptions& Loader::options() const { return work_->options_; }
int64_t Loader::batches() const { return work_->batches_; }
Bytes Loader::memory() const { return work_->memory(); }
int64_t Loader::skipped() const { return work_->skipped_; }
const std::vector<std::string>& Loader::skipped_lines() const { return work_->lines_; }
Seconds Loader::waited() const { return work_->waited_; }

}  // namespace plimsoll
