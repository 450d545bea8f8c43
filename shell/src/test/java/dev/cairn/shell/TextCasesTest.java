package dev.cairn.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * Runs the cases of src/test/resources/cases against a server in this JVM; each case begins without
 * tables. {@code -Dcairn.rewrite=true} replaces the answers in the files by those of this shell.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TextCasesTest {
  private static final Path CASES = Path.of("src", "test", "resources", "cases");

  private CairnServer server;

  @BeforeAll
  void start() throws IOException {
    server = CairnServer.builder().setting("hbase.quota.enabled", "true").start();
  }

  @AfterAll
  void stop() throws IOException {
    server.close();
  }

  @TestFactory
  Stream<DynamicTest> cases() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    try (Stream<Path> files = Files.list(CASES)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".txt")).sorted().toList()) {
        List<ShellCase> cases = ShellCase.read(file);
        if (Boolean.getBoolean("cairn.rewrite")) {
          rewrite(file, cases);
          cases = ShellCase.read(file);
        }
        boolean json = file.getFileName().toString().startsWith("json");
        for (ShellCase shellCase : cases) {
          String name = file.getFileName() + ": " + shellCase.title();
          tests.add(DynamicTest.dynamicTest(name, () -> check(shellCase, json)));
        }
      }
    }
    return tests.stream();
  }

  private void check(ShellCase shellCase, boolean json) throws IOException {
    try (ScriptedShell shell = new ScriptedShell(server::connect, json)) {
      assertThat(shell.run(shellCase).written()).isEqualTo(shellCase.written());
    } finally {
      dropAll();
    }
  }

  private void rewrite(Path file, List<ShellCase> cases) throws IOException {
    StringBuilder text = new StringBuilder();
    boolean json = file.getFileName().toString().startsWith("json");
    for (ShellCase shellCase : cases) {
      try (ScriptedShell shell = new ScriptedShell(server::connect, json)) {
        text.append(shell.run(shellCase).written());
      }
      dropAll();
    }
    Files.writeString(file, text.toString().stripTrailing() + "\n");
  }

  private void dropAll() throws IOException {
    try (Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      for (TableName table : admin.listTableNames()) {
        if (!admin.isTableDisabled(table)) {
          admin.disableTable(table);
        }
        admin.deleteTable(table);
      }
      for (String namespace : admin.listNamespaces()) {
        if (!List.of("default", "hbase").contains(namespace)) {
          admin.deleteNamespace(namespace);
        }
      }
    }
  }
}
