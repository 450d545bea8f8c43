package dev.cairn.shell.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.shell.output.TextOutput;
import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.CommandTable;
import dev.cairn.shell.run.Group;
import dev.cairn.shell.run.Progress;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the tabulator offers; without a server no names of tables. */
class CommandCompleterTest {
  private static final Command SCAN =
      new Command(
          "scan",
          Group.DML,
          1,
          2,
          List.of("LIMIT", "STARTROW"),
          "Reads.",
          List.of(),
          (session, arguments) -> Value.NIL);

  private final CommandCompleter completer =
      new CommandCompleter(
          new CommandTable(List.of(() -> List.of(SCAN))),
          new SchemaNames(
              new Session(
                  () -> {
                    throw new IOException("no server");
                  },
                  new TextOutput(new PrintWriter(new StringWriter()), 0),
                  Optional::empty,
                  Progress.NONE,
                  Clock::systemUTC)));

  @Test
  void aStatementBeginsWithACommand() {
    assertThat(completer.names("sc")).contains("scan", "help");
    assertThat(completer.names("puts 1; sc")).contains("scan");
  }

  @Test
  void argumentsAreTheCommandsConstants() {
    assertThat(completer.names("scan 't', {LI")).containsExactly("LIMIT", "STARTROW");
    assertThat(completer.names("nosuch 't', {LI")).isEmpty();
  }

  @Test
  void tablesHaveMethods() {
    assertThat(completer.names("t.sc")).contains("t.scan", "t.put");
  }

  @Test
  void helpTakesCommandsAndGroups() {
    assertThat(completer.names("help ")).contains("'scan'", "'dml'");
  }

  @Test
  void quotesAreFoundUnlessTheyAreClosedOrEscaped() {
    assertThat(CommandCompleter.openQuote("scan 't")).isEqualTo(5);
    assertThat(CommandCompleter.openQuote("scan 't'")).isEqualTo(-1);
    assertThat(CommandCompleter.openQuote("scan 'it\\'s")).isEqualTo(5);
  }
}
