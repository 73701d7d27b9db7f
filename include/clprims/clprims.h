/* SPDX-License-Identifier: MIT */
/**
 * clprims: parallel primitives in C and OpenCL C.
 *
 * The tour, in the order in which a program meets it:
 *
 *   core.h      what every call shares: status, error record, element types, operators, device
 *               buffers, and the context that holds one device;
 *   once.h      sums, extremes and sorts of arrays and buffers, in one call each;
 *   scan.h      prefix sums and every other running combination of an array;
 *   map.h       from each element, or its index, up to four others by expressions;
 *   reduce.h    the combination of all elements, or the index of the least or the greatest;
 *   segmented.h reduce and scan of segments, reduce by key;
 *   select.h    stream compaction, partition, runs;
 *   sort.h      stable sort of keys, with payloads, or of indices;
 *   segmented_sort.h  the same within each segment of an array;
 *   topk.h      the k greatest or least elements, also of each segment, and where they stand;
 *   merge.h     two sorted arrays become one, with a payload;
 *   search.h    where many needles would stand in a sorted array;
 *   histogram.h how many elements fall into each bin, or the sum of their weights;
 *   offsets.h   where the parts of a jagged array begin;
 *   parents.h   the segment and the local index of each element of a jagged array;
 *   gather.h    elements in the order of an array of indices;
 *   scatter.h   elements to the places that an array of indices names, stored or combined;
 *   list.h      ranking of linked lists;
 *   listscan.h  running combinations of values along a linked list;
 *   forest.h    ranking of several linked lists in one array;
 *   minplus.h   min-plus products of matrices and shortest paths;
 *   blocks.h    functions of a work-group, as text for kernels of your own.
 *
 * mpi.h, which a program includes by itself, has primitives over MPI ranks (libclprims-mpi).
 *
 * Each primitive is a plan:
 *
 *   create    slow: checks the description, chooses, compiles, allocates;
 *   enqueue   fast: submits to an OpenCL queue; results are there when the event is complete;
 *   run       plain arrays in, plain arrays out; blocks, and reports errors in the data;
 *   describe  what create decided, of most primitives;
 *   destroy   frees everything; NULL is fine. A context that is destroyed frees the plans that are
 *             left.
 *
 * Every enqueue ends with OpenCL's triple num_wait, wait and event, which mean what they mean in
 * OpenCL; event may be NULL. The queue may be in order or out of order; NULL stands for the
 * context's own. An enqueue never waits, reads back, allocates device memory or compiles.
 */
#ifndef CLPRIMS_CLPRIMS_H
#define CLPRIMS_CLPRIMS_H

#include <clprims/blocks.h>
#include <clprims/core.h>
#include <clprims/forest.h>
#include <clprims/gather.h>
#include <clprims/histogram.h>
#include <clprims/list.h>
#include <clprims/listscan.h>
#include <clprims/map.h>
#include <clprims/merge.h>
#include <clprims/minplus.h>
#include <clprims/offsets.h>
#include <clprims/once.h>
#include <clprims/parents.h>
#include <clprims/reduce.h>
#include <clprims/scan.h>
#include <clprims/scatter.h>
#include <clprims/search.h>
#include <clprims/segmented.h>
#include <clprims/segmented_sort.h>
#include <clprims/select.h>
#include <clprims/sort.h>
#include <clprims/topk.h>

#endif
