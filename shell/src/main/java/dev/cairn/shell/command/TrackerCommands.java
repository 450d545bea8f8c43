package dev.cairn.shell.command;

import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.Group;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;

/** The commands of the group storefiletracker. */
final class TrackerCommands {
  private TrackerCommands() {}

  static List<Command> all() {
    return new Declarations(Group.STORE_FILE_TRACKER)
        .add(
            "change_sft",
            2,
            3,
            "Changes how the files of a table, or of one of its families, are tracked: DEFAULT by the"
                + " folder that they are in, FILE by a list in a file, which object stores need. The"
                + " table goes by way of MIGRATION.",
            (session, arguments) -> {
              TableName table = Names.table(arguments);
              Schemas.requireExists(session, table);
              change(session.admin(), table, family(arguments), tracker(arguments));
              return Value.NIL;
            },
            "change_sft 't1', 'FILE'",
            "change_sft 't1', 'f1', 'FILE'")
        .add(
            "change_sft_all",
            2,
            3,
            "Changes how the files of tables are tracked, for tables whose names match a"
                + " regular expression, after a question; with a family, of that family alone.",
            TrackerCommands::changeAll,
            "change_sft_all 't.*', 'FILE'",
            "change_sft_all 'ns:.*', 'f1', 'FILE'")
        .all();
  }

  private static Optional<byte[]> family(Arguments arguments) {
    return arguments.size() == 3 ? Optional.of(arguments.bytes(1, "The family")) : Optional.empty();
  }

  private static String tracker(Arguments arguments) {
    return arguments.letters(arguments.size() - 1, "The tracker");
  }

  private static void change(Admin admin, TableName table, Optional<byte[]> family, String tracker)
      throws IOException {
    if (family.isPresent()) {
      admin.modifyColumnFamilyStoreFileTracker(table, family.get(), tracker);
    } else {
      admin.modifyTableStoreFileTracker(table, tracker);
    }
  }

  private static Value changeAll(Session session, Arguments arguments) throws IOException {
    Optional<byte[]> family = family(arguments);
    String tracker = tracker(arguments);
    MatchingTables.apply(
        session,
        arguments.letters(0, "The pattern"),
        "Change the trackers of",
        "changed",
        (admin, table) -> change(admin, table, family, tracker));
    return Value.NIL;
  }
}
