"""The sentences of docs/large_batches.md around the figures of large_batches.py; to be read again when those change."""

TEXT = """# Large batches, and what keeps the accuracy

Written by `make large-batches` (`tools/large_batches.py build/plimsoll`), from runs that are kept in
`docs/runs/large_batches.json`. All are small enough for one thread of a CPU: they show what each remedy does and what
it does not, not how good a network can get. Eight workers on all of CIFAR-10 are the matter of `make convergence`.

`fashion-{samples}` is a folder with the first {samples:,} training samples of Fashion-MNIST and all its test samples;
the script writes it. Two seeds show what is large; small differences they do not decide.

## Rates, warm-up, LARS and LAMB

LeNet-5, ten epochs: at batch 32 they are 2,560 steps, at batch 2,048 only 40. Mean and deviation over the seeds;
training accuracy is the running mean over the last epoch.

```
plimsoll train {rates} FLAGS --seed N
```

{rate_table}

![loss and accuracy of seed 0, epoch by epoch](pictures/large_batch_rates.svg)

- **The plain run fails:** with the rate of the small batch, 40 steps go too short a way.
- **Linear scaling without warm-up** (64 times the batch, 64 times the rate) does worse still: seed 0 ends at the
  accuracy of guessing, seed 1 at 0.53.
- **With warm-up** the same rate trains with both seeds, and both end above the plain run.
- **LARS and LAMB** end well above the plain run, with little deviation, at the first rates that were tried.
- **None of them is the best here:** momentum at half of the linear rule's rate needs no warm-up and does better than
  all of them. And nothing reaches in 40 steps what batch 32 reaches in the same ten epochs.

The rate of these rows was chosen where the warm-up makes a difference, after looking at others. A little below it
the warm-up matters with one seed of two; a little above it, it does not save the run:

{scan_table}

What LARS and LAMB multiplied the rate of each parameter by in their last step (`train --json` has them as
`trust_ratios`, the log and TensorBoard's events step by step). Under LAMB the ratios of weights are 20 to 50 times
those of their biases.

{trust_table}

## Ghost batch norm

`convergence_bn` at 14x14 on three quarters of the same samples, validated on the rest, ten epochs: 950 steps at batch
64, 20 at batch 2,048. Its norms keep 0.99 of their running statistics in each move, as published.

```
plimsoll train {norms} FLAGS --seed N
```

{norm_table}

![loss and accuracy of seed 0, epoch by epoch](pictures/large_batch_norms.svg)

- **The plain run fails on what it has not seen:** it is right in four of five cases in training and in one of five in
  the test. After 20 moves the running statistics are still to four fifths those of the start (0.99 to the power of 20).
- **Ghosts of 64** move them 32 times a step, and validation and test follow training.
- **That is all that ghosts do here.** The same weights as in the plain run, with statistics taken anew in the end
  (`--renew-norms`), are as good in the test. That small groups make a network generalise better, as Hoffer et al.
  (2017) report of long trainings, these 20 steps do not show.
- Validation of the renewed run is that before its statistics were renewed.

## The gradient noise scale

On MNIST, by one worker, from the gradients of four micro-batches a step. McCandlish et al. (2018) have 900 samples on
average over the training of a small CNN with SGD.

```
plimsoll train {noise}
```

{noise_table}

The noise scale grows as the loss falls and had not stopped growing here, so its average depends on how long is trained:

{average_table}

The average of five epochs, which were set before the run, is near the published one; that of one epoch is a third of
it. So it is the order of magnitude that is confirmed.

## The critical batch by a sweep

The fewest steps until the training loss has fallen so far, over four rates, and the law of McCandlish et al. through
them: steps = least × (1 + critical / batch). One seed.

```
plimsoll sweep {sweep} --goal-loss LOSS
```

{sweep_table}

The rate 0.8 reaches no goal at any batch. Losses are means over 4,096 samples, so at batch 16 nothing below 128 steps
can be seen, and the goal of 0.5 is close to that. Both figures side by side, the range being that of each batch
left out in turn:

{side_by_side}

The sweep finds about the same critical batch for all four goals. The noise scale agrees with it within a factor of 1.5
early on, and grows away from it as the loss falls. A noise scale is an upper estimate here, of the right order at first
and several times too high later.

## How sharp the minima are

LeNet-5 on the {samples:,} samples by Adam, as Keskar et al. (2017) have it: with batch 32, and with all samples in one
batch, to about the same training loss.

```
plimsoll train {sharp_small} --run-dir batch-32
plimsoll train {sharp_large} --run-dir batch-8192
plimsoll sharpness {sharpness} --plot sharpness.svg
```

{sharpness_table}

![loss along random directions around both solutions](pictures/sharpness.svg)

Sharpness is the measure of Keskar et al.: by how much the loss can rise, of 1 + the loss, when no weight moves by more
than epsilon (|w| + 1). By it the solution of the large batch is the sharper one, and along random directions, scaled
filter by filter, its loss is the higher one throughout. It is not the worse one on the test set. This is one pair of
runs, at rates and numbers of steps of their own: it shows the measure at work and proves nothing about generalisation.
"""
