package dev.cairn.launcher.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.launcher.LingeringServer;
import dev.cairn.launcher.folder.DataFolder;
import dev.cairn.launcher.site.Installation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ServerControlTest {
  @TempDir private Path folder;

  @Test
  void aServerHasStoppedOnceItsDataFolderIsFree() throws Exception {
    DataFolder data = new DataFolder(folder.resolve("data"));
    Process server =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("java.class.path"),
                LingeringServer.class.getName(),
                data.path().toString())
            .inheritIO()
            .start();
    try {
      ServerControl control =
          new ServerControl(new Installation(Optional.empty(), Optional.empty(), folder), data);
      await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> !server.isAlive() || control.serving().isPresent());
      assertThat(server.isAlive()).isTrue();
      assertThat(control.stop(Duration.ofSeconds(50))).contains(server.pid());
      assertThat(server.isAlive()).isTrue();
      assertThat(control.stop(Duration.ofSeconds(50))).isEmpty();
    } finally {
      server.destroyForcibly();
    }
  }
}
