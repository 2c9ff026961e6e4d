// How our loops and oneDNN's share their work with other threads: a region is work that is done once for each number of
// a team, on the calling thread's pool (pool.h). Inside of one, another is a team of one.
//
// Only plain functions are declared here: kernels compiled for one instruction set include it, and a template of the
// standard library compiled there could be linked for all.
#pragma once

namespace plimsoll {

// Of the calling thread: how many threads its regions have unless they say so themselves. Without use_threads() it is
// what OMP_NUM_THREADS says, else the number of processors that the process may use.
void use_threads(int threads);
int most_threads();

int thread_number();   // in [0, team_size())
int team_size();       // 1 outside of a region
bool in_region();      // of several threads
void wait_for_team();  // until all numbers of the region are here

void run_region(int threads, void (*work)(void*), void* data);

// work() for each number of a team.
template <class Work>
void in_region_of(int threads, Work& work) {
  run_region(
      threads, [](void* data) { (*static_cast<Work*>(data))(); }, &work);
}

}  // namespace plimsoll
