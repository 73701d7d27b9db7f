/* SPDX-License-Identifier: MIT */
/*
 * Parameters of the caller's texts. The host writes into the prelude the structure clp_user, the
 * parameters that a kernel takes behind its own (CLP_USER_PARAMETERS), and their names in a row
 * (CLP_USER_VALUES). A clp_io carries the values to the function that the text became; a kernel
 * without one keeps them (CLP_USER_KEPT), and its functions take them and pass them on. These are
 * macros since they are parts of argument and initializer lists.
 */
#ifdef CLP_USER_VALUES
#define CLP_USER(io) , &(io)->user
#define CLP_USER_IO                                                                                \
    , {                                                                                            \
        CLP_USER_VALUES                                                                            \
    }
#define CLP_USER_KEPT                                                                              \
    const clp_user user_kept = {CLP_USER_VALUES};                                                  \
    const clp_user *const user = &user_kept;
#define CLP_USER_TAKEN , const clp_user *user
#define CLP_USER_PASSED , user
#else
#define CLP_USER_PARAMETERS
#define CLP_USER(io)
#define CLP_USER_IO
#define CLP_USER_KEPT
#define CLP_USER_TAKEN
#define CLP_USER_PASSED
#endif
