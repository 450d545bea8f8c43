package dev.cairn.shell;

import dev.cairn.shell.output.JsonOutput;
import dev.cairn.shell.output.Output;
import dev.cairn.shell.output.TextOutput;
import dev.cairn.shell.run.CommandRunner.ErrorMode;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.Session.Progress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.awaitility.Awaitility;

/** A shell whose scripts are texts, and whose output is compared without what differs each time. */
final class ScriptedShell implements AutoCloseable {
  private final StringWriter out = new StringWriter();
  private final PrintWriter writer = new PrintWriter(out);
  private final Session session;
  private final Shell shell;
  private Lines current = prompt -> Optional.empty();

  ScriptedShell(Session.Connector connector, boolean json) {
    Output output = json ? new JsonOutput(writer) : new TextOutput(writer, 0);
    session =
        new Session(
            connector,
            output,
            this::answer,
            Progress.NONE,
            () -> Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
    shell = new Shell(session, ErrorMode.CONTINUE, false, writer);
  }

  private Optional<String> answer() {
    try {
      return current.next("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs the scripts of a case, and returns it with what each statement prints. */
  ShellCase run(ShellCase shellCase) throws IOException {
    StringBuilder script = new StringBuilder();
    shellCase.steps().forEach(step -> script.append(step.script()));
    return new ShellCase(shellCase.title(), statements(script.toString()));
  }

  /** Runs a script, and returns what it prints. */
  String run(String script) throws IOException {
    return statements(script + "\n").stream()
        .map(ShellCase.Step::expected)
        .collect(Collectors.joining());
  }

  private List<ShellCase.Step> statements(String script) throws IOException {
    List<ShellCase.Step> steps = new ArrayList<>();
    BufferedReader reader = new BufferedReader(new StringReader(script));
    StringBuilder statement = new StringBuilder();
    current =
        prompt -> {
          if (prompt.endsWith(">") || prompt.endsWith("> ")) {
            end(statement, steps, "");
          }
          String line = reader.readLine();
          if (line != null) {
            statement.append(line).append('\n');
          }
          return Optional.ofNullable(line);
        };
    Optional<Integer> status = shell.run(current);
    end(statement, steps, status.map(s -> "exit status " + s + "\n").orElse(""));
    return steps;
  }

  /** Waits until the compactions have ended that a statement asked for. */
  private void awaitCompactions() throws IOException {
    Admin admin = session.admin();
    for (TableName table : admin.listTableNames()) {
      await(
          () ->
              !admin.isTableEnabled(table)
                  || admin.getCompactionState(table) == CompactionState.NONE,
          "the end of the compaction of " + table);
    }
  }

  /** A state of the server. */
  interface Condition {
    boolean holds() throws IOException;
  }

  /** Asks the server again and again until it is in a state. */
  static void await(Condition condition, String what) throws IOException {
    Awaitility.await(what)
        .pollInSameThread()
        .dontCatchUncaughtExceptions() // of other threads
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(10))
        .atMost(Duration.ofMinutes(2))
        .until(condition::holds);
  }

  private void end(StringBuilder statement, List<ShellCase.Step> steps, String more)
      throws IOException {
    writer.flush();
    if (!statement.isEmpty()) {
      steps.add(new ShellCase.Step(statement.toString(), plain(out + more)));
      if (statement.indexOf("compact ") >= 0) {
        awaitCompactions();
      }
    }
    statement.setLength(0);
    out.getBuffer().setLength(0);
  }

  /** Replaces times, hashes and addresses, and leaves out empty lines and timing lines. */
  private static String plain(String text) {
    return text.replaceAll("(?m)^Took \\d+\\.\\d{4} seconds$", "")
        .replaceAll("timestamp=20\\d\\d-[-0-9T:.]+", "timestamp=NOW")
        .replaceAll("\"timestamp\":\\d{13}", "\"timestamp\":NOW")
        .replaceAll("127\\.0\\.0\\.1,\\d+,\\d{13}", "SERVER")
        .replaceAll("127\\.0\\.0\\.1:\\d+", "HOST:PORT")
        .replaceAll("\\d{13}\\.[0-9a-f]{32}", "TIME.HASH")
        .replaceAll("[0-9a-f]{32}", "HASH")
        .replaceAll("(?m)^ *\\n", "");
  }

  @Override
  public void close() throws IOException {
    session.close();
  }
}
