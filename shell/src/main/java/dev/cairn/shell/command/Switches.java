package dev.cairn.shell.command;

import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.Options;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.ShellException;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.BalanceResponse;
import org.apache.hadoop.hbase.client.NormalizeTableFilterParams;

/** The tools that run the master's chores and switch them on and off. */
final class Switches {
  private Switches() {}

  /** Asks the master for a truth value. */
  @FunctionalInterface
  private interface Query {
    boolean ask(Admin admin) throws IOException;
  }

  /** Turns a chore on or off and returns its previous state. */
  @FunctionalInterface
  private interface Switch {
    boolean turn(Admin admin, boolean on) throws IOException;
  }

  static void declare(Declarations tools) {
    query(tools, "balancer_enabled", "the balancer is on", Admin::isBalancerEnabled);
    query(tools, "normalizer_enabled", "the normalizer is on", Admin::isNormalizerEnabled);
    query(
        tools,
        "catalogjanitor_enabled",
        "the catalog's janitor is on",
        Admin::isCatalogJanitorEnabled);
    query(tools, "cleaner_chore_enabled", "the cleaners are on", Admin::isCleanerChoreEnabled);
    query(
        tools,
        "snapshot_cleanup_enabled",
        "snapshots are removed when their time is over",
        Admin::isSnapshotCleanupEnabled);
    query(
        tools,
        "is_in_maintenance_mode",
        "the master is in maintenance mode",
        Admin::isMasterInMaintenanceMode);
    change(tools, "normalizer_switch", "the normalizer", Admin::normalizerSwitch);
    change(tools, "catalogjanitor_switch", "the catalog's janitor", Admin::catalogJanitorSwitch);
    change(tools, "cleaner_chore_switch", "the cleaners", Admin::cleanerChoreSwitch);
    tools
        .add(
            "snapshot_cleanup_switch",
            1,
            1,
            "Switches the removal of snapshots past their TTL on or off, and prints the"
                + " former state.",
            (session, arguments) -> {
              boolean was =
                  session.admin().snapshotCleanupSwitch(arguments.bool(0, "The switch"), false);
              session.output().line("Previous snapshot cleanup state : " + was);
              return Value.of(was);
            },
            "snapshot_cleanup_switch true",
            "snapshot_cleanup_switch false")
        .add(
            "balance_switch",
            1,
            1,
            "Switches the balancer on or off, and prints the former state.",
            (session, arguments) -> {
              boolean was = session.admin().balancerSwitch(arguments.bool(0, "The switch"), false);
              session.output().line("Previous balancer state : " + was);
              return Value.of(was);
            },
            "balance_switch true")
        .add(
            "balancer",
            0,
            2,
            "Moves regions so that servers have equal shares; tells whether it ran. 'force' runs it"
                + " beside regions in transition, 'dry_run' moves nothing.",
            Switches::balance,
            "balancer",
            "balancer 'force'",
            "balancer 'dry_run'")
        .add(
            "normalize",
            0,
            1,
            "Splits and merges regions towards equal sizes; tells whether it ran.",
            Switches::normalize,
            "normalize",
            "normalize TABLE_NAME => 't1'",
            "normalize NAMESPACE => 'ns1', REGEX => 't.*'")
        .with(List.of("TABLE_NAME", "TABLE_NAMES", "NAMESPACE", "REGEX"))
        .add(
            "catalogjanitor_run",
            0,
            0,
            "Runs the catalog's janitor, which removes split and merged regions that are no"
                + " longer needed.",
            (session, arguments) -> Value.of(session.admin().runCatalogJanitor()),
            "catalogjanitor_run")
        .add(
            "cleaner_chore_run",
            0,
            0,
            "Runs the cleaners of old files.",
            (session, arguments) -> Value.of(session.admin().runCleanerChore()),
            "cleaner_chore_run")
        .add(
            "splitormerge_enabled",
            1,
            1,
            "Tells whether regions may be split ('SPLIT') or merged ('MERGE').",
            Switches::splitOrMerge,
            "splitormerge_enabled 'SPLIT'")
        .add(
            "splitormerge_switch",
            2,
            2,
            "Allows or forbids that regions are split ('SPLIT') or merged ('MERGE').",
            Switches::switchSplitOrMerge,
            "splitormerge_switch 'SPLIT', true")
        .add(
            "compaction_switch",
            1,
            Command.ANY,
            "Switches compactions on or off on all servers, or on those that are named.",
            Switches::compactions,
            "compaction_switch false",
            "compaction_switch true, ['host1,16020,1700000000000']");
  }

