/* SPDX-License-Identifier: MIT */
/*
 * Parameters of the caller's texts. The host writes into the prelude the structure clp_user, the
 * parameters that a kernel takes behind its own (CLP_USER_PARAMETERS), and their names in a row
 * (CLP_USER_VALUES). A clp_io carries the values to the function that the text became. These are
 * macros since they are parts of argument and initializer lists.
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
