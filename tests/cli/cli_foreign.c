/* SPDX-License-Identifier: MIT */
/* .npy files of every make: some that the command reads, and some that it refuses. */
#include "cli/cli_run.h"

/* Headers that NumPy reads and others than NumPy write. */
typedef struct header_case {
    const char *name;
    int major; /* version */
    const char *text;
} header_case;

/* The claimed length of the header is the truth where it is 0. */
static void write_foreign(int major, size_t claimed, const char *text, const void *data,
                          size_t count) {
    char bytes[512] = "\x93NUMPY";
    const size_t start = major < 2 ? 10 : 12;
    const size_t length = strlen(text) + 1;
    if (start + length + count > sizeof bytes) test_fail("%s is too long", text);
    if (claimed == 0) claimed = length;
    bytes[6] = (char)major;
    for (size_t i = 8; i < start; ++i) bytes[i] = (char)(claimed >> 8 * (i - 8) & 0xff);
    memcpy(bytes + start, text, length - 1);
    bytes[start + length - 1] = '\n';
    memcpy(bytes + start + length, data, count);
    cli_write("foreign", bytes, start + length + count);
}

static const header_case header_cases[] = {
    {"version-2", 2, "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }"},
    {"version-3", 3, "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }"},
    {"python-2-blanks", 2, "{'descr': '<i4', 'fortran_order': False, 'shape': (3 L , ), }"},
    {"other-order", 1, "{'shape': (3,), 'fortran_order': False, 'descr': '<i4'}"},
    {"double-quotes", 1, "{\"descr\": \"<i4\", \"fortran_order\": False, \"shape\": (3,)}"},
    {"few-blanks", 1, "{'descr':'<i4','fortran_order':False,'shape':(3,)}"},
    {"many-blanks", 1, " {  'descr' : '<i4' , 'fortran_order' : False , 'shape' : ( 3 , ) }  "},
    {"python-2", 1, "{u'descr': u'<i4', 'fortran_order': False, 'shape': (3L,), }"},
    {"fortran-line", 1, "{'descr': '<i4', 'fortran_order': True, 'shape': (3,), }"},
};

static void reads_header(const void *data) {
    static const int32_t in[] = {3, 1, 4};
    const header_case *const entry = data;
    cli_clear();
    write_foreign(entry->major, 0, entry->text, in, sizeof in);
    cli_expect("scan foreign -o out", 0, "");
    cli_expect_values("out", "int32 0 3 4");
}

typedef struct file_case {
    const char *name;
    const char *part; /* of the message */
    size_t data_bytes;
    int major;
    size_t claimed; /* as for write_foreign */
    const char *text;
} file_case;

#define HEADER(descr, order, shape)                                                                \
    "{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape ", }"

