# Tables, families, namespaces, regions and their refusals.
create 's1', 'f1'
create 's2', {NAME => 'f1', VERSIONS => 5}, {NAME => 'f2', TTL => 86400, COMPRESSION => 'NONE', BLOOMFILTER => 'ROWCOL'}
create 's3', 'f1', SPLITS => ['10', '20', '30', '40']
create 's4', 'f1', {NUMREGIONS => 4, SPLITALGO => 'HexStringSplit'}
create 's5', 'f', NUMREGIONS => 3, SPLITALGO => 'UniformSplit'
create 's6', 'f', NUMREGIONS => 3, SPLITALGO => 'DecimalStringSplit'
list
list 's[12]'
list 'nosuch.*'
exists 's1'
exists 'nosuch'
get_splits 's1'
get_splits 's3'
get_splits 's4'
get_splits 's5'
get_splits 's6'
list_regions 's3', '', ['START_KEY', 'END_KEY', 'SIZE', 'LOCALITY']
list_regions 's3', {}, ['REGION_NAME']
list_regions 'nosuch'
is_enabled 's1'
is_disabled 's1'
disable 's1'
is_disabled 's1'
scan 's1'
disable 's1'
enable 's1'
enable 's1'
alter 's1', NAME => 'f1', VERSIONS => 3
alter 's1', {NAME => 'f2'}
alter 's1', 'delete' => 'f2'
alter 's1', MAX_FILESIZE => '134217728'
alter 's1', METHOD => 'table_att_unset', NAME => 'MAX_FILESIZE'
alter 's2', {NAME => 'f1', TTL => '1 DAY 2 HOURS'}, {NAME => 'g', MOB_THRESHOLD => 100, IS_MOB => true}
alter 's2', {NAME => 'g', METHOD => 'delete'}
alter 's2', CONFIGURATION => {'x' => 'y'}
alter 's2', {METHOD => 'table_conf_unset', NAME => 'x'}
alter 's2', METHOD => 'table_att', READONLY => true
alter 'nosuch', 'f'
alter_status 's1'
alter_async 's2', {NAME => 'q'}
create 's1', 'f1'
create 's9'
create
create 's9', {NAME => 'f'}, {NAME => 'f'}
create 'nosuchns:t', 'f'
clone_table_schema 's3', 's7'
clone_table_schema 's3', 's8', false
get_splits 's7'
get_splits 's8'
truncate 's1'
truncate_preserve 's3'
get_splits 's3'
drop 's1'
drop 'nosuch'
disable 'nosuch'
enable 'nosuch'
is_enabled 'nosuch'
truncate 'nosuch'
describe 'nosuch'
create_namespace 'sn1'
create_namespace 'sn2', {'a' => 'b'}
alter_namespace 'sn2', {METHOD => 'set', 'c' => 'd'}
alter_namespace 'sn2', {METHOD => 'unset', NAME => 'c'}
list_namespace 'sn.*'
list_namespace
create 'sn1:t', 'f'
list_namespace_tables 'sn1'
drop_namespace 'nosuch'
describe_namespace 'nosuch'
list_namespace_tables 'nosuch'
disable 'sn1:t'
drop 'sn1:t'
drop_namespace 'sn1'
drop_namespace 'sn2'
list.each { |t| puts t }
disable_all 'zz.*'
enable_all 'zz.*'
drop_all 'zz.*'
disable 's1'; drop 's1'
disable 's2'; drop 's2'
disable 's3'; drop 's3'
disable 's4'; drop 's4'
disable 's5'; drop 's5'
disable 's6'; drop 's6'
disable 's7'; drop 's7'
disable 's8'; drop 's8'
disable 's9'; drop 's9'
list
