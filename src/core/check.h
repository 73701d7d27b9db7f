/* SPDX-License-Identifier: MIT */
/* What every primitive refuses in the same words. */
#ifndef CLP_CHECK_H
#define CLP_CHECK_H

#include <clprims/core.h>

/* Copies the caller's structure into *full: what an older caller's lacks is zero, and what a newer
 * one has besides must be. name: "desc". Status: ARGUMENT. */
clprims_status clp_take(const char *who, const char *name, const void *given, size_t given_bytes,
                        void *full, size_t bytes);

/* The other way round: the caller's structure gets as much of *full as it has room for, and zero
 * behind that. */
clprims_status clp_give(const char *who, const char *name, const void *full, size_t bytes,
                        void *given, size_t given_bytes);

/* What a public function begins with: clears the thread's error record, and refuses a pointer that
 * is NULL. name: of the caller's parameter. */
clprims_status clp_begin(const char *who, const char *name, const void *pointer);

/* Refuses another pointer that is NULL. */
clprims_status clp_given(const char *who, const char *name, const void *pointer);

/* A value of the enumeration `of`, from 0 to most; a type other than the default. name: of the
 * caller's member. */
clprims_status clp_check_enumerator(const char *who, const char *name, int value, int most,
                                    const char *of);
clprims_status clp_check_type(const char *who, const char *name, clprims_type type);

enum { CLP_LARGEST_VALUE = 256 }; /* bytes of an element or a running value */

/* A CLPRIMS_STRUCT has from 1 to CLP_LARGEST_VALUE bytes. */
clprims_status clp_check_struct_bytes(const char *who, const clprims_custom *custom);

/* The same, and that it has a type's name, for texts that use elements of it. */
clprims_status clp_check_struct(const char *who, const clprims_custom *custom);

/* UNSUPPORTED where a type is float64 and the device has none. */
clprims_status clp_check_float64(const clprims_context *context, const char *who, clprims_type a,
                                 clprims_type b);

/* A type for positions is an integer of 32 or 64 bits and holds `largest`. name: of the type's
 * member; most_name, most: of the size that leads to `largest`. */
clprims_status clp_check_reach(const char *who, const char *name, clprims_type type,
                               const char *most_name, size_t most, size_t largest);

/* A type of offsets is an integer of 32 or 64 bits, of which kernels read the signed one: beyond
 * its reach an unsigned offset is negative there, and hence the same fault. The default is int64.
 * name: of the type's member. */
clprims_status clp_check_offsets(const char *who, const char *name, clprims_type type, size_t max_n,
                                 clprims_type *offsets);
const char *clp_offset_text(clprims_type offsets);

/* max_n is neither 0 nor beyond what can be counted. */
clprims_status clp_check_max_n(const char *who, size_t max_n, size_t most);

/* max_segments is neither 0 nor beyond what can be counted. */
clprims_status clp_check_max_segments(const char *who, size_t max_segments, size_t most);

/* The data error of a number in device memory, a uint64, as a report has it. name: "n". */
clprims_status clp_fail_count(const char *who, const char *name, int64_t count);

/* The data error of the offset that a report names: its value and what is wrong with it. offsets:
 * the caller's, of that type, with n elements; NULL: they are not known. */
clprims_status clp_fail_offset(const char *who, int64_t index, clprims_type type,
                               const void *offsets, size_t n);

/* The status of a counted run's report: 0 is no fault, 1 a count beyond max_n; ARGUMENT for others.
 */
clprims_status clp_check_count_report(const char *who, int64_t fault, int64_t count);

/* Of what is left when a primitive has told its own faults: 0 is no fault, no run writes others. */
clprims_status clp_check_fault(const char *who, int64_t fault);

/* Of a value of clprims_segments_by: "by = 0 (offsets)". */
const char *clp_segments_by_text(clprims_segments_by by);

/* Returns the number of segments of n elements that have `length` each, the last one what is left;
 * 0 for a length of 0. */
size_t clp_rows(size_t n, size_t length);

/* A plan's segments are given by offsets, or have one length and no offsets. */
clprims_status clp_check_by(const char *who, clprims_segments_by by, clprims_type offsets);

/* A run has the number of segments by offsets alone, and their length with CLPRIMS_SEGMENTS_EQUAL
 * alone. */
clprims_status clp_check_segment_sizes(const char *who, clprims_segments_by by, size_t segments,
                                       size_t length);

/* A run's number is within the plan's. name: "segments"; most_name: "max_segments". */
clprims_status clp_check_within(const char *who, const char *name, size_t number,
                                const char *most_name, size_t most);
clprims_status clp_check_n(const char *who, size_t n, size_t max_n);

#endif
