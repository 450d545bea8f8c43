package dev.cairn.shell.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.shell.output.TextOutput;
import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.CommandTable;
import dev.cairn.shell.run.Group;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.Session.Progress;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the completions of the tab key; without a server there are no table names. */
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
                  Clock::systemUTC)),
          () -> "");

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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "scan 't',\n{LI",
        "scan 't', {\nLI",
        "scan('t',\n  LI",
        "put 't', 'r', 'f:q', 'v'\nscan 't', LI",
        "3.times { |i|\nscan 't', {LI",
        "rows.each { |row| scan 't', {STARTROW => row, LI",
        "for i in 1..3 do scan 't', LI",
        "n = scan 't', # of all\n LI",
        "puts 'a;{ |b|'; scan 't', LI",
      })
  void aStatementMayHaveSeveralLines(String text) {
    assertThat(completer.names(text)).containsExactly("LIMIT", "STARTROW");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "scan 't'\nsc",
        "scan 't', {LIMIT => 1}\n",
        "3.times { sc",
        "3.times do |i|\nsc",
        "(1..3).each { |i| scan 't'; sc",
        "(1..3).each { |i| scan 't' }\nsc",
      })
  void aLineMayBeginAStatement(String text) {
    assertThat(completer.names(text)).contains("scan", "help");
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
