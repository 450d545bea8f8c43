package dev.cairn.shell;

import static dev.cairn.shell.TypedShell.CTRL_C;
import static dev.cairn.shell.TypedShell.CTRL_D;
import static dev.cairn.shell.TypedShell.UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.shell.run.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The prompt at a terminal; no server is needed. */
class PromptTest {
  @TempDir private Path folder;

  private Path history() {
    return folder.resolve("history");
  }

  private final AtomicInteger begun = new AtomicInteger();

  private TypedShell shell(Path history, String... arguments) throws IOException {
    return new TypedShell(
        new Session.Connector() {
          @Override
          public Connection connect() throws IOException {
            throw new IOException("no server runs");
          }

          @Override
          public void begin() {
            begun.incrementAndGet();
          }
        },
        history,
        arguments);
  }

  @Test
  void theConnectionBeginsWithThePrompt() throws Exception {
    try (TypedShell shell = shell(history())) {
      shell.sees("exit leaves.").sees("hbase:001:0> ");
      assertThat(begun).hasPositiveValue();
    }
  }

  @Test
  void theConnectionBeginsBeforeAScript() throws Exception {
    Path script = Files.writeString(folder.resolve("s.rb"), "puts 'script'\nexit 4\n");
    try (TypedShell shell = shell(history(), script.toString())) {
      assertThat(shell.status()).isEqualTo(4);
      assertThat(begun).hasValue(1);
    }
  }

  @Test
  void statementsRunAndTheirValuesAppear() throws Exception {
    try (TypedShell shell = shell(history())) {
      shell.sees("hbase:001:0> ").type("1 + 1\n").sees("=> 2").sees("hbase:002:0> ");
      shell.type(CTRL_D);
      assertThat(shell.status()).isZero();
    }
  }

  @Test
  void exitEndsTheShellWithItsStatus() throws Exception {
    try (TypedShell shell = shell(history())) {
      shell.sees("hbase:001:0> ").type("exit 3\n");
      assertThat(shell.status()).isEqualTo(3);
    }
  }

  @Test
  void aHistoryThatCannotBeWrittenChangesNoStatus() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    try (TypedShell shell = shell(file.resolve("history"))) {
      shell.sees("hbase:001:0> ").type("exit 3\n");
      assertThat(shell.status()).isEqualTo(3);
      shell.sees("The history cannot be saved: ");
    }
  }

  @Test
  void theHistoryOutlivesTheShell() throws Exception {
    try (TypedShell shell = shell(history())) {
      shell.sees("hbase:001:0> ").type("puts 40 + 2\n").sees("42\n").type(CTRL_D);
      assertThat(shell.status()).isZero();
    }
    assertThat(history()).content().contains("puts 40 + 2");
    try (TypedShell shell = shell(history())) {
      shell.sees("hbase:001:0> ").type(UP + "\n").sees("42\n");
    }
  }

  @Test
  void aStatementContinuesOnTheNextLine() throws Exception {
    try (TypedShell shell = shell(history())) {
      shell.sees("hbase:001:0> ").type("(1..2).each { |i|\n");
      shell.sees("hbase:002:0* ").type("puts \"row#{i}\"\n");
      shell.sees("hbase:003:0* ").type("}\n").sees("row1").sees("row2").sees("hbase:004:0> ");
    }
  }

  @Test
  void aSignalDiscardsTheTypedStatement() throws Exception {
    try (TypedShell shell = shell(history())) {
      shell.sees("hbase:001:0> ").type("puts [\n");
      shell.sees("hbase:002:0* ").type("part").sees("part").type(CTRL_C);
      shell.sees("hbase:002:0> ").type("puts 'whole'\n").sees("whole\n");
    }
  }

  @Test
  void aSignalCancelsOnlyTheRunningCommand() throws Exception {
    try (TypedShell shell = shell(history())) {
      shell.sees("hbase:001:0> ").type("puts 'asleep'; sleep 3600\n").sees("asleep\n");
      shell.type(CTRL_C).sees("ERROR: Interrupted").sees("hbase:002:0> ");
      shell.type("puts 'awake'\n").sees("awake\n");
    }
  }

  @Test
  void commandsAndStringsAreColoured() throws Exception {
    try (TypedShell shell = shell(history())) {
      shell.sees("hbase:001:0> ").type("scan 't', LIMIT => 7");
      shell.sees("\033[1m").sees("\033[32m").sees("\033[36m").sees("\033[35m");
    }
  }
}
