package dev.cairn.launcher.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.site.LogFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines of {@code cairn start} before the server serves. */
class NoticesTest {
  private final List<String> told = new ArrayList<>();

  @TempDir private Path folder;
  private LogFiles logs;
  private long nanos;
  private Notices notices;

  @BeforeEach
  void start() {
    logs = new LogFiles(folder.resolve("cairn.log"), folder.resolve("cairn.out"));
    notices = new Notices(told::add, new StartOutput(logs), () -> nanos);
  }

  @Test
  void tellsOnceWhatTheServerWaitsFor() throws Exception {
    after(Duration.ofSeconds(1));
    assertThat(told).as("there is no output yet").isEmpty();
    print("some log\nnote: Waiting for ZooKeeper\n");
    after(Duration.ofSeconds(1));
    after(Duration.ofSeconds(1));
    assertThat(told).containsExactly("Waiting for ZooKeeper");
    print("note: Waiting for more\n");
    after(Duration.ofSeconds(1));
    assertThat(told).containsExactly("Waiting for ZooKeeper", "Waiting for more");
  }

  @Test
  void namesTheLogEveryTenSeconds() {
    after(Duration.ofSeconds(9));
    assertThat(told).isEmpty();
    after(Duration.ofSeconds(2));
    after(Duration.ofSeconds(1));
    assertThat(told).containsExactly("still starting after 11 s; see " + logs.log());
    after(Duration.ofSeconds(9));
    assertThat(told).hasSize(2);
  }

  private void after(Duration time) {
    nanos += time.toNanos();
    notices.run();
  }

  private void print(String text) throws IOException {
    Files.writeString(logs.out(), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
