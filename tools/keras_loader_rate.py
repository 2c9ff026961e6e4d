#!/usr/bin/env python3
"""How many JPEGs one core loads and augments the way Keras' ImageDataGenerator does: Pillow decodes and resizes, and
scipy.ndimage warps every channel (rotation, shift, shear, zoom), as keras_preprocessing's apply_affine_transform.

Prints images/s, and with the probe's own rate (decode_rate_augmented of plimsoll probe --json) as argument the quotient
of the two. Needs numpy, scipy and Pillow; for developers only.
"""
import io
import sys
import time

import numpy
from PIL import Image
from scipy import ndimage

SIZE = 256


def photo(random, width=500, height=375):
    """Smooth shapes with grain: compresses about as a photograph does."""
    small = random.uniform(0, 255, (height // 25, width // 25, 3))
    smooth = ndimage.zoom(small, (height / small.shape[0], width / small.shape[1], 1), order=3)
    image = numpy.clip(smooth + random.normal(0, 8, smooth.shape), 0, 255).astype(numpy.uint8)
    file = io.BytesIO()
    Image.fromarray(image).save(file, "JPEG", quality=90)
    return file.getvalue()


def transform(random):
    theta = numpy.deg2rad(random.uniform(-15, 15))
    shear = numpy.deg2rad(random.uniform(-10, 10))
    move = random.uniform(-0.1, 0.1, 2) * SIZE
    zoom = random.uniform(0.8, 1.2, 2)
    rotate = numpy.array([[numpy.cos(theta), -numpy.sin(theta), 0], [numpy.sin(theta), numpy.cos(theta), 0], [0, 0, 1]])
    shift = numpy.array([[1, 0, move[0]], [0, 1, move[1]], [0, 0, 1]])
    slant = numpy.array([[1, -numpy.sin(shear), 0], [0, numpy.cos(shear), 0], [0, 0, 1]])
    scale = numpy.array([[zoom[0], 0, 0], [0, zoom[1], 0], [0, 0, 1]])
    centre = SIZE / 2 + 0.5
    there = numpy.array([[1, 0, centre], [0, 1, centre], [0, 0, 1]])
    back = numpy.array([[1, 0, -centre], [0, 1, -centre], [0, 0, 1]])
    return there @ (rotate @ shift @ slant @ scale) @ back


def load(jpeg, random):
    image = Image.open(io.BytesIO(jpeg)).convert("RGB").resize((SIZE, SIZE), Image.NEAREST)
    x = numpy.rollaxis(numpy.asarray(image, dtype="float32"), 2, 0)
    matrix = transform(random)
    turn, shift = matrix[:2, :2], matrix[:2, 2]
    channels = [ndimage.affine_transform(channel, turn, shift, order=1, mode="nearest") for channel in x]
    x = numpy.rollaxis(numpy.stack(channels), 0, 3)
    if random.random() < 0.5:
        x = x[:, ::-1, :]
    return x * (1 / 255)


def main():
    random = numpy.random.default_rng(1)
    jpegs = [photo(random) for _ in range(8)]
    rates = []
    for _ in range(5):
        start = time.perf_counter()
        for i in range(64):
            load(jpegs[i % len(jpegs)], random)
        rates.append(64 / (time.perf_counter() - start))
    rate = sorted(rates)[len(rates) // 2]
    print(f"Pillow and scipy: {rate:.1f} images/s on one core")
    if len(sys.argv) > 1:
        print(f"the probe's rate is {float(sys.argv[1]) / rate:.2f} times that")


if __name__ == "__main__":
    main()
