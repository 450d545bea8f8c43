package dev.cairn.launcher.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.launcher.folder.Umask;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.process.ServerStatus;
import dev.cairn.launcher.site.LogFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DetachedServerTest {
  @TempDir private Path folder;

  @Test
  void returnsWhenTheProcessSaysThatItServes() throws Exception {
    Path data = Files.createDirectories(folder.resolve("data"));
    // What a server writes, from a process that stays until it is ended.
    String script =
        "echo up $CAIRN_UMASK; printf 'pid=%s\\nstarted=1\\nserving=2\\nmaster=m\\nregionserver=r\\nzookeeper=z\\n' $$"
            + " > \"$DATA/t\" && mv \"$DATA/t\" \"$DATA/cairn.status\" && exec cat \"$DATA/fifo\"";
    new ProcessBuilder("mkfifo", data.resolve("fifo").toString()).start().waitFor();

    ServerStatus status = server(data, script).start(() -> {});

    ProcessHandle process = ProcessHandle.of(status.process().pid()).orElseThrow();
    try {
      assertThat(status.addresses().zooKeeper()).isEqualTo("z");
      assertThat(logs().out()).hasContent("up 077");
      assertThat(permissions(logs().out())).isEqualTo("rw-------");
      assertThat(permissions(folder.resolve("logs"))).isEqualTo("rwx------");
    } finally {
      process.destroy();
      process.onExit().join();
    }
  }

  @Test
  void tellsTheReasonOfAProcessThatEndsInstead() {
    assertThatThrownBy(
            () ->
                server(folder, "echo some log; echo 'cairn: port 7 is in use'; exit 1")
                    .start(() -> {}))
        .isInstanceOf(LauncherException.class)
        .hasMessage("port 7 is in use");
  }

  @Test
  void showsTheEndOfTheLogIfThereIsNoReasonInIt() {
    assertThatThrownBy(() -> server(folder, "echo a; echo b; exit 1").start(() -> {}))
        .isInstanceOf(LauncherException.class)
        .hasMessageContaining("the server ended while starting")
        .hasMessageContaining("b");
  }

  @Test
  void keepsTheLogsOfEarlierServersUpToALimit() throws IOException {
    Path log = logs().log();
    Files.createDirectories(log.getParent());
    for (int i = 0; i < 9; i++) {
      Files.writeString(log, "server " + i);
      logs().rotate();
    }

    assertThat(log).doesNotExist();
    assertThat(log.resolveSibling("cairn.log.1")).hasContent("server 8");
    assertThat(log.resolveSibling("cairn.log.5")).hasContent("server 4");
    assertThat(log.resolveSibling("cairn.log.6")).doesNotExist();
  }

  @Test
  void serversOfOneInstallationHaveLogsOfTheirOwn() {
    Optional<Path> home = Optional.of(folder);
    Path own = folder.resolve("data");
    assertThat(LogFiles.of(folder, home, own).log()).hasFileName("cairn.log");
    Path first = LogFiles.of(folder, home, Path.of("/first/data")).log();
    Path second = LogFiles.of(folder, home, Path.of("/second/data")).log();
    assertThat(first.getFileName().toString()).matches("cairn-data-[0-9a-f]{8}\\.log");
    assertThat(second).isNotEqualTo(first);
    assertThat(LogFiles.of(folder, home, Path.of("/first/data")).log()).isEqualTo(first);
  }

  @Test
  void theLogIsPartOfTheOutputWhereLogbackHasNoNameForIt() {
    LogFiles logs = LogFiles.of(Path.of("/100%"), Optional.of(folder), folder.resolve("data"));
    assertThat(logs.log()).isEqualTo(logs.out()).hasFileName("cairn.out");
    assertThat(logs.variables()).doesNotContainKey("CAIRN_LOG_TO");
  }

  @Test
  void namesTheFolderThatTheLogCannotBeWrittenTo() throws IOException {
    Files.writeString(folder.resolve("logs"), "a file");
    assertThatThrownBy(() -> server(folder, "true").start(() -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(logs().log().toString(), "HBASE_LOG_DIR");
  }

  private LogFiles logs() {
    return LogFiles.of(folder.resolve("logs"), Optional.of(folder), folder.resolve("data"));
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private DetachedServer<ServerStatus> server(Path data, String script) {
    return new DetachedServer<>(
        List.of("sh", "-c", script),
        Map.of("DATA", data.toString()),
        Umask.UNNAMED,
        pid -> ServerStatus.read(data).filter(status -> status.process().pid() == pid),
        logs());
  }
}
