/* SPDX-License-Identifier: MIT */
/*
 * Keys that the caller's expression makes of elements, which the sort then takes for its own; and
 * large elements, of which the sort moved the indices alone, put in order by these. A work-item
 * takes CLP_EACH adjacent elements: on GPUs one, on CPUs so many that a launch stays small, since
 * PoCL compiles a kernel again for its first launch of 2^16 work-items.
 */
typedef char clp_element_has_the_stated_size[sizeof(CLP_E) == CLP_E_BYTES ? 1 : -1];

#define CLP_N_PARAMETERS ulong most CLP_COUNT_PARAMETERS

/* The first of the work-item's elements, and the one behind its last; none where the count is
 * refused, which the sort reports. */
#define CLP_BEGIN (get_global_id(0) * CLP_EACH)
#define CLP_END clp_end(most, counted, counted_first)
static inline ulong clp_end(ulong most, const global ulong *counted, ulong counted_first) {
    const ulong n = clp_read_count(most, counted, counted_first, 0);
    return n == CLP_REFUSED ? 0 : min(n, CLP_BEGIN + CLP_EACH);
}

/* Macros because only programs with parameters of the user have clp_user. */
#ifdef CLP_USER_VALUES
#define CLP_KEY_OF(x, i) clp_users_key(x, i, &given)
#define CLP_GIVEN const clp_user given = {CLP_USER_VALUES};
#else
#define CLP_KEY_OF(x, i) clp_users_key(x, i)
#define CLP_GIVEN
#endif

CLP_KERNEL(CLP_GROUP)
void clp_sort_make(const global CLP_E *elements, ulong first, CLP_N_PARAMETERS,
                   global CLP_MADE *made CLP_USER_PARAMETERS) {
    const ulong end = CLP_END;
    CLP_GIVEN
    for (ulong i = CLP_BEGIN; i < end; i++) made[i] = CLP_KEY_OF(elements[first + i], i);
}

#if CLP_HAS_ORDER
CLP_KERNEL(CLP_GROUP)
void clp_sort_gather(const global CLP_E *in, ulong in_first, global CLP_E *to, ulong to_first,
                     CLP_N_PARAMETERS, const global CLP_INDEX *order) {
    const ulong end = CLP_END;
    for (ulong i = CLP_BEGIN; i < end; i++) to[to_first + i] = in[in_first + order[i]];
}

/* In place, when all are gathered. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_place(const global CLP_E *gathered, global CLP_E *out, ulong out_first,
                    CLP_N_PARAMETERS) {
    const ulong end = CLP_END;
    for (ulong i = CLP_BEGIN; i < end; i++) out[out_first + i] = gathered[i];
}
#endif
