#!/usr/bin/env bash
# demo.sh PLIMSOLL: a tour of what the program can do. Prints each command and why before running it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
plimsoll=$1

bold='' plain=''
if [ -t 1 ]; then bold=$'\e[1m' plain=$'\e[0m'; fi

show() {  # show "why" arguments…
  printf '\n%s\n%s$ plimsoll %s%s\n' "$1" "$bold" "${*:2}" "$plain"
  "$plimsoll" "${@:2}"
}

show "The networks that are built in." \
  models
show "What does a network weigh? One row for each part, and the totals." \
  weigh resnet50 --depth 1
show "Where does the work go? The five costliest layers: all are convolutions." \
  weigh vgg16 --sort macs --top 5
show "And where are the weights? Elsewhere: the fully connected layers have most of them." \
  weigh vgg16 --sort params --top 5
show "Parameters do not predict operations: inception 3b has fewer than 4b and three times the MACs." \
  weigh googlenet --depth 1
show "Half the bits, half the bytes: the same network in bf16, for inference, 32 samples at once." \
  weigh resnet50 --dtype bf16 --mode inference --batch 32 --depth 1
show "Any ONNX file is weighed in the same way. This one's weights are elsewhere: sizes are enough." \
  weigh tests/data/models/mobilenet_v2.onnx --depth 2
show "Two networks side by side: DenseNet-121 is deeper than ResNet-50, and lighter." \
  weigh resnet50 densenet121
