# SPDX-License-Identifier: MIT
# Reads ctest's JUnit files. Prints the reason of each skip and, last, the three counts: a test
# program counts as many times as it has cases, any other test once.
/<testcase / {
    name = $0
    sub(/.*<testcase name="/, "", name)
    sub(/".*/, "", name)
    status = $0
    sub(/.* status="/, "", status)
    sub(/".*/, "", status)
    counted = 0
    case_failures = 0
}
/^([ \t]*<system-out>)?SKIPPED / {
    line = $0
    sub(/^[ \t]*<system-out>/, "", line)
    sub(/<.*/, "", line)
    gsub(/&quot;/, "\"", line)
    gsub(/&apos;/, "'", line)
    gsub(/&lt;/, "<", line)
    gsub(/&gt;/, ">", line)
    gsub(/&amp;/, "\\&", line)
    # A program that ran no case does not know what ctest calls it.
    sub(/^SKIPPED ALL:/, "SKIPPED " name ":", line)
    reason[line] = 1
}
/^cases: / && status != "notrun" {
    counted = 1
    passed += $2
    failed += $4
    skipped += $6
    case_failures = $4
}
/<\/testcase>/ {
    if (status == "notrun" || status == "disabled") skipped++
    else if (status == "fail" && case_failures == 0) failed++
    else if (status != "fail" && !counted) passed++
}
END {
    # Many cases of a program that have one reason are told in one line.
    for (line in reason) {
        program = why = line
        sub(/^SKIPPED /, "", program)
        sub(/[\/:].*/, "", program)
        sub(/^[^:]*: /, "", why)
        about[line] = program ": " why
        cases[about[line]]++
    }
    for (line in reason)
        if (cases[about[line]] <= 3) print line | "sort"
    for (each in cases)
        if (cases[each] > 3) {
            program = why = each
            sub(/:.*/, "", program)
            sub(/^[^:]*: /, "", why)
            printf "SKIPPED %s, %d cases: %s\n", program, cases[each], why | "sort"
        }
    close("sort")
    printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
}
