package dev.cairn.launcher.backup;

import dev.cairn.engine.changes.ChangeCursor;
import dev.cairn.engine.changes.ChangeCursors;
import dev.cairn.engine.changes.ChangePosition;
import dev.cairn.engine.changes.ChangeReader;
import dev.cairn.engine.changes.ChangeStart;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.launcher.folder.LogRoot;
import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.tools.changes.CellText;
import dev.cairn.tools.changes.ChangePrinter;
import dev.cairn.tools.changes.ChangeWriter;
import dev.cairn.tools.changes.JsonChanges;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn changes}. */
@Command(
    name = "changes",
    description = {
      "Prints the committed changes of tables: each once, those of a row in the order in which they"
          + " were made. Reads the logs in the root directory, beside running servers.",
      "Increments and appends show their results. Writes that skip the log, and the truncation,"
          + " removal and restoration of a table, are not in the logs."
    },
    mixinStandardHelpOptions = true)
public final class ChangesCommand implements Callable<Integer> {
  private static final int BUFFER_SIZE = 64 << 10;

  private enum Format {
    JSON,
    CELLS
  }

  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;

  @Parameters(arity = "0..*", paramLabel = "TABLE", description = "The tables.")
  private List<String> tables = List.of();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Begin with changes that were written at this time or later: oldest, now, or "
              + Moments.FORMS
              + " (default: oldest).")
  private Optional<String> from;

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description = "Begin after the place of a token, which an earlier run printed.")
  private Optional<String> token;

  @Option(
      names = "--cursor",
      paramLabel = "NAME",
      description =
          "Begin where the last run with this name ended, and hold the logs after that. The"
              + " first run creates the cursor. One process at a time uses a cursor.")
  private Optional<String> cursorName;

  @Option(
      names = "--hold-size",
      paramLabel = "MB",
      defaultValue = "10240",
      description =
          "A new cursor holds archived logs of up to this many megabytes. At a limit, the cursor is"
              + " lost (default: ${DEFAULT-VALUE}).")
  private long holdMegabytes;

  @Option(
      names = "--hold-time",
      paramLabel = "TIME",
      defaultValue = "7d",
      description =
          "A new cursor holds logs for so long after its last use (default: ${DEFAULT-VALUE}).")
  private String holdTime;

  @Option(names = "--follow", description = "Wait for further changes, until stopped.")
  private boolean follow;

  @Option(
      names = "--interval",
      paramLabel = "MILLIS",
      defaultValue = "1000",
      description = "With --follow, the time between two looks (default: ${DEFAULT-VALUE}).")
  private long intervalMillis;

  @Option(names = "--limit", paramLabel = "N", description = "End after so many changes.")
  private Optional<Long> limit;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "json",
      description =
          "json: a change per line. cells: a cell per line, with tabs between its fields (default:"
              + " ${DEFAULT-VALUE}).")
  private Format format;

  @Option(
      names = "--root",
      paramLabel = "FOLDER",
      description = "The root directory: a path or URL (default: hbase.rootdir).")
  private Optional<String> root;

  @Option(names = "--cursors", description = "List the cursors instead.")
  private boolean listsCursors;

  @Option(
      names = "--delete-cursor",
      paramLabel = "NAME",
      description = "Delete a cursor instead, so that it holds no logs.")
  private Optional<String> deleted;

  @Override
  public Integer call() throws IOException, InterruptedException {
    cairn.logErrorsOnly();
    try (LogRoot logs = LogRoot.open(cairn, root, this::tell)) {
      ChangeCursors cursors = new ChangeCursors(logs.storage());
      if (listsCursors) {
        list(cursors);
        return 0;
      }
      if (deleted.isPresent()) {
        if (!cursors.delete(checked(deleted.get()))) {
          throw new LauncherException(
              "there is no cursor " + deleted.get() + "; --cursors lists them");
        }
        return 0;
      }
      print(logs, cursors);
      return 0;
    }
  }

  private void print(LogRoot logs, ChangeCursors cursors) throws IOException, InterruptedException {
    if (limit.isPresent() && limit.get() < 1 || intervalMillis < 1 || holdMegabytes < 0) {
      throw new LauncherException(
          "--limit and --interval must be at least 1, and --hold-size at least 0");
    }
    if (token.isPresent() && (from.isPresent() || cursorName.isPresent())) {
      throw new LauncherException("--token goes with neither --from nor --cursor");
    }
    Optional<ChangeCursor> cursor = Optional.empty();
    if (cursorName.isPresent()) {
      cursor = cursors.find(checked(cursorName.get()));
      if (cursor.isPresent()) {
        cursors.requireHeld(cursor.get().name());
        if (from.isPresent()) {
          throw new LauncherException(
              "the cursor "
                  + cursor.get().name()
                  + " exists: leave --from away to go on there, or delete the cursor first");
        }
      }
    }
    ChangeStart start = start(cursor);
    Set<TableName> names =
        start instanceof ChangeStart.After after && tables.isEmpty()
            ? after.position().tables()
            : LogRoot.tables(tables);
    if (names.isEmpty()) {
      throw new LauncherException("name the tables whose changes are wanted");
    }
    if (start instanceof ChangeStart.After after && !after.position().tables().equals(names)) {
      throw new LauncherException(
          "the stream is of the tables " + after.position().tables() + ", not of " + names);
    }
    for (TableName name : names) {
      if (!logs.storage().exists(RegionDirectory.ofTable("data", name))) {
        tell("there is no table " + name + " now; check the name if no changes follow");
      }
    }
    try (ChangeReader reader = logs.changes(names, start)) {
      if (cursorName.isPresent() && cursor.isEmpty()) {
        ChangeCursor.Limits limits =
            new ChangeCursor.Limits(
                holdMegabytes << 20, Moments.duration("--hold-time", holdTime).toMillis());
        cursor =
            Optional.of(
                new ChangeCursor(
                    cursorName.get(), reader.position(), System.currentTimeMillis(), limits));
        cursors.save(cursor.get());
      }
      run(reader, cursors, cursor);
    }
  }

  private ChangeStart start(Optional<ChangeCursor> cursor) {
    if (cursor.isPresent()) {
      return new ChangeStart.After(cursor.get().position());
    }
    if (token.isPresent()) {
      try {
        return new ChangeStart.After(ChangePosition.parse(token.get()));
      } catch (IllegalArgumentException e) {
        throw new LauncherException("--token " + e.getMessage(), e);
      }
    }
    return switch (from.orElse("oldest")) {
      case "oldest" -> new ChangeStart.Oldest();
      case "now" -> new ChangeStart.Now();
      default ->
          new ChangeStart.At(Moments.millis("--from", from.get(), System.currentTimeMillis()));
    };
  }

  private void run(ChangeReader reader, ChangeCursors cursors, Optional<ChangeCursor> cursor)
      throws IOException, InterruptedException {
    PrintWriter out = new PrintWriter(new BufferedWriter(spec.commandLine().getOut(), BUFFER_SIZE));
    ChangeWriter writer = format == Format.JSON ? new JsonChanges(out) : new CellText(out);
    new ChangePrinter(reader, writer, out, cursors)
        .run(
            limit.orElse(Long.MAX_VALUE),
            follow ? Optional.of(Duration.ofMillis(intervalMillis)) : Optional.empty(),
            cursor);
  }

  private void list(ChangeCursors cursors) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    for (ChangeCursor cursor : cursors.list()) {
      out.println(
          cursor.name()
              + "\t"
              + cursor.position().tables()
              + "\tsaved "
              + Instant.ofEpochMilli(cursor.savedMillis())
              + "\tholds up to "
              + (cursor.limits().bytes() >> 20)
              + " MB for "
              + TimeUnit.MILLISECONDS.toSeconds(cursor.limits().millis())
              + " s"
              + cursor.purpose().map(purpose -> "\tfor " + purpose).orElse("")
              + cursor.lost().map(why -> "\tLOST: " + why).orElse(""));
    }
    out.flush();
  }

  private static String checked(String name) {
    if (!ChangeCursor.isName(name)) {
      throw new LauncherException(
          "the name of a cursor has letters, digits, _ and -, at most 100, not <" + name + ">");
    }
    return name;
  }

  private void tell(String message) {
    spec.commandLine().getErr().println(Failures.ERROR_PREFIX + message);
  }
}
