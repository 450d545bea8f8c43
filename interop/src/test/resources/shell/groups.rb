# Groups of region servers, on one server, which stays in the group default.
create 'rs1', 'f'
create_namespace 'rsns'
create 'rsns:t', 'f'
add_rsgroup 'one'
add_rsgroup 'two'
list_rsgroups
list_rsgroups 'o.e'
get_rsgroup 'default'
get_rsgroup 'one'
get_table_rsgroup 'rs1'
get_namespace_rsgroup 'rsns'
alter_rsgroup_config 'one', {METHOD => 'set', 'k' => 'v'}
alter_rsgroup_config 'one', {METHOD => 'unset', NAME => 'nosuch'}
rename_rsgroup 'one', 'three'
get_rsgroup 'three'
move_tables_rsgroup 'default', ['rs1']
alter_namespace 'rsns', {METHOD => 'set', 'hbase.rsgroup.name' => 'two'}
get_namespace_rsgroup 'rsns'
disable 'rsns:t'
drop 'rsns:t'
drop_namespace 'rsns'
disable 'rs1'
drop 'rs1'
remove_rsgroup 'two'
remove_rsgroup 'three'
list_rsgroups
