#!/bin/sh
# Runs a command beside a Slurm of its own, one node, that is gone with this script however it ends:
#   one_slurm.sh COMMAND…
# for example: one_slurm.sh srun --ntasks 2 plimsoll train …
#
# Nothing of the machine's own Slurm is read or changed. Ends as the command does; with 77 where Slurm is missing.
set -eu

not_to_be_had() {
  echo "one_slurm.sh: $1" >&2
  exit 77
}

for tool in slurmctld slurmd srun sinfo; do
  command -v "$tool" >/dev/null || not_to_be_had "$tool is missing: install slurmctld, slurmd and slurm-client"
done

folder=$(mktemp -d)
daemons=
clean_up() {
  [ -z "$daemons" ] || kill $daemons 2>/dev/null || true
  wait
  rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 143' INT TERM

user=$(id -un) host=$(hostname -s)
port=$((20000 + $$ % 20000))
mkdir "$folder/controller" "$folder/node"
export SLURM_CONF="$folder/slurm.conf"
cat >"$SLURM_CONF" <<CONF
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
StateSaveLocation=$folder/controller
SlurmdSpoolDir=$folder/node
SlurmctldPidFile=$folder/controller.pid
SlurmdPidFile=$folder/node.pid
ReturnToService=2
MpiDefault=pmix
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF

slurmctld -D >"$folder/controller.log" 2>&1 &
daemons=$!
slurmd -D -N "$host" >"$folder/node.log" 2>&1 &
daemons="$daemons $!"
tries=0
until sinfo --noheader 2>/dev/null | grep -q idle; do
  tries=$((tries + 1))
  [ $tries -lt 100 ] || not_to_be_had "its node does not come up: $(tail -n 1 "$folder/node.log")"
  sleep 0.1
done

"$@" && code=0 || code=$?
exit $code
