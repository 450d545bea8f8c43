package dev.cairn.shell.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.shell.language.Parser;
import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.CommandTable;
import dev.cairn.shell.run.Group;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The commands are those of HBase's shell, and their help is complete. */
class CommandSetTest {
  private final CommandTable commands = CommandSet.commands();

  @Test
  void everyGroupHasHBasesCommands() {
    assertThat(names(Group.GENERAL))
        .contains("processlist", "status", "table_help", "version", "whoami");
    assertThat(names(Group.DDL))
        .contains(
            "alter",
            "alter_async",
            "alter_status",
            "clone_table_schema",
            "create",
            "describe",
            "disable",
            "disable_all",
            "drop",
            "drop_all",
            "enable",
            "enable_all",
            "exists",
            "get_table",
            "is_disabled",
            "is_enabled",
            "list",
            "list_regions",
            "locate_region",
            "show_filters");
    assertThat(names(Group.NAMESPACE))
        .contains(
            "alter_namespace",
            "create_namespace",
            "describe_namespace",
            "drop_namespace",
            "list_namespace",
            "list_namespace_tables");
    assertThat(names(Group.DML))
        .contains(
            "append",
            "count",
            "delete",
            "deleteall",
            "get",
            "get_counter",
            "get_splits",
            "incr",
            "put",
            "scan",
            "truncate",
            "truncate_preserve");
    assertThat(names(Group.TOOLS))
        .contains(
            "assign",
            "balance_switch",
            "balancer",
            "balancer_enabled",
            "catalogjanitor_enabled",
            "catalogjanitor_run",
            "catalogjanitor_switch",
            "cleaner_chore_enabled",
            "cleaner_chore_run",
            "cleaner_chore_switch",
            "clear_block_cache",
            "clear_compaction_queues",
            "clear_deadservers",
            "clear_slowlog_responses",
            "close_region",
            "compact",
            "compact_rs",
            "compaction_state",
            "compaction_switch",
            "decommission_regionservers",
            "flush",
            "flush_master_store",
            "get_balancer_decisions",
            "get_balancer_rejections",
            "get_largelog_responses",
            "get_slowlog_responses",
            "hbck_chore_run",
            "hlog_roll",
            "is_in_maintenance_mode",
            "list_deadservers",
            "list_decommissioned_regionservers",
            "list_liveservers",
            "list_unknownservers",
            "major_compact",
            "merge_region",
            "move",
            "normalize",
            "normalizer_enabled",
            "normalizer_switch",
            "recommission_regionserver",
            "regioninfo",
            "rit",
            "snapshot_cleanup_enabled",
            "snapshot_cleanup_switch",
            "split",
            "splitormerge_enabled",
            "splitormerge_switch",
            "stop_master",
            "stop_regionserver",
            "trace",
            "truncate_region",
            "unassign",
            "wal_roll",
            "zk_dump");
    assertThat(names(Group.QUOTAS))
        .contains(
            "disable_exceed_throttle_quota",
            "disable_rpc_throttle",
            "enable_exceed_throttle_quota",
            "enable_rpc_throttle",
            "list_quota_snapshots",
            "list_quota_table_sizes",
            "list_quotas",
            "list_snapshot_sizes",
            "set_quota");
    assertThat(names(Group.CONFIGURATION)).contains("update_all_config", "update_config");
    assertThat(names(Group.PROCEDURES)).contains("list_locks", "list_procedures");
    assertThat(names(Group.STORE_FILE_TRACKER)).contains("change_sft", "change_sft_all");
  }

  private List<String> names(Group group) {
    return commands.commandsOf(group).stream().map(Command::name).toList();
  }

  @Test
  void everyExampleIsALineOfTheLanguage() {
    for (String name : commands.names()) {
      for (String example : commands.find(name).orElseThrow().examples()) {
        assertThat(Parser.parse(example, 1, new HashSet<>())).as(example).isNotEmpty();
      }
    }
  }

  @Test
  void everyCommandSaysWhatItDoes() {
    for (String name : commands.names()) {
      assertThat(commands.find(name).orElseThrow().purpose()).as(name).endsWith(".");
    }
  }

  @Test
  void optionsOfCommandsAreConstants() {
    String names =
        """
        ALLOW_PARTIAL_RESULTS ALL_METRICS ATTRIBUTES AUTHORIZATIONS BATCH
        CACHE CACHE_BLOCKS CLUSTER_KEY COLUMN COLUMNS CONFIG CONFIGURATION
        CONSISTENCY DATA ENDPOINT_CLASSNAME FILTER FORMATTER FORMATTER_CLASS
        INTERVAL IN_MEMORY IN_MEMORY_COMPACTION ISOLATION_LEVEL LIMIT
        LOCALITY_THRESHOLD MAXLENGTH MAX_RESULT_SIZE METADATA METHOD METRICS
        NAME NAMESPACE NONE NUMREGIONS POLICY RAW READ_TYPE REGEX REGIONSERVER
        REGION_REPLICATION REGION_REPLICA_ID REPLICATION_SCOPE REVERSED
        ROWPREFIXFILTER SERVER_NAME SPLITALGO SPLITS SPLITS_FILE STARTROW
        STATE STOPROW TABLE TABLE_NAME TABLE_NAMES THROTTLE_TYPE TIMERANGE
        TIMESTAMP TYPE USER VALUE VERSIONS VISIBILITY NO_INSERTS
        """;
    for (String name : names.strip().split("\\s+")) {
      assertThat(CommandSet.constant(commands, name)).as(name).contains(name);
    }
    assertThat(CommandSet.constant(commands, "NOSUCH")).isEmpty();
  }

  @Test
  void constantsOfEarlyScriptsAreAliases() {
    assertThat(CommandSet.constant(commands, "STARTKEY")).contains("STARTROW");
    assertThat(CommandSet.constant(commands, "ENDKEY")).contains("STOPROW");
    assertThat(CommandSet.constant(commands, "ENDROW")).contains("STOPROW");
  }
}
