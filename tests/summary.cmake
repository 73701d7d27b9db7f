# SPDX-License-Identifier: MIT
# What PROGRAM, clprims-bench, says in words of figures in the folder AT, made up here: who is ahead,
# where, and why as far as the figures tell.
set(head "suite,name,library,method,n,bytes,seconds,serial_seconds,verdict,device")
set(rows
  "scan,int32,clprims,lookahead,1024,8192,6e-6,0"
  "scan,int32,CUB,300001,1024,8192,5e-6,0" # behind: a launch
  "scan,int32,plain C,one core,1024,8192,3e-6,0" # behind: a launch
  "scan,int32,clprims,lookahead,1048576,8388608,20e-6,0"
  "scan,int32,CUB,300001,1048576,8388608,40e-6,0" # twice as slow
  "scan,int32,plain C,one core,1048576,8388608,10e-6,0" # behind, of no reason that shows
  "scan,int32,clprims,lookback,1048576,8388608,1e-6,0" # not what AUTO takes
  "scan,int64,clprims,lookahead,1048576,16777216,100e-6,0"
  "scan,int64,CUB,300001,1048576,16777216,101e-6,0" # level
  "list,random,clprims,ranking,10000,80000,20e-6,5e-6" # behind: caches
  "list,random,clprims,ranking,100000,800000,20e-6,5e-6" # the same, in the same line
  "list,random,clprims,ranking,1000000,8000000,20e-6,60e-6" # three times as fast
  "textbook,004 scan,textbook,CPU,4096,32768,2e-6,0" # behind: a launch
  "textbook,004 scan,clprims,clprims,4096,32768,6e-6,0")
set(expected
"beside CUB: clprims is ahead in 1 of 3 results, 1.01 times as fast at the median, most of all scan int32 at 2^20 (2.00); level in 1; behind in 1:
    scan int32 at 2^10 (0.83): so short that the launch decides
beside plain C: clprims is ahead in 0 of 2 results; behind in 2:
    scan int32 at 2^10 (0.50): so short that the launch decides
    scan int32 at 2^20 (0.50)
beside plain C on one core: clprims is ahead in 1 of 3 results, 0.25 times as fast at the median, most of all list random at 10^6 (3.00); behind in 2:
    list random at 10^4 (0.25), 10^5 (0.25): so little that the host's caches hold it
beside the textbook's steps: clprims is ahead in 0 of 1 results; behind in 1:
    004 scan, CPU at 2^12 (0.33): so short that the launch decides
")
list(JOIN rows ",equal,paper\n" lines)
file(WRITE ${AT}/summary.csv "${head}\n${lines},equal,paper\n")
execute_process(COMMAND ${PROGRAM} --from ${AT}/summary.csv OUTPUT_VARIABLE said
  RESULT_VARIABLE status)
string(FIND "${said}" "beside" start)
if(start GREATER -1)
  string(SUBSTRING "${said}" ${start} -1 said)
endif()
if(NOT status EQUAL 0 OR NOT said STREQUAL expected)
  message(FATAL_ERROR "Exit status ${status}; said:\n${said}\nand not:\n${expected}")
endif()
