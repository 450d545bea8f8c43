# Reads, writes, counters, filters and formatters.
create 'd1', 'f', 'g', SPLITS => ['m']
create 'd2', {NAME => 'f', VERSIONS => 3}
put 'd1', 'a', 'f:q', 'v', 1
put 'd1', "z\x00\xff", 'f:q', "\x01v", 2
put 'd1', 'b', 'g:', 'v', 0
put 'd1', 'b', 'f:x', 'v', 123456789
put 'd1', 'now', 'f:q', 'v'
put 'd1', "ü\n\t", "f:ü\x01", "ä\\'\"", 3
put 'd1', 5, 'f:q', 5.5, 7
put 'd1', 'c', 'f:q', nil, 4
put 'd1', 'c', 'f:r', 'v', 5, {ATTRIBUTES => {'k' => 'v'}}
scan 'd1'
get 'd1', 'a'
get 'd1', 'a', 'f:q'
get 'd1', 'b', 'f:x', 'g'
get 'd1', 'b', ['f:x', 'g']
get 'd1', 'b', {COLUMN => ['f:x', 'g'], TIMESTAMP => 0}
get 'd1', 'b', {COLUMN => 'f:x', VERSIONS => 3, TIMERANGE => [0, 5]}
get 'd1', 'nosuch'
get 'd1', 'b', {MAXLENGTH => 5}
get 'd1', 'a', {FILTER => "ValueFilter(=, 'binary:v')"}
get 'd1', 'a', {FORMATTER => 'toStringBinary'}
scan 'd1', {LIMIT => 1}
scan 'd1', STARTROW => 'b', LIMIT => 1
scan 'd1', {COLUMNS => ['f:q'], STARTROW => 'a', STOPROW => 'n'}
scan 'd1', {FILTER => "PrefixFilter('b')"}
scan 'd1', {ROWPREFIXFILTER => 'b', CACHE => 5, CACHE_BLOCKS => false, MAXLENGTH => 3}
scan 'd1', {REVERSED => true, COLUMNS => 'f:q'}
scan 'd1', {TIMESTAMP => 0}
scan 'd1', {TIMERANGE => [1, 5]}
scan 'd1', {MAX_RESULT_SIZE => 100, READ_TYPE => 'PREAD', ISOLATION_LEVEL => 'READ_UNCOMMITTED', CONSISTENCY => 'STRONG'}
scan 'd1', {ALLOW_PARTIAL_RESULTS => true, BATCH => 1, ROWPREFIXFILTER => 'b'}
scan 'd1', {METRICS => ['ROWS_FILTERED'], LIMIT => 1}
scan 'd1', {COLUMN => 'f:q', ATTRIBUTES => {'a' => 'b'}, LIMIT => 1}
count 'd1'
count 'd1', INTERVAL => 2
count 'd1', INTERVAL => 2, CACHE => 10
count 'd1', {COLUMNS => ['f:q'], FILTER => "PrefixFilter('b')", STARTROW => 'a', STOPROW => 'z'}
(1..3).each { |i| put 'd2', "row#{i}", 'f:q', "v#{i}", i }
2.times { |i| put 'd2', "row#{i}", 'f:q', "w#{i}", 9 }
scan 'd2', {VERSIONS => 3}
scan 'd2', {LIMIT => 2, REVERSED => true}
delete 'd2', 'row1', 'f:q', 9
deleteall 'd2', 'row2'
deleteall 'd2', 'row3', 'f:q', 5
scan 'd2', {RAW => true, VERSIONS => 10, TIMERANGE => [0, 100]}
deleteall 'd2', {ROWPREFIXFILTER => 'row'}
put 'd2', 'w', 'f:q', 'v', 5
put 'd2', 'w', 'f:q', 'w', 15
deleteall 'd2', 'w', '', 10
deleteall 'd2', {ROWPREFIXFILTER => 'v', CACHE => 2}, 'f:q', 10
scan 'd2'
incr 'd2', 'c', 'f:n', 5
incr 'd2', 'c', 'f:n'
incr 'd2', 'c', 'f:n', 10, {ATTRIBUTES => {'a' => 'b'}}
get_counter 'd2', 'c', 'f:n'
get_counter 'd2', 'nosuch', 'f:n'
append 'd2', 'a', 'f:x', 'abc'
append 'd2', 'a', 'f:x', 'def', ATTRIBUTES => {'a' => 'b'}
put 'd2', 'n', 'f:i', "\x00\x00\x00\x05", 1
put 'd2', 'n', 'f:l', "\x00\x00\x00\x00\x00\x00\x00\x05", 1
get 'd2', 'n', ['f:i:toInt', 'f:l:toLong']
get 'd2', 'n', 'f:i:c(org.apache.hadoop.hbase.util.Bytes).toInt'
scan 'd2', {COLUMNS => ['f:i:toInt'], FORMATTER => 'toString'}
get 'nosuch', 'r'
scan 'nosuch'
put 'd2', ''
get 'd2'
put
get 'd2', ''
put 'd2', '', 'f:q', 'v'
truncate 'd2'
truncate_preserve 'd1'
get_splits 'd1'
scan 'd1'
t = get_table 'd2'
t
t.put 'r', 'f:q', 'v', 1
t.scan
t.count
t.name
t.disable
disable 'd1'
drop 'd1'
t.drop