static const file_case file_cases[] = {
    {"truncated", "is truncated: 5 elements of int32 need 20 bytes, but 19 are there", 19, 1, 0,
     HEADER("'<i4'", "False", "(5,)")},
    {"no-data", "need 40 bytes, but 0 are there", 0, 1, 0, HEADER("'<f8'", "False", "(5,)")},
    {"trailing", "has 3 bytes after its 5 elements of int16", 13, 1, 0,
     HEADER("'<i2'", "False", "(5,)")},
    {"big-endian", "are big-endian int32 ('>i4'); little-endian bool,", 20, 1, 0,
     HEADER("'>i4'", "False", "(5,)")},
    {"long-double", "are float128 ('<f16');", 80, 1, 0, HEADER("'<f16'", "False", "(5,)")},
    {"dates", "are datetime64 ('<M8[ns]');", 40, 1, 0, HEADER("'<M8[ns]'", "False", "(5,)")},
    {"unknown", "are of an unknown type ('<z8');", 40, 1, 0, HEADER("'<z8'", "False", "(5,)")},
    {"complex", "are complex128 ('<c16');", 80, 1, 0, HEADER("'<c16'", "False", "(5,)")},
    {"objects", "are Python objects ('|O');", 40, 1, 0, HEADER("'|O'", "False", "(5,)")},
    {"half",
     "are float16 ('<f2'); little-endian bool, int8 to int64, uint8 to uint64, float32 and "
     "float64 can be read\n",
     10, 1, 0, HEADER("'<f2'", "False", "(5,)")},
    {"text", "are text ('<U5');", 100, 1, 0, HEADER("'<U5'", "False", "(5,)")},
    {"structure", "are structures, [('x', '<i4'), ('y', ']f')]; one plain type is needed\n", 20, 1,
     0, HEADER("[('x', '<i4'), ('y', ']f')]", "False", "(5,)")},
    {"long-structure",
     "are structures, [('x', '<i4'), ('y', [('a', '<f8'), ('b', '<f8')]), ('a long...; one plain",
     20, 1, 0,
     HEADER("[('x', '<i4'), ('y', [('a', '<f8'), ('b', '<f8')]), ('a longer name', '<i4')]",
            "False", "(5,)")},
    {"open-structure", "its header is not a dictionary", 20, 1, 0,
     HEADER("[('x', '<i4')", "False", "(5,)")},
    {"single-value", "is a single value of shape ()", 4, 1, 0, HEADER("'<i4'", "False", "()")},
    {"two-dimensions", "its shape is (2, 3); one dimension is needed", 24, 1, 0,
     HEADER("'<i4'", "False", "(2, 3)")},
    {"fortran", "its shape is (2, 3) in Fortran order", 24, 1, 0,
     HEADER("'<i4'", "True", "(2, 3)")},
    {"shape-overflow", "its shape, (99999999999999999999999,), has more elements", 0, 1, 0,
     HEADER("'<i4'", "False", "(99999999999999999999999,)")},
    {"bytes-overflow", "4611686018427387904 elements of int32 have more bytes", 0, 1, 0,
     HEADER("'<i4'", "False", "(4611686018427387904,)")},
    {"negative-shape", "its header's shape, (-5,), is no tuple", 20, 1, 0,
     HEADER("'<i4'", "False", "(-5,)")},
    {"number-shape", "its header's shape, (5), is no tuple", 20, 1, 0,
     HEADER("'<i4'", "False", "(5)")},
    {"missing-key", "its header is not a dictionary of descr, fortran_order and shape", 20, 1, 0,
     "{'descr': '<i4', 'shape': (5,), }"},
    {"double-key", "its header is not a dictionary", 20, 1, 0, "{'shape': (5,), 'shape': (5,), }"},
    {"extra-key", "its header is not a dictionary", 20, 1, 0,
     "{'descr': '<i4', 'fortran_order': False, 'shape': (5,), 'more': 1}"},
    {"order-word", "its header is not a dictionary", 20, 1, 0, HEADER("'<i4'", "Perhaps", "(5,)")},
    {"no-dictionary", "its header is not a dictionary", 20, 1, 0, "\x1b[31mgarbage"},
    {"after-dictionary", "its header is not a dictionary", 20, 1, 0,
     HEADER("'<i4'", "False", "(5,)") "x"},
    {"header-beyond-file", "is truncated: its header has 65535 bytes, but", 20, 1, 65535,
     HEADER("'<i4'", "False", "(5,)")},
    {"absurd-header", "claims a header of 4294967295 bytes", 20, 2, 4294967295u,
     HEADER("'<i4'", "False", "(5,)")},
    {"version-0", "has .npy version 0.0", 20, 0, 0, HEADER("'<i4'", "False", "(5,)")},
    {"version-4", "has .npy version 4.0; 1.0, 2.0 and 3.0 can be read", 20, 4, 0,
     HEADER("'<i4'", "False", "(5,)")},
};

/* Refuses the foreign file, and leaves alone what the output's name stood for. */
static void expect_refusal(const char *part) {
    cli_write_values("out", "uint8 1 2 3");
    const cli_result *const result = cli_expect("scan foreign -o out", 2, part);
    expect_contains(result->err, "foreign: ");
    if (strchr(result->err, '\x1b')) test_fail("control characters reach the terminal");
    assert_string_equal(cli_listing(), "foreign out ");
    cli_expect_values("out", "uint8 1 2 3");
}

static void refuses_file(const void *data) {
    static const uint8_t zeros[128];
    const file_case *const file = data;
    cli_clear();
    write_foreign(file->major, file->claimed, file->text, zeros, file->data_bytes);
    expect_refusal(file->part);
}

typedef struct start_case {
    const char *name;
    const char *part;
    const char *bytes;
    size_t count;
} start_case;

static const start_case start_cases[] = {
    {"empty", "is truncated: it has 0 bytes", "", 0},
    {"half-magic", "is truncated: it has 3 bytes", "\x93NU", 3},
    {"magic-alone", "is truncated: it has 6 bytes", "\x93NUMPY", 6},
    {"no-length", "is truncated: 2 bytes more were expected", "\x93NUMPY\x01\x00", 8},
    {"half-length", "is truncated", "\x93NUMPY\x02\x00\x10\x00\x00", 11},
    {"text", "is no .npy file", "1, 2, 3\n", 8},
    {"archive", "is an archive, as .npz files are", "PK\x03\x04xxxxxxxxxxxxxxxxxxxx", 24},
};

static void refuses_start(const void *data) {
    const start_case *const start = data;
    cli_clear();
    cli_write("foreign", start->bytes, start->count);
    expect_refusal(start->part);
}

void cli_add_foreign(test_cases *cases) {
    test_add_rows(cases, reads_header, header_cases, "cli/header");
    test_add_rows(cases, refuses_start, start_cases, "cli/start");
    test_add_rows(cases, refuses_file, file_cases, "cli/file");
}
