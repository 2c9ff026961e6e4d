// How fast a GPU's chip runs under a power limit. Dynamic power goes with the clock and the square of the voltage, and
// the voltage falls with the clock only down to a floor: the first watts that are taken away cost little speed, the
// last ones all that they drove.
#pragma once

namespace plimsoll {

// Power drawn at a share of the full clock, against that at the full clock.
double power_at(double clock);

// The share of the full clock that a share of the power needed for it allows; 1 where there is enough.
double clock_under(double power);

}  // namespace plimsoll
