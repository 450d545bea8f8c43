package dev.cairn.shell.command;

import dev.cairn.shell.output.Output.Rows;
import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.Failures;
import dev.cairn.shell.run.Group;
import dev.cairn.shell.run.Options;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.SnapshotType;

/** The commands of the group snapshots. */
final class SnapshotCommands {
  private static final List<String> HEAD = List.of("SNAPSHOT", "TABLE + CREATION TIME");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss Z");

  private SnapshotCommands() {}

  static List<Command> all() {
    return new Declarations(Group.SNAPSHOTS)
        .add(
            "snapshot",
            2,
            3,
            "Takes a snapshot of a table; SKIP_FLUSH leaves out what is in memory, TTL (seconds)"
                + " has it deleted, MAX_FILESIZE is that of its clones.",
            SnapshotCommands::take,
            "snapshot 't1', 's1'",
            "snapshot 'ns1:t1', 's1', {SKIP_FLUSH => true, TTL => 86400}")
        .with(List.of("SKIP_FLUSH", "TTL", "MAX_FILESIZE"))
        .add(
            "clone_snapshot",
            2,
            3,
            "Makes a table of a snapshot, without copying its data; CLONE_SFT names its store file"
                + " tracker.",
            SnapshotCommands::copy,
            "clone_snapshot 's1', 'ns2:t2'",
            "clone_snapshot 's1', 't2', {RESTORE_ACL => true, CLONE_SFT => 'FILE'}")
        .with(List.of("RESTORE_ACL", "CLONE_SFT"))
        .add(
            "restore_snapshot",
            1,
            2,
            "Gives a disabled table the content and the descriptor of its snapshot.",
            SnapshotCommands::restore,
            "restore_snapshot 's1'",
            "restore_snapshot 's1', {RESTORE_ACL => true}")
        .with(List.of("RESTORE_ACL"))
        .add(
            "delete_snapshot",
            1,
            1,
            "Deletes a snapshot.",
            (session, arguments) -> {
              session.admin().deleteSnapshot(name(arguments));
              return Value.NIL;
            },
            "delete_snapshot 's1'")
        .add(
            "delete_all_snapshot",
            1,
            1,
            "Deletes the snapshots whose names match a regular expression, after a question.",
            SnapshotCommands::deleteAll,
            "delete_all_snapshot 's.*'")
        .add(
            "delete_table_snapshots",
            1,
            2,
            "Deletes the snapshots of the tables that match a regular expression, or those of them"
                + " that match another one, after a question.",
            SnapshotCommands::deleteOfTables,
            "delete_table_snapshots 't1'",
            "delete_table_snapshots 'ns:t.*', 's.*'")
        .add(
            "list_snapshots",
            0,
            1,
            "Lists the snapshots, or those whose names match a regular expression.",
            (session, arguments) -> list(session, all(session, expression(arguments, 0))),
            "list_snapshots",
            "list_snapshots 's.*'")
        .add(
            "list_table_snapshots",
            1,
            2,
            "Lists the snapshots of the tables that match a regular expression, or those of them"
                + " that match another one.",
            (session, arguments) -> list(session, ofTables(session, arguments)),
            "list_table_snapshots 't1'",
            "list_table_snapshots 'ns:t.*', 's.*'")
        .all();
  }

  private static String name(Arguments arguments) {
    return arguments.letters(0, "The snapshot");
  }

  private static Value take(Session session, Arguments arguments) throws IOException {
    Options options = arguments.options();
    boolean skipsFlush = options.flag("SKIP_FLUSH");
    Map<String, Object> properties = new HashMap<>();
    options.number("TTL").ifPresent(seconds -> properties.put("TTL", seconds));
    options.number("MAX_FILESIZE").ifPresent(bytes -> properties.put("MAX_FILESIZE", bytes));
    options.requireNoMore("snapshot");
    session
        .admin()
        .snapshot(
            new SnapshotDescription(
                arguments.letters(1, "The snapshot"),
                Names.table(arguments),
                skipsFlush ? SnapshotType.SKIPFLUSH : SnapshotType.FLUSH,
                null,
                -1,
                -1,
                properties));
    return Value.NIL;
  }

  private static Value copy(Session session, Arguments arguments) throws IOException {
    Options options = arguments.options();
    boolean permissions = options.flag("RESTORE_ACL");
    String tracker = options.letters("CLONE_SFT").orElse(null);
    options.requireNoMore("clone_snapshot");
    session
        .admin()
        .cloneSnapshot(name(arguments), Names.table(arguments.get(1)), permissions, tracker);
    return Value.NIL;
  }

