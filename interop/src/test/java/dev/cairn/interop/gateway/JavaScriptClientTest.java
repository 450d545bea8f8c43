package dev.cairn.interop.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.testing.CairnServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The package {@code hbase} from npm, an HTTP client of the REST gateway. Skipped without Node. */
@Timeout(120)
@Tag("long")
class JavaScriptClientTest {
  private static final String PACKAGE = "hbase@0.6.1";
  private static final Path PROGRAM = Path.of("src/test/resources/gateway/notes.js");

  @TempDir static Path folder;

  @BeforeAll
  static void install() throws Exception {
    for (String program : List.of("node", "npm")) {
      assumeTrue(isOnThePath(program), program + " is not installed: no JavaScript client to test");
    }
    Output installed =
        run(
            "npm",
            "install",
            "--no-save",
            "--no-audit",
            "--ignore-scripts",
            "--omit=optional",
            PACKAGE);
    assumeTrue(installed.status() == 0, "npm cannot install " + PACKAGE + ": " + installed.text());
  }

  @Test
  void createsWritesReadsScansAndDeletes() throws Exception {
    Files.copy(PROGRAM, folder.resolve("notes.js"));
    try (CairnServer server = CairnServer.start();
        RunningGateway gateway = RunningGateway.start(folder, server.configuration(), "rest")) {
      Output seen = run("node", "notes.js", Integer.toString(gateway.port()));
      assertThat(seen.text().strip())
          .isEqualTo(
              "{\"value\":\"value b\",\"scanned\":[\"b\",\"c\"],\"regions\":1,\"exists\":true}");
    }
  }

  private static boolean isOnThePath(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(entry -> Files.isExecutable(Path.of(entry, program)));
  }

  private record Output(int status, String text) {}

  private static Output run(String... command) throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(String.join(" ", command)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Output(process.exitValue(), Files.readString(out));
  }
}
