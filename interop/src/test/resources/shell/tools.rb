# Tools, quotas, and values of the language.
1 + 1
x = 5
x
'abc'
"a\tb"
[1, 'a', nil, :b]
nil
true
puts "hello"
exists 'a'; exists 'b'
create 'o1', 'f'
put 'o1', 'a', 'f:q', 'v', 1
status
status 'summary'
balance_switch true
balance_switch true
balancer_enabled
balancer
normalizer_enabled
normalizer_switch true
splitormerge_enabled 'SPLIT'
splitormerge_switch 'SPLIT', false
splitormerge_switch 'SPLIT', true
splitormerge_enabled 'X'
catalogjanitor_enabled
catalogjanitor_switch true
cleaner_chore_enabled
cleaner_chore_switch true
snapshot_cleanup_enabled
is_in_maintenance_mode
flush 'o1'
flush 'o1', 'f'
flush 'nosuch'
compact 'o1'
major_compact 'o1', 'f', 'NORMAL'
compaction_switch true
list_deadservers
clear_deadservers
list_decommissioned_regionservers
list_liveservers
rit
list_quotas
set_quota TYPE => THROTTLE, USER => 'u1', LIMIT => '10req/sec'
set_quota TYPE => THROTTLE, TABLE => 'o1', LIMIT => '10M/sec'
list_quotas
list_quotas USER => 'u.*'
set_quota TYPE => THROTTLE, USER => 'u1', LIMIT => NONE
set_quota TYPE => THROTTLE, TABLE => 'o1', LIMIT => NONE
list_quotas
enable_rpc_throttle
disable_rpc_throttle
enable_rpc_throttle
enable_exceed_throttle_quota
disable_exceed_throttle_quota
list_locks
get_slowlog_responses '*'
get_largelog_responses '*', {'LIMIT' => 2}
clear_slowlog_responses
get_balancer_decisions
get_balancer_rejections LIMIT => 2
clear_block_cache 'o1'
normalize
catalogjanitor_run
cleaner_chore_run
update_all_config
assign 'nosuch'
unassign 'nosuch'
move 'nosuch'
trace
scan 'o1',
  LIMIT => 1
disable 'o1'
drop 'o1'
