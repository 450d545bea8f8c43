package dev.cairn.shell.command;

import dev.cairn.shell.output.Output.Rows;
import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.Group;
import dev.cairn.shell.run.Options;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.quotas.QuotaFilter;
import org.apache.hadoop.hbase.quotas.QuotaSettings;
import org.apache.hadoop.hbase.quotas.QuotaTableUtil;
import org.apache.hadoop.hbase.quotas.SpaceQuotaSnapshotView;

/** The commands of the group quotas. */
final class QuotaCommands {
  private static final String RPC_THROTTLE = "rpc throttle state";
  private static final String EXCEEDING = "exceed throttle quota enabled";

  private QuotaCommands() {}

  /** Turns a switch on or off and returns its previous state. */
  @FunctionalInterface
  private interface Switch {
    boolean turn(Admin admin) throws IOException;
  }

  static List<Command> all() {
    return new Declarations(Group.QUOTAS)
        .add(
            "set_quota",
            0,
            1,
            "Limits a USER, TABLE, NAMESPACE or REGIONSERVER, or a USER in a TABLE or"
                + " NAMESPACE. TYPE => THROTTLE limits requests ('10req/sec') or bytes"
                + " ('5M/min') of all calls, or of THROTTLE_TYPE READ or WRITE. TYPE => SPACE"
                + " limits bytes, with POLICY as the consequence. LIMIT => NONE removes a"
                + " limit. GLOBAL_BYPASS frees a user.",
            QuotaCommands::set,
            "set_quota TYPE => THROTTLE, USER => 'u1', LIMIT => '10req/sec'",
            "set_quota TYPE => THROTTLE, THROTTLE_TYPE => READ, TABLE => 't1', LIMIT => '5M/min'",
            "set_quota TYPE => THROTTLE, NAMESPACE => 'ns1', LIMIT => NONE",
            "set_quota TYPE => SPACE, TABLE => 't1', LIMIT => '1G', POLICY => NO_INSERTS",
            "set_quota USER => 'u1', GLOBAL_BYPASS => true")
        .with(QuotaSetting.OPTIONS)
        .add(
            "list_quotas",
            0,
            1,
            "Lists quotas: all, or those whose owners match regular expressions.",
            QuotaCommands::list,
            "list_quotas",
            "list_quotas USER => 'bob.*'",
            "list_quotas TABLE => 't1'")
        .with(List.of("USER", "TABLE", "NAMESPACE"))
        .add(
            "list_quota_table_sizes",
            0,
            0,
            "Lists the sizes of tables that count towards space quotas.",
            QuotaCommands::sizes,
            "list_quota_table_sizes")
        .add(
            "list_quota_snapshots",
            0,
            1,
            "Lists usage and limit of quotas of space: as a region server sees them, or those of a"
                + " TABLE or NAMESPACE.",
            QuotaCommands::snapshots,
            "list_quota_snapshots REGIONSERVER => 'host1,16020,1700000000000'",
            "list_quota_snapshots TABLE => 't1'")
        .with(List.of("TABLE", "NAMESPACE", "REGIONSERVER"))
        .add(
            "list_snapshot_sizes",
            0,
            0,
            "Lists the size that each snapshot of a table with a space quota adds to the table.",
            QuotaCommands::snapshotSizes,
            "list_snapshot_sizes")
        .add(
            "enable_rpc_throttle",
            0,
            0,
            "Switches throttles on, and prints whether they were.",
            (session, arguments) ->
                switched(session, RPC_THROTTLE, admin -> admin.switchRpcThrottle(true)),
            "enable_rpc_throttle")
        .add(
            "disable_rpc_throttle",
            0,
            0,
            "Switches throttles off, and prints whether they were on.",
            (session, arguments) ->
                switched(session, RPC_THROTTLE, admin -> admin.switchRpcThrottle(false)),
            "disable_rpc_throttle")
        .add(
            "enable_exceed_throttle_quota",
            0,
            0,
            "Lets calls exceed their quota while the server's is not used up.",
            (session, arguments) ->
                switched(session, EXCEEDING, admin -> admin.exceedThrottleQuotaSwitch(true)),
            "enable_exceed_throttle_quota")
        .add(
            "disable_exceed_throttle_quota",
            0,
            0,
            "Lets no call exceed its quota.",
            (session, arguments) ->
                switched(session, EXCEEDING, admin -> admin.exceedThrottleQuotaSwitch(false)),
            "disable_exceed_throttle_quota")
        .all();
  }

