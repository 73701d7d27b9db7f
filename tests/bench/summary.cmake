# SPDX-License-Identifier: MIT
# What `bench/figures summary` says in words of made-up figures: who is faster, where, and why as far
# as the figures tell. PYTHON runs FIGURES; the CSV file goes to the folder AT.
set(head "suite,name,library,method,n,bytes,seconds,serial_seconds,verdict,device")
set(rows
  "scan,int32,clprims,lookahead: single-wave,1024,8192,6e-6,0,equal" # a variant that AUTO chose
  "scan,int32,CUB,300001,1024,8192,5e-6,0,equal" # faster: launch time
  "scan,int32,plain C,one core,1024,8192,3e-6,0,equal" # faster: launch time
  "scan,int32,clprims,lookahead,1048576,8388608,20e-6,0,equal"
  "scan,int32,CUB,300001,1048576,8388608,40e-6,0,equal" # twice as slow
  "scan,int32,Thrust,300001,1048576,8388608,1e-6,0,wrong" # does not count
  "scan,int32,plain C,one core,1048576,8388608,10e-6,0,equal" # faster, for no reason that shows
  "scan,int32,clprims,lookback,1048576,8388608,1e-6,0,equal" # not what AUTO chose
  "scan,int64,clprims,lookahead,1048576,16777216,100e-6,0,equal"
  "scan,int64,CUB,300001,1048576,16777216,101e-6,0,equal" # level
  "list,random,clprims,ranking,10000,80000,20e-6,5e-6,equal" # slower: caches
  "list,random,clprims,ranking,100000,800000,20e-6,5e-6,equal" # the same, in the same line
  "list,random,clprims,ranking,1000000,8000000,20e-6,61e-6,equal" # three times as fast
  "textbook,004 scan,textbook,CPU,4096,32768,2e-6,0,equal" # faster: launch time
  "textbook,004 scan,clprims,clprims,4096,32768,6e-6,0,equal")
set(expected
"Beside CUB: clprims is faster in 1 of 3 results (median 1.01 x, best 2.0 x with scan int32, n = 2^20), level in 1, slower in 1:
    scan int32, n = 2^10 (0.83 x): launch time dominates
Beside plain C: clprims is faster in 0 of 2 results, slower in 2:
    scan int32, n = 2^10 (0.50 x): launch time dominates
    scan int32, n = 2^20 (0.50 x)
Beside plain C on one core: clprims is faster in 1 of 3 results (median 0.25 x, best 3.0 x with list random, n = 10^6), slower in 2:
    list random, n = 10^4 (0.25 x), 10^5 (0.25 x): the data fit the host's caches
Beside the textbook's steps: clprims is faster in 0 of 1 results, slower in 1:
    004 scan, CPU, n = 2^12 (0.33 x): launch time dominates
")
set(pocl_head "suite,name,library,method,n,bytes,seconds,seconds_least,verdict,device,platform")
set(pocl_rows
  "sort,uint32 keys sorted,clprims,serial,1048576,8388608,5e-3,4e-3,equal"
  "sort,uint32 keys sorted,oneTBB,2021.8,1048576,8388608,1e-3,1e-3,equal" # known of sorted keys
  "reduce,int32,clprims,serial,1048576,8388608,2e-3,2e-3,equal"
  "reduce,int32,oneTBB,2021.8,1048576,8388608,1e-3,1e-3,equal" # short
  "select,uint32,clprims,lookback,16777216,8388608,8e-3,3e-3,equal"
  "select,uint32,oneTBB,2021.8,16777216,8388608,4e-3,3e-3,equal" # the best runs are alike
  "scan,int32,clprims,lookback,16777216,8388608,5e-3,5e-3,equal"
  "scan,int32,oneTBB,2021.8,16777216,8388608,4e-3,4e-3,equal") # for no reason that shows
set(pocl_expected
"Beside oneTBB: clprims is faster in 0 of 4 results, slower in 4:
    sort uint32 keys sorted, n = 2^20 (0.20 x): oneTBB notices that the keys are in order
    reduce int32, n = 2^20 (0.50 x): PoCL's threads often share a core in so short a call
    select uint32, n = 2^24 (0.50 x): the fastest run of clprims is no slower; PoCL's threads may share a core in others
    scan int32, n = 2^24 (0.80 x)
")

# Fails unless a summary of `rows` says `expected`.
function(check_summary rows expected)
  file(WRITE ${AT}/summary.csv "${rows}")
  execute_process(COMMAND ${PYTHON} ${FIGURES} summary ${AT}/summary.csv OUTPUT_VARIABLE said
    RESULT_VARIABLE status)
  if(NOT status EQUAL 0 OR NOT said STREQUAL expected)
    message(FATAL_ERROR "Exit status ${status}; said:\n${said}\nand not:\n${expected}")
  endif()
endfunction()
list(JOIN rows ",paper\n" lines)
check_summary("${head}\n${lines},paper\n" "${expected}")
list(JOIN pocl_rows ",paper,Portable Computing Language\n" lines)
check_summary("${pocl_head}\n${lines},paper,Portable Computing Language\n" "${pocl_expected}")