  private static Value told(Session session, boolean value) {
    session.output().answer(Value.of(value));
    return Value.of(value);
  }

  private static void query(Declarations tools, String name, String what, Query query) {
    tools.add(
        name,
        0,
        0,
        "Tells whether " + what + ".",
        (session, arguments) -> told(session, query.ask(session.admin())),
        name);
  }

  private static void change(Declarations tools, String name, String what, Switch change) {
    tools.add(
        name,
        1,
        1,
        "Switches " + what + " on or off, and prints the former state.",
        (session, arguments) ->
            told(session, change.turn(session.admin(), arguments.bool(0, "The switch"))),
        name + " true",
        name + " false");
  }

  private static Value balance(Session session, Arguments arguments) throws IOException {
    BalanceRequest.Builder request = BalanceRequest.newBuilder();
    for (String mode : arguments.names(0, "How to balance")) {
      switch (mode.toLowerCase(Locale.ROOT)) {
        case "force", "ignore_rit" -> request.setIgnoreRegionsInTransition(true);
        case "dry_run" -> request.setDryRun(true);
        default ->
            throw new ShellException(
                "balancer takes 'force', 'ignore_rit' and 'dry_run', not " + mode);
      }
    }
    BalanceResponse response = session.admin().balance(request.build());
    return told(session, response.isBalancerRan());
  }

  private static Value normalize(Session session, Arguments arguments) throws IOException {
    Options options = arguments.options();
    NormalizeTableFilterParams.Builder filter = new NormalizeTableFilterParams.Builder();
    List<TableName> tables =
        Stream.of("TABLE_NAME", "TABLE_NAMES")
            .flatMap(name -> options.list(name).stream())
            .map(Names::table)
            .toList();
    if (!tables.isEmpty()) {
      filter.tableNames(tables);
    }
    options.letters("NAMESPACE").ifPresent(filter::namespace);
    options.letters("REGEX").ifPresent(filter::regex);
    options.requireNoMore("normalize");
    return told(session, session.admin().normalize(filter.build()));
  }

  private static Value splitOrMerge(Session session, Arguments arguments) throws IOException {
    return told(
        session,
        isSplit(arguments) ? session.admin().isSplitEnabled() : session.admin().isMergeEnabled());
  }

  private static Value switchSplitOrMerge(Session session, Arguments arguments) throws IOException {
    boolean on = arguments.bool(1, "The switch");
    return told(
        session,
        isSplit(arguments)
            ? session.admin().splitSwitch(on, false)
            : session.admin().mergeSwitch(on, false));
  }

  private static boolean isSplit(Arguments arguments) {
    return switch (arguments.letters(0, "The switch").toUpperCase(Locale.ROOT)) {
      case "SPLIT" -> true;
      case "MERGE" -> false;
      default -> throw new ShellException("only SPLIT or MERGE accepted for type!");
    };
  }

  private static Value compactions(Session session, Arguments arguments) throws IOException {
    var before =
        session
            .admin()
            .compactionSwitch(arguments.bool(0, "The switch"), arguments.names(1, "A server"));
    var rows = session.output().table(List.of("['SERVER'", "'PREV_STATE']"));
    before.forEach((server, was) -> rows.add(List.of(server.toString(), was.toString())));
    session.output().footer(before.size());
    return Value.NIL;
  }
}
