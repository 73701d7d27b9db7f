#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""beside_pyfai.py LIBRARY WORK: azimuthal integration of X-ray images as pyFAI does it, by the package
clprims: histograms, sums and medians of the pixels of each ring, beside pyFAI's Cython and OpenCL."""
import sys
import unittest
from pathlib import Path

import numpy as np
from pyFAI.integrator.azimuthal import AzimuthalIntegrator

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
import agrees  # noqa: E402

SHAPE = 500, 400
RINGS = 200
UNIT = "2th_deg"


def integrator():
    return AzimuthalIntegrator(dist=0.1, poni1=0.02, poni2=0.015, pixel1=1e-4, pixel2=1e-4, wavelength=1e-10)


class Rings(unittest.TestCase):
    def setUp(self):
        self.pyfai = integrator()
        self.image = np.random.default_rng(1).poisson(100, SHAPE).astype(np.float32)

    def integrated(self, *method):
        return self.pyfai.integrate1d(self.image, RINGS, unit=UNIT, method=method, correctSolidAngle=False)

    def table(self, *method):
        """The sparse matrix of a method: the pixels of each ring, and the share that the ring has of
        each; on the device."""
        self.integrated(*method)
        engine = next(engine for key, engine in self.pyfai.engines.items()
                      if (key.split_lower, key.algo_lower, key.impl_lower) == method)
        arrays = engine.engine.data, engine.engine.indices, engine.engine.indptr
        return [agrees.on_device(np.asarray(array)) for array in arrays]

    def test_histograms(self):
        """Pixels that are not split, by the angles of their centres."""
        angles = self.pyfai.array_from_unit(SHAPE, unit=UNIT)
        expected = self.integrated("no", "histogram", "cython")
        step = expected.radial[1] - expected.radial[0]
        edges = expected.radial[0] - step / 2 + step * np.arange(RINGS + 1)
        counts, _ = clprims.histogram(angles, edges)
        sums, _ = clprims.histogram(angles, edges, weights=self.image)
        # pyFAI rounds the edges in another order: a pixel at an edge may be in either ring.
        self.assertLessEqual(np.abs(counts - expected.count).sum(), 8)
        np.testing.assert_allclose(sums / counts, expected.intensity, rtol=0.02)

    def test_sums(self):
        image = agrees.on_device(self.image)
        for split in ("no", "bbox"):
            shares, pixels, begins = self.table(split, "csr", "cython")
            products = clprims.map("x * image[pixel[i]]", shares, image=image, pixel=pixels)
            sums = clprims.segment_reduce(products, begins, dtype=np.float64).get()
            counts = clprims.segment_reduce(shares, begins, dtype=np.float64).get()
            for implementation in ("cython", "opencl"):
                expected = self.integrated(split, "csr", implementation)
                np.testing.assert_allclose(sums, expected.sum_signal, rtol=1e-5)
                np.testing.assert_allclose(counts, expected.count, rtol=1e-5)

    def test_medians(self):
        """The pixels of each ring in order: by their values, then stably by their rings."""
        _, pixels, begins = self.table("no", "csr", "cython")
        values = clprims.take(agrees.on_device(self.image), pixels)
        ring = clprims.searchsorted(begins, clprims.map("i", values, dtype=np.int32), "right")
        by_value = clprims.argsort(values)
        order = clprims.take(by_value, clprims.argsort(clprims.take(ring, by_value)))
        medians = clprims.map("(values[order[(first[i] + first[i + 1] - 1) / 2]]"
                              " + values[order[(first[i] + first[i + 1]) / 2]]) / 2", n=RINGS, dtype=np.float32,
                              values=values, order=order, first=begins).get()
        # pyFAI's OpenCL did not end on PoCL 3.1 in six minutes.
        expected = self.pyfai.medfilt1d_ng(self.image, RINGS, unit=UNIT, correctSolidAngle=False,
                                           method=("no", "csr", "cython"))
        np.testing.assert_allclose(medians, expected.intensity, rtol=1e-6)


if __name__ == "__main__":
    agrees.clprims = clprims = agrees.package(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
