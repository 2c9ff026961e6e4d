// Workers that are threads of one process: for tests of what is sent between them.
#pragma once

#include <barrier>
#include <cstring>
#include <thread>

#include "base/check.h"
#include "run/dist/communicator.h"

namespace plimsoll {

// What they put down for each other to see.
struct ThreadTable {
  explicit ThreadTable(int workers) : all(workers), places(size_t(workers)) {}

  std::barrier<> all;
  std::vector<std::span<const std::byte>> places;
};

class ThreadCommunicator : public Communicator {
 public:
  ThreadCommunicator(ThreadTable& table, int rank) : table_(table), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return int(table_.places.size()); }
  const std::string& host() const override { return host_; }
  void sum(std::span<float> numbers) override { add_up(numbers); }
  void sum(std::span<double> numbers) override { add_up(numbers); }

  void broadcast(std::span<std::byte> bytes, int from) override {
    show(bytes, [&] {
      if (from != rank_) std::memcpy(bytes.data(), table_.places[size_t(from)].data(), bytes.size());
    });
  }
  std::vector<std::string> gather(const std::string& mine) override {
    std::vector<std::string> found;
    show(std::as_bytes(std::span(mine)), [&] {
      for (const auto place : table_.places)
        found.emplace_back(reinterpret_cast<const char*>(place.data()), place.size());
    });
    return found;
  }
  void deal(std::span<const std::byte> mine, std::span<std::byte> theirs) override {
    const size_t part = theirs.size() / table_.places.size();
    show(mine, [&] {
      for (size_t i = 0; i < table_.places.size(); ++i)
        std::memcpy(&theirs[i * part], &table_.places[i][size_t(rank_) * part], part);
    });
  }
  void collect(std::span<const std::byte> mine, std::span<std::byte> all) override {
    show(mine, [&] {
      for (size_t i = 0; i < table_.places.size(); ++i)
        std::memcpy(&all[i * mine.size()], table_.places[i].data(), mine.size());
    });
  }
  void barrier() override { table_.all.arrive_and_wait(); }
  // The threads of a test take turns in calling it: there is one table for all.
  std::unique_ptr<Communicator> duplicate() override { return std::make_unique<ThreadCommunicator>(table_, rank_); }
  [[noreturn]] void abort(int exit_code) override { std::exit(exit_code); }

 private:
  template <class F>
  void show(std::span<const std::byte> mine, F&& look) {
    table_.places[size_t(rank_)] = mine;
    barrier();
    look();
    barrier();
  }
  template <class Number>
  void add_up(std::span<Number> numbers) {
    std::vector<Number> sums(numbers.size());
    show(std::as_bytes(numbers), [&] {
      for (const auto place : table_.places) {
        const auto* theirs = reinterpret_cast<const Number*>(place.data());
        for (size_t i = 0; i < sums.size(); ++i) sums[i] += theirs[i];
      }
    });
    std::copy(sums.begin(), sums.end(), numbers.begin());
  }

  ThreadTable& table_;
  int rank_;
  std::string host_ = "here";
};

// work(communicator) on a thread for each worker, to the end of all.
template <class F>
void on_threads(int workers, F&& work) {
  ThreadTable table(workers);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < workers; ++rank)
    threads.emplace_back([&, rank] {
      ThreadCommunicator communicator(table, rank);
      work(communicator);
    });
  for (auto& thread : threads) thread.join();
}

}  // namespace plimsoll
