package dev.cairn.interop.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.shell.ShellArguments;
import dev.cairn.shell.ShellProgram;
import dev.cairn.testing.CairnServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A script prints the same in Apache's shell and in Cairn's, line by line. Each script removes what
 * it makes, so that the second shell finds the server as the first one did.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class SameScriptTest {
  private static final Path SCRIPTS = Path.of("src", "test", "resources", "shell");

  @TempDir Path folder;
  private CairnServer server;

  @BeforeAll
  void start() throws IOException {
    server =
        CairnServer.builder()
            .setting("hbase.quota.enabled", "true")
            .setting(
                "hbase.coprocessor.master.classes",
                "org.apache.hadoop.hbase.rsgroup.RSGroupAdminEndpoint")
            .setting(
                "hbase.master.loadbalancer.class",
                "org.apache.hadoop.hbase.rsgroup.RSGroupBasedLoadBalancer")
            .start();
  }

  @AfterAll
  void stop() throws IOException {
    server.close();
  }

  @Test
  void bothShellsPrintTheSame() throws Exception {
    printsTheSame("data.rb");
  }

  @ParameterizedTest
  @Tag("long")
  @ValueSource(strings = {"schema.rb", "tools.rb", "groups.rb"})
  void bothShellsPrintTheSameOfSchemasAndTools(String name) throws Exception {
    printsTheSame(name);
  }

  private void printsTheSame(String name) throws Exception {
    String script = Files.readString(SCRIPTS.resolve(name));
    String apache = ApacheShell.run(folder, server.configuration(), script);
    String cairn = cairn(script);
    assertThat(Transcript.of(cairn))
        .as("Apache's shell:\n%s\nCairn's shell:\n%s", apache, cairn)
        .isNotEmpty()
        .containsExactlyElementsOf(Transcript.of(apache));
  }

  private String cairn(String script) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (PrintStream stream = new PrintStream(out, false, StandardCharsets.UTF_8);
        ShellProgram program =
            new ShellProgram(
                ShellArguments.parse(List.of()),
                server::connect,
                new ByteArrayInputStream(script.getBytes(StandardCharsets.UTF_8)),
                stream,
                stream)) {
      program.run(new ShellProgram.Terminals(Optional.empty(), false, folder.resolve("history")));
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
