/* SPDX-License-Identifier: MIT */
/**
 * clprims: parallel primitives in C and OpenCL C.
 *
 * The tour, in the order in which a program meets it:
 *
 *   core.h      what every call shares: the status, the error record, element types, operators,
 *               device buffers, and the context that holds one device;
 *   scan.h      prefix sums and every other running combination of an array;
 *   offsets.h   where the parts of a jagged array begin;
 *   select.h    stream compaction, partition, runs;
 *   once.h      sums, extremes and sorts of plain arrays, in one call each;
 *   reduce.h    the combination of all elements, or the index of the best;
 *   segmented.h reduce and scan of segments, reduce by key;
 *   sort.h      stable sort of keys, with payloads, or of indices;
 *   merge.h     two sorted arrays become one, with a payload;
 *   search.h    where many needles would stand in a sorted array;
 *   segmented_sort.h  the same within the segments of an array;
 *   topk.h      the k greatest or least elements and where they stand;
 *   histogram.h how many elements fall into each bin, or the sum of their weights;
 *   parents.h   the segment and the local index of each element of a jagged array;
 *   gather.h    elements in the order of an array of indices;
 *   list.h      ranking of linked lists;
 *   listscan.h  running combinations of values along a linked list;
 *   forest.h    ranking of several linked lists in one array;
 *   minplus.h   min-plus products of matrices and shortest paths.
 *
 * Each primitive is a plan with three verbs for the device and one for people:
 *
 *   create   slow: checks, chooses, compiles, allocates;
 *   enqueue  fast: pure submission to an OpenCL queue, results are ready when the event is;
 *   destroy  gives everything back, NULL is fine;
 *   run      plain arrays in, plain arrays out, blocks, and reports errors in the data.
 */
#ifndef CLPRIMS_CLPRIMS_H
#define CLPRIMS_CLPRIMS_H

#include <clprims/core.h>
#include <clprims/forest.h>
#include <clprims/gather.h>
#include <clprims/histogram.h>
#include <clprims/list.h>
#include <clprims/listscan.h>
#include <clprims/merge.h>
#include <clprims/minplus.h>
#include <clprims/offsets.h>
#include <clprims/once.h>
#include <clprims/parents.h>
#include <clprims/reduce.h>
#include <clprims/scan.h>
#include <clprims/search.h>
#include <clprims/segmented.h>
#include <clprims/segmented_sort.h>
#include <clprims/select.h>
#include <clprims/sort.h>
#include <clprims/topk.h>

#endif
