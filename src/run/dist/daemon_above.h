// Where mpirun runs on another host, the parent of a worker is Open MPI's daemon (orted), and one that is cut off from
// mpirun stays for ever. So a worker that leaves because it is cut off ends the daemon above it too.
#pragma once

namespace plimsoll {

// Nothing where the parent is something else.
void end_daemon_above();

}  // namespace plimsoll
