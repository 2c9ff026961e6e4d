#!/bin/sh
# Runs a command on a host called "left" that a cable connects with one called "right", 10.77.0.1 and 10.77.0.2:
#   two_hosts.sh [--rate 10gbit] [--cores 0:1] COMMAND…
# for example: two_hosts.sh plimsoll train … -np 2 --hosts 10.77.0.1:1,10.77.0.2:1
#
# Both are namespaces of this machine, with a name and a network of their own, and all of it is gone with this script,
# however it ends. Each end of the cable is a device called "cable"; whoever sets one down cuts it. --rate is that of
# the cable, each way; --cores are those that the left and the right may use, as `taskset --cpu-list` takes them.
#
# Ends as the command does; with 77 where such namespaces are not to be had; with 98, naming them, when processes of
# the command are still there some seconds after it.
set -eu

left=10.77.0.1 right=10.77.0.2
self=$(realpath "$0")

not_to_be_had() {
  echo "two_hosts.sh: $1" >&2
  exit 77
}

outside() {
  for tool in ip tc nsenter unshare; do
    command -v "$tool" >/dev/null || not_to_be_had "$tool is missing: install iproute2 and util-linux"
  done
  spaces="--mount --net --uts --pid --fork --kill-child --mount-proc"
  [ "$(id -u)" = 0 ] || spaces="--map-root-user $spaces"
  try="ip link add cable type veth && mount -t tmpfs two_hosts /dev/shm"
  unshare $spaces sh -c "$try" 2>/dev/null || not_to_be_had "namespaces with a cable are not to be had here"
  exec unshare $spaces "$self" --inside "$@"
}

# As mpirun calls ssh: HOST COMMAND…
on_the_right() {
  [ "$1" = "$right" ] || { echo "two_hosts.sh: no host has the address $1" >&2; exit 1; }
  shift
  exec ${PLIMSOLL_RIGHT_CORES:+taskset --cpu-list "$PLIMSOLL_RIGHT_CORES"} \
    nsenter --target "$PLIMSOLL_RIGHT_HOST" --net --uts sh -c "$*"
}

plug_in() {
  address=$1 rate=$2
  ip link set lo up
  ip address add "$address/24" dev cable
  ip link set cable up
  [ -z "$rate" ] || tc qdisc add dev cable root tbf rate "$rate" burst 512kb latency 2ms
}

make_hosts() {
  mount -t tmpfs two_hosts /dev/shm  # what Open MPI leaves there when it is ended by force is gone too
  export OMPI_MCA_orte_tmpdir_base=/dev/shm
  hostname left
  unshare --net --uts sh -c 'hostname right; exec sleep infinity' &
  export PLIMSOLL_RIGHT_HOST=$!
  until [ "$(cat /proc/$PLIMSOLL_RIGHT_HOST/comm)" = sleep ]; do sleep 0.01; done
  ip link add cable type veth peer name cable netns "$PLIMSOLL_RIGHT_HOST"
  plug_in $left "$1"
  nsenter --target "$PLIMSOLL_RIGHT_HOST" --net "$self" --plug-in $right "$1"
}

# rest: numbers and words of those who are there besides this script and whoever keeps the right host. In no shell of
# its own, which would be one of them.
look_around() {
  rest=""
  for process in /proc/[0-9]*; do
    case ${process#/proc/} in 1 | "$PLIMSOLL_RIGHT_HOST") continue ;; esac
    words=$(tr '\0' ' ' 2>/dev/null <"$process/cmdline" | cut -c1-80) || continue
    [ -z "$words" ] || rest="$rest ${process#/proc/} ($words)"  # a zombie has no words
  done
}

inside() {
  rate="" cores=""
  while :; do
    case $1 in
      --rate) rate=$2 ;;
      --cores) cores=$2 ;;
      *) break ;;
    esac
    shift 2
  done
  make_hosts "$rate"
  export OMPI_MCA_plm_rsh_agent="$self --on-the-right"
  if [ -n "$cores" ]; then
    export PLIMSOLL_RIGHT_CORES="${cores#*:}"
    taskset --cpu-list --pid "${cores%:*}" $$ >/dev/null
  fi
  code=0
  "$@" || code=$?
  for _ in $(seq 50); do
    look_around
    [ -n "$rest" ] || exit $code
    sleep 0.1
  done
  echo "two_hosts.sh: left over:$rest" >&2
  exit 98
}

case ${1:-} in
  "") echo "usage: two_hosts.sh [--rate 10gbit] [--cores 0:1] COMMAND…" >&2; exit 2 ;;
  --inside) shift; inside "$@" ;;
  --plug-in) shift; plug_in "$@" ;;
  --on-the-right) shift; on_the_right "$@" ;;
  *) outside "$@" ;;
esac
