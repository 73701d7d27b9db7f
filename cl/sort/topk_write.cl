/* SPDX-License-Identifier: MIT */
/* The result of top-k, from the sorted candidates. */
#if CLP_NO_KEYS
#define CLP_VALUE_OUT
#else
#define CLP_VALUE_OUT values[values_first + i] = keys[i];
#endif
#if CLP_HAS_INDICES
#define CLP_INDEX_OUT out[out_first + i] = (CLP_INDEX)indices[i];
#else
#define CLP_INDEX_OUT
#endif

CLP_KERNEL(CLP_GROUP)
void clp_topk_write(const global CLP_K *keys, const global CLP_COUNT *indices,
                    const global ulong *state, global CLP_K *values, ulong values_first,
                    global CLP_INDEX *out, ulong out_first) {
    const ulong k = state[CLP_STATE_K];
    for (ulong i = get_global_id(0); i < k; i += get_global_size(0)) {
        CLP_VALUE_OUT
        CLP_INDEX_OUT
    }
}
