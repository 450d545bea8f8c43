package dev.cairn.shell.command;

import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.Group;
import dev.cairn.shell.run.ShellException;
import java.util.List;
import java.util.stream.Stream;

/** The commands of HBase's shell that are refused because the server does not support them yet. */
final class LaterCommands {
  /** The constants of their options, so that an error names the unsupported command. */
  private static final List<String> OPTIONS =
      List.of(
          "CLUSTER_KEY",
          "ENDPOINT_CLASSNAME",
          "STATE",
          "CONFIG",
          "DATA",
          "TABLE_CFS",
          "NAMESPACES",
          "SERIAL",
          "REMOTE_WAL_DIR");

  private LaterCommands() {}

  static List<Command> all() {
    return Stream.of(
            group(
                Group.REPLICATION,
                "add_peer remove_peer list_peers enable_peer disable_peer set_peer_replicate_all"
                    + " set_peer_serial set_peer_namespaces append_peer_namespaces"
                    + " remove_peer_namespaces set_peer_exclude_namespaces"
                    + " append_peer_exclude_namespaces remove_peer_exclude_namespaces"
                    + " show_peer_tableCFs set_peer_tableCFs append_peer_tableCFs"
                    + " remove_peer_tableCFs set_peer_exclude_tableCFs"
                    + " append_peer_exclude_tableCFs remove_peer_exclude_tableCFs"
                    + " set_peer_bandwidth list_replicated_tables enable_table_replication"
                    + " disable_table_replication get_peer_config list_peer_configs"
                    + " update_peer_config peer_modification_enabled peer_modification_switch"
                    + " transit_peer_sync_replication_state"),
            group(Group.SECURITY, "grant revoke user_permission list_security_capabilities"),
            group(
                Group.VISIBILITY_LABELS,
                "add_labels list_labels set_auths get_auths clear_auths set_visibility"),
            group(Group.TOOLS, "refresh_meta refresh_hfiles"))
        .flatMap(List::stream)
        .toList();
  }

  private static List<Command> group(Group group, String names) {
    Declarations later = new Declarations(group);
    for (String name : names.split(" ")) {
      later
          .add(
              name,
              0,
              Command.ANY,
              "Not supported yet.",
              (session, arguments) -> {
                throw new ShellException(
                    name + " is not supported yet (group " + group.title() + ")");
              })
          .with(OPTIONS);
    }
    return later.all();
  }
}