  private static Value switched(Session session, String what, Switch change) throws IOException {
    boolean was = change.turn(session.admin());
    session.output().line("Previous " + what + " : " + was);
    return Value.of(was);
  }

  private static Value set(Session session, Arguments arguments) throws IOException {
    for (QuotaSettings setting : QuotaSetting.of(arguments.options())) {
      session.admin().setQuota(setting);
    }
    return Value.NIL;
  }

  private static Value list(Session session, Arguments arguments) throws IOException {
    Options options = arguments.options();
    QuotaFilter filter = new QuotaFilter();
    options.letters("USER").ifPresent(filter::setUserFilter);
    options.letters("TABLE").ifPresent(filter::setTableFilter);
    options.letters("NAMESPACE").ifPresent(filter::setNamespaceFilter);
    options.requireNoMore("list_quotas");
    Rows rows = session.output().table(List.of("OWNER", "QUOTAS"));
    List<QuotaSettings> quotas = QuotaText.find(session, filter);
    quotas.forEach(quota -> rows.add(List.of(QuotaText.owner(quota), quota.toString())));
    session.output().footer(quotas.size());
    return Value.NIL;
  }

  private static Value sizes(Session session, Arguments arguments) throws IOException {
    Map<TableName, Long> sizes = new TreeMap<>(session.admin().getSpaceQuotaTableSizes());
    Rows rows = session.output().table(List.of("TABLE", "SIZE"));
    sizes.forEach((table, size) -> rows.add(List.of(table.toString(), size.toString())));
    session.output().footer(sizes.size());
    return Value.NIL;
  }

  private static Value snapshotSizes(Session session, Arguments arguments) throws IOException {
    Map<String, Long> sizes =
        new TreeMap<>(QuotaTableUtil.getObservedSnapshotSizes(session.admin().getConnection()));
    Rows rows = session.output().table(List.of("SNAPSHOT", "SIZE"));
    sizes.forEach((snapshot, size) -> rows.add(List.of(snapshot, size.toString())));
    session.output().footer(sizes.size());
    return Value.NIL;
  }

  private static Value snapshots(Session session, Arguments arguments) throws IOException {
    Options options = arguments.options();
    var table = options.letters("TABLE");
    var namespace = options.letters("NAMESPACE");
    var server = options.letters("REGIONSERVER");
    options.requireNoMore("list_quota_snapshots");
    Map<String, SpaceQuotaSnapshotView> found = new TreeMap<>();
    Admin admin = session.admin();
    if (table.isPresent()) {
      put(found, table.get(), admin.getCurrentSpaceQuotaSnapshot(Names.table(table.get())));
    } else if (namespace.isPresent()) {
      put(found, namespace.get(), admin.getCurrentSpaceQuotaSnapshot(namespace.get()));
    } else {
      for (ServerName name :
          server.isPresent()
              ? List.of(Names.server(server.get()))
              : List.copyOf(admin.getRegionServers())) {
        admin
            .getRegionServerSpaceQuotaSnapshots(name)
            .forEach((owner, view) -> put(found, owner.toString(), view));
      }
    }
    Rows rows =
        session.output().table(List.of("TABLE", "USAGE", "LIMIT", "IN_VIOLATION", "POLICY"));
    found.forEach(
        (owner, view) ->
            rows.add(
                List.of(
                    owner,
                    Long.toString(view.getUsage()),
                    Long.toString(view.getLimit()),
                    Boolean.toString(view.getQuotaStatus().isInViolation()),
                    view.getQuotaStatus().getPolicy().map(Object::toString).orElse("None"))));
    session.output().footer(found.size());
    return Value.NIL;
  }

  private static void put(
      Map<String, SpaceQuotaSnapshotView> found, String owner, SpaceQuotaSnapshotView view) {
    if (view != null) {
      found.put(owner, view);
    }
  }
}
