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
show "How far may a GPU be loaded with it? The largest batch under the load line, and what would carry more." \
  fit resnet50 --device nvidia-t4
show "Cats and dogs on a laptop's 2 GB: a batch of 32 does not fit. Which tensor breaks the line?" \
  fit catsdogs --framework tensorflow --optimizer adam --load-line 1.0 --device nvidia-mx150 --batch 32 || [ $? -eq 1 ]
show "On this machine, with the memory that it leaves us." \
  fit resnet18 --device this
show "For those who have only numbers: 100 MB of model, 100 MB a sample, 500 MB of activations, in 8 GB." \
  fit --model-mb 100 --sample-mb 100 --activation-mb 500 --memory 8GB
show "Which device for 90 epochs of ImageNet? Ranked by money, and the verdict." \
  place resnet50 --samples 1281167 --epochs 90 --by money --top 8
show "And for handwritten digits?" \
  place lenet5 --samples 60000 --epochs 10 --top 5
show "And on many machines? Step by step, with what the links cost, to the same loss: how many workers to take." \
  scale resnet50 --device aws-p3.16xlarge --workers 1,8,64,512 --link 25gbe --samples 1281167 \
  --epochs 90 --critical-batch 8192 --reference-batch 256 --lr 0.1
show "What can this machine do? Measured once, kept, and used by everything that says 'this'." \
  probe
show "The plan of a training run here: memory, kernel by kernel, before anything runs." \
  fit fmnist_cnn --device this --batch 128 --optimizer adam
runs=$(mktemp -d "${TMPDIR:-/tmp}/plimsoll-demo.XXXXXX")
show "And now the run itself, on all of Fashion-MNIST: planned and measured side by side at the end." \
  train fmnist_cnn --data fashion-mnist --epochs 3 --batch 128 --optimizer adam --lr 1e-3 --schedule cosine \
  --run-dir "$runs/fmnist"
show "All of it in one file to look at: the network, this machine's load line, the run, its worst mistakes." \
  report fmnist_cnn "$runs/fmnist" --device this --batch 128 --optimizer adam --samples 54000 --epochs 3 \
  -o "$runs/report.html"
