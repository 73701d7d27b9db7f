/* SPDX-License-Identifier: MIT */
/* The steps of a scan of what is open from work-item to work-item of a group, through local memory:
 * CLP_OPEN_STEP(from, to, distance) goes from shared.open[from] to shared.open[to]. */
#if CLP_GROUP >= 1024
#define CLP_OPEN_STEPS_LONG                                                                        \
    CLP_OPEN_STEP(0, 1, 64)                                                                        \
    CLP_OPEN_STEP(1, 0, 128)                                                                       \
    CLP_OPEN_STEP(0, 1, 256)                                                                       \
    CLP_OPEN_STEP(1, 0, 512)
#define CLP_SCANNED 0
#elif CLP_GROUP >= 512
#define CLP_OPEN_STEPS_LONG                                                                        \
    CLP_OPEN_STEP(0, 1, 64)                                                                        \
    CLP_OPEN_STEP(1, 0, 128)                                                                       \
    CLP_OPEN_STEP(0, 1, 256)
#define CLP_SCANNED 1
#elif CLP_GROUP >= 256
#define CLP_OPEN_STEPS_LONG                                                                        \
    CLP_OPEN_STEP(0, 1, 64)                                                                        \
    CLP_OPEN_STEP(1, 0, 128)
#define CLP_SCANNED 0
#elif CLP_GROUP >= 128
#define CLP_OPEN_STEPS_LONG CLP_OPEN_STEP(0, 1, 64)
#define CLP_SCANNED 1
#else
#define CLP_OPEN_STEPS_LONG
#define CLP_SCANNED 0
#endif

/* From shared.open[0] to shared.open[CLP_SCANNED]. */
#define CLP_SCAN_OPEN                                                                              \
    CLP_OPEN_STEP(0, 1, 1)                                                                         \
    CLP_OPEN_STEP(1, 0, 2)                                                                         \
    CLP_OPEN_STEP(0, 1, 4)                                                                         \
    CLP_OPEN_STEP(1, 0, 8)                                                                         \
    CLP_OPEN_STEP(0, 1, 16)                                                                        \
    CLP_OPEN_STEP(1, 0, 32)                                                                        \
    CLP_OPEN_STEPS_LONG
