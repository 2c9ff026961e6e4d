#!/usr/bin/env bash
# pictures.sh PLIMSOLL FOLDER: draws the documents' pictures from what the program prints today.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
plimsoll=$1 folder=$2
mkdir -p "$folder"

draw() {  # draw NAME command…: written beside and renamed, so a failure leaves the old picture
  "${@:2}" >"$folder/$1.new"
  mv "$folder/$1.new" "$folder/$1"
  echo "$folder/$1"
}
trap 'rm -f "$folder"/*.new' EXIT

terminal() {  # terminal arguments…: plimsoll's output as a terminal window
  "$plimsoll" "$@" | python3 tools/terminal_svg.py --title "\$ plimsoll $*"
}

draw weigh.svg terminal weigh resnet50 --depth 1
draw fit.svg terminal fit resnet50 --device nvidia-t4
draw place.svg terminal place alexnet --samples 1281167 --epochs 90 --by money --top 8
draw scale.svg terminal scale resnet50 --device nvidia-dgx-a100 --workers 1..256 --samples 1281167 --epochs 90 \
  --reference-batch 256 --critical-batch 15000 --lr 0.1
draw densenet_resnet.svg python3 tools/plot_error_over_cost.py "$plimsoll" tests/data/facts/torchvision_counts.csv
