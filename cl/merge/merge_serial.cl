/* SPDX-License-Identifier: MIT */
/*
 * Merge for CPUs: a work-item merges one piece of the output between two diagonals of the merge
 * path (merge_path.cl). Pieces have equal lengths. There is no local memory and no barrier, and no
 * work-item waits for another.
 */
CLP_KERNEL(1)
void clp_merge_serial(CLP_IO_PARAMETERS, global CLP_E *out, ulong out_first CLP_PAYLOAD_PARAMETERS,
                      global clp_report *report, ulong report_first CLP_USER_PARAMETERS) {
    clp_io io = CLP_IO;
    clp_piece piece;
    clp_report_counts(n_a, n_b, CLP_COUNTS, report != 0 ? report + report_first : 0);
    clp_take_counts(&io, CLP_COUNTS);
    const ulong n = io.n_a + io.n_b, groups = get_num_groups(0);
    const ulong length = n / groups + (n % groups > 0);
    const ulong diagonal = min(get_group_id(0) * length, n), end = min(diagonal + length, n);
    clp_set_piece(&piece, diagonal, end - diagonal, clp_find_split(&io, diagonal),
                  clp_find_split(&io, end));
    const ulong end_a = piece.a + piece.n_a, end_b = piece.b + piece.n_b;
    ulong at_a = piece.a, at_b = piece.b;
    global CLP_E *to = out + out_first;
#if CLP_PAYLOAD
    const global CLP_VALUE *from_a = payload_a + payload_a_first;
    const global CLP_VALUE *from_b = payload_b + payload_b_first;
    global CLP_VALUE *values = payload_out + payload_out_first;
#endif
    while (at_a < end_a && at_b < end_b) {
        const CLP_E x = io.a[at_a], y = io.b[at_b];
        const bool is_a = clp_a_is_first(x, y, &io);
        to[at_a + at_b] = is_a ? x : y;
#if CLP_PAYLOAD
        values[at_a + at_b] = is_a ? from_a[at_a] : from_b[at_b];
#endif
        at_a += is_a;
        at_b += !is_a;
    }
    for (; at_a < end_a; at_a++) {
        to[at_a + at_b] = io.a[at_a];
#if CLP_PAYLOAD
        values[at_a + at_b] = from_a[at_a];
#endif
    }
    for (; at_b < end_b; at_b++) {
        to[at_a + at_b] = io.b[at_b];
#if CLP_PAYLOAD
        values[at_a + at_b] = from_b[at_b];
#endif
    }
}
