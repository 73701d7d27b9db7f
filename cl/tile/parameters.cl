/* SPDX-License-Identifier: MIT */
/*
 * Parameters of the caller's texts. The host makes of them the structure clp_user, what a kernel
 * takes after its own arguments (CLP_USER_PARAMETERS), and these arguments in a row
 * (CLP_USER_VALUES). A clp_io carries them to the function that a text became.
 */
#ifdef CLP_USER_VALUES
#define CLP_USER(io) , &(io)->user
#define CLP_USER_IO                                                                                \
    , {                                                                                            \
        CLP_USER_VALUES                                                                            \
    }
#else
#define CLP_USER_PARAMETERS
#define CLP_USER(io)
#define CLP_USER_IO
#endif
