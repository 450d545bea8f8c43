package dev.cairn.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exit statuses, prompts and streams of a shell without a person; no server is needed. */
class ShellProgramTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir private Path folder;

  private int run(String input, String... arguments) throws IOException {
    try (ShellProgram program =
        new ShellProgram(
            ShellArguments.parse(List.of(arguments)),
            () -> {
              throw new IOException("no server runs");
            },
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8))) {
      return program.run(
          new ShellProgram.Terminals(Optional.empty(), false, folder.resolve("history")));
    }
  }

  private String printed() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void linesAreEchoedAfterTheirPrompts() throws IOException {
    assertThat(run("puts [\n'ü'\n]\n1 + 1\n")).isZero();
    assertThat(printed())
        .isEqualTo(
            """
            hbase:001:0> puts [
            hbase:002:0* 'ü'
            hbase:003:0* ]
            ü
            hbase:004:0> 1 + 1
            => 2
            """);
  }

  @Test
  void errorsLetAScriptGoOn() throws IOException {
    assertThat(run("nosuch\nputs 'after'\n")).isZero();
    assertThat(printed()).contains("ERROR: `nosuch` is neither").contains("after");
  }

  @Test
  void withoutInteractionTheFirstErrorEndsTheShell() throws IOException {
    assertThat(run("list\nputs 'after'\n", "-n")).isEqualTo(1);
    assertThat(printed()).doesNotContain("after\n");
    assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("ERROR: no server runs\n");
  }

  @Test
  void debuggingPrintsCauses() throws IOException {
    run("list\n", "-d");
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("java.io.IOException: no server");
  }

  @Test
  void exitSetsTheStatus() throws IOException {
    assertThat(run("exit 3\nputs 1\n")).isEqualTo(3);
    assertThat(run("exit\n", "-n")).isZero();
  }

  @Test
  void aScriptRunsBeforeStandardInput() throws IOException {
    Path script = Files.writeString(folder.resolve("s.rb"), "x = 'script'\nputs x\n");

    assertThat(run("puts x + ', input'\n", script.toString())).isZero();
    assertThat(printed()).contains("script\n").contains("script, input\n");
  }

  @Test
  void withoutInteractionOnlyTheScriptRuns() throws IOException {
    Path script = Files.writeString(folder.resolve("s.rb"), "puts 'script'\n");

    assertThat(run("puts 'input'\n", "-n", script.toString())).isZero();
    assertThat(printed()).contains("script\n").doesNotContain("input");
  }

  @Test
  void theMarkOfAnEditorAtTheBeginOfAScriptIsSkipped() throws IOException {
    assertThat(run("\uFEFFputs 'first'\r\nputs 'second'\r\n", "-n")).isZero();
    assertThat(printed()).contains("hbase:001:0> puts 'first'").contains("\nsecond\n");
  }

  @Test
  void aScriptThatIsNotUtf8IsRefused() throws IOException {
    Path script = Files.write(folder.resolve("s.rb"), new byte[] {'p', ' ', '\'', (byte) 0xe9});

    assertThatThrownBy(() -> run("", script.toString()))
        .isInstanceOf(IOException.class)
        .hasMessage("The script " + script + " is not UTF-8 text; write other bytes as \"\\xe9\"");
  }

  @Test
  void aFolderIsNoScript() {
    assertThatThrownBy(() -> run("", folder.toString()))
        .isInstanceOf(IOException.class)
        .hasMessage("The script " + folder + " is a folder");
  }

  @Test
  void aStatementThatIsNestedTooDeeplyIsAnError() throws IOException {
    assertThat(run("x = " + "[".repeat(50_000) + "]".repeat(50_000) + "\nputs 'after'\n")).isZero();
    assertThat(printed()).contains("ERROR: The statement is nested too deeply").endsWith("after\n");
  }

  @Test
  void aScriptThatDoesNotExistIsRefused() {
    assertThatThrownBy(() -> run("", "nosuch.rb"))
        .isInstanceOf(IOException.class)
        .hasMessage("The script nosuch.rb does not exist or cannot be read");
  }
}
