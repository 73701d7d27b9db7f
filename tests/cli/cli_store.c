/* SPDX-License-Identifier: MIT */
/* The programs that the command keeps, and its subcommand pack. */
#include "cli/cli_run.h"

static const cli_file files[] = {
    {"in", "int32 3 1 4 1 5"},
};

/* A file that was used is no longer as old as the script makes it. */
#define AGE "touch -d '2 hours ago' "
#define SCAN "$C scan in -o out "

typedef struct store_case {
    const char *name;
    const char *script; /* ends with 0 */
    const char *listing; /* beside the input */
} store_case;

static const store_case store_cases[] = {
    {"used",
     SCAN "--store S; n=$(ls S | wc -l); test $n -ge 2; " AGE "S/*; " SCAN
          "--store=S; test -z \"$(find S -type f -mmin +60)\"; test $(ls S | wc -l) = $n",
     "S in out "},
    {"info",
     "$C info --store S > text; " AGE "S/*; $C info --store S > text; test -z \"$(find S "
     "-type f -mmin +60)\"; rm text",
     "S in "},
    {"info/pack",
     "$C info --store S > text; cat S/* > a; $C info --no-store --pack a > text; grep -q "
     "'^    programs  [1-9][0-9]* found, 0 of them machine code; 0 compiled$' text; rm text",
     "S a in "},
    {"xdg", "mkdir x; XDG_CACHE_HOME=$PWD/x " SCAN "; test -n \"$(ls x/clprims)\"", "in out x "},
    {"home",
     "mkdir -p h/.cache; unset XDG_CACHE_HOME; HOME=$PWD/h " SCAN
     "; test -n \"$(ls h/.cache/clprims)\"",
     "h in out "},
    {"xdg-relative",
     "mkdir -p x h/.cache; XDG_CACHE_HOME=x HOME=$PWD/h " SCAN
     "; test -z \"$(ls x)\"; test -n \"$(ls h/.cache/clprims)\"",
     "h in out x "},
    {"no-home", "unset XDG_CACHE_HOME HOME; " SCAN, "in out "},
    {"no-cache", "mkdir h; unset XDG_CACHE_HOME; HOME=$PWD/h " SCAN "; test -z \"$(ls -A h)\"",
     "h in out "},
    {"no-store", "mkdir x; XDG_CACHE_HOME=$PWD/x " SCAN "--no-store; test -z \"$(ls x)\"",
     "in out x "},
    {"pack",
     SCAN "--store S; cat S/* > a; $C pack a > 1; test $(wc -l < 1) = $(ls S | wc -l); "
          "grep -q ' bytes  .*, driver ' 1; cat a a > twice; $C pack twice > 2; cmp 1 2",
     "1 2 S a in out twice "},
    {"pack/merged",
     SCAN "--store S; set S/*; $C pack $1 $2 -o both; cat $1 $2 | cmp - both; "
          "$C pack both $1 -o both; cat $1 $2 | cmp - both; $C pack - < both > list; "
          "test $(wc -l < list) = 2",
     "S both in list out "},
    {"pack/pruned",
     SCAN "--store S; cat S/* > a; $C pack a --for 'no such device' -o none; test ! -s none; "
          "$C pack a --for ', driver ' -o all; cmp a all",
     "S a all in none out "},
    {"pack/damaged",
     SCAN "--store S; set S/*; cat $1 $2 > a; printf x | dd of=a bs=1 seek=150 conv=notrunc "
          "status=none; ! $C pack a -o good 2> said; grep -q 'byte 0 of [0-9]* is damaged' said; "
          "cmp $2 good; head -c 100 $2 >> good; ! $C pack good -o better 2> said; cmp $2 better; "
          "grep -q 'good: pack_describe: no program' said",
     "S a better good in out said "},
    {"pack/empty", ": > a; $C pack a; $C pack a -o b; test ! -s b", "a b in "},
};

static void keeps(const void *data) {
    const store_case *c = data;
    cli_write_files(files);
    cli_expect(c->script, 0, "");
    assert_string_equal(cli_listing(), c->listing);
}

void cli_add_store(test_cases *cases) {
    test_add_rows(cases, keeps, store_cases, "cli/store");
}
