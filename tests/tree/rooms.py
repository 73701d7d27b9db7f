# SPDX-License-Identifier: MIT
"""Rooms of primitives that lean on another primitive's room, in src and in cl. All others lean on
engine and what is below it alone; layers.py and macros.py hold them to it."""

# A segmented sort and top-k take sort's keys, sums, networks and digits, and run plans of sort. Top-k of
# segments takes the segments of segmented sort. Blocks, which are no primitive, sum and order as sort does.
LEANS_ON = {"blocks": ("sort",), "segmented_sort": ("sort",), "topk": ("sort", "segmented_sort")}