  private static Value restore(Session session, Arguments arguments) throws IOException {
    Options options = arguments.options();
    boolean permissions = options.flag("RESTORE_ACL");
    options.requireNoMore("restore_snapshot");
    boolean failsafe =
        session
            .connection()
            .getConfiguration()
            .getBoolean(
                HConstants.SNAPSHOT_RESTORE_TAKE_FAILSAFE_SNAPSHOT,
                HConstants.DEFAULT_SNAPSHOT_RESTORE_TAKE_FAILSAFE_SNAPSHOT);
    session.admin().restoreSnapshot(name(arguments), failsafe, permissions);
    return Value.NIL;
  }

  private static Value deleteAll(Session session, Arguments arguments) throws IOException {
    String expression = expression(arguments, 0);
    List<SnapshotDescription> found = all(session, expression);
    print(session, found);
    if (found.isEmpty()) {
      session.output().line("No snapshots matched the regex " + expression);
      return Value.NIL;
    }
    if (!confirms(session, found.size())) {
      return Value.NIL;
    }
    List<SnapshotDescription> left = new ArrayList<>();
    for (SnapshotDescription one : found) {
      Interrupts.check();
      try {
        session.admin().deleteSnapshot(one.getName());
      } catch (IOException e) {
        left.add(one);
      }
    }
    if (left.size() < found.size()) {
      session.output().line(found.size() - left.size() + " snapshots successfully deleted.");
    }
    if (!left.isEmpty()) {
      session.output().line("");
      session.output().line("Failed to delete the below " + left.size() + " snapshots.");
      print(session, left);
    }
    return Value.NIL;
  }

  private static Value deleteOfTables(Session session, Arguments arguments) throws IOException {
    List<SnapshotDescription> found = ofTables(session, arguments);
    print(session, found);
    if (found.isEmpty()) {
      session
          .output()
          .line(
              "No snapshots matched the table name regular expression "
                  + expression(arguments, 0)
                  + " and the snapshot name regular expression "
                  + expression(arguments, 1));
      return Value.NIL;
    }
    if (!confirms(session, found.size())) {
      return Value.NIL;
    }
    for (SnapshotDescription one : found) {
      Interrupts.check();
      try {
        session.admin().deleteSnapshot(one.getName());
        session.output().line("Successfully deleted snapshot: " + one.getName());
      } catch (IOException e) {
        session
            .output()
            .line(
                "Failed to delete snapshot: "
                    + one.getName()
                    + ", due to below exception,\n"
                    + Failures.message(e));
      }
      session.output().line("");
    }
    return Value.NIL;
  }

  private static boolean confirms(Session session, int count) {
    session.output().line("");
    return session.confirms("Delete the above " + count + " snapshots (y/n)?");
  }

  private static Value list(Session session, List<SnapshotDescription> snapshots) {
    print(session, snapshots);
    session.output().footer(snapshots.size());
    return Value.texts(snapshots.stream().map(SnapshotDescription::getName).toList());
  }

  private static void print(Session session, List<SnapshotDescription> snapshots) {
    Rows rows = session.output().table(HEAD);
    for (SnapshotDescription one : snapshots) {
      String time =
          TIME.format(
              Instant.ofEpochMilli(one.getCreationTime()).atZone(session.clock().getZone()));
      rows.add(
          List.of(one.getName(), one.getTableNameAsString() + " (" + time + ")"),
          Map.of(
              "snapshot", one.getName(),
              "table", one.getTableNameAsString(),
              "creationTime", one.getCreationTime(),
              "ttlSeconds", one.getTtl()));
    }
  }

  private static String expression(Arguments arguments, int index) {
    return arguments.find(index).isEmpty() ? ".*" : arguments.letters(index, "The pattern");
  }

  private static List<SnapshotDescription> all(Session session, String expression)
      throws IOException {
    return session.admin().listSnapshots(Names.pattern(expression, "The pattern"));
  }

  private static List<SnapshotDescription> ofTables(Session session, Arguments arguments)
      throws IOException {
    return session
        .admin()
        .listTableSnapshots(
            Names.pattern(expression(arguments, 0), "The pattern"),
            Names.pattern(expression(arguments, 1), "The pattern"));
  }
}
