package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalStalledException;
import dev.cairn.server.regionserver.logs.LogWatch;
import dev.cairn.server.regionserver.logs.ServerLogs;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A server ends when one of its logs hangs, and only then. */
class LogWatchTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final List<String> reasons = new ArrayList<>();
  private final FakeLog regions = new FakeLog();
  private final FakeLog meta = new FakeLog();
  private final ServerLogs logs = new ServerLogs(regions.wal(), meta::wal);
  private final LogWatch watch = new LogWatch(logs, PATIENCE, reasons::add);

  /** A log whose current group commit has run for some time. */
  private static final class FakeLog {
    private Duration commit = Duration.ZERO;
    private Optional<IOException> problem = Optional.empty();

    private Wal wal() {
      return (Wal)
          Proxy.newProxyInstance(
              Wal.class.getClassLoader(),
              new Class<?>[] {Wal.class},
              (proxy, method, arguments) -> {
                switch (method.getName()) {
                  case "commitNanos":
                    return commit.toNanos();
                  case "checkWritable":
                    if (problem.isPresent()) {
                      throw problem.get();
                    }
                    return null;
                  default:
                    throw new UnsupportedOperationException(method.getName());
                }
              });
    }
  }

  @Test
  void aLogThatAnswersInTimeIsLeftAlone() {
    regions.commit = PATIENCE.minusNanos(1);
    watch.check();
    assertThat(reasons).isEmpty();
  }

  @Test
  void aLogThatHangsEndsTheServer() {
    regions.commit = PATIENCE;
    watch.check();
    assertThat(reasons).singleElement().asString().contains("10 s", "Check the disk");
  }

  @Test
  void theLogOfMetaCountsFromItsBeginning() throws IOException {
    meta.commit = PATIENCE;
    watch.check();
    assertThat(reasons).isEmpty();
    assertThat(logs.logOf(RegionInfo.META)).isNotNull();
    watch.check();
    assertThat(reasons).hasSize(1);
  }

  @Test
  void aLogThatWaitsForRoomOnTheDiskIsLeftAlone() {
    regions.commit = PATIENCE.multipliedBy(2);
    regions.problem = Optional.of(new WalStalledException("WALs", new IOException("disk full")));
    watch.check();
    assertThat(reasons).isEmpty();
  }

  @Test
  void aLogThatHangsAndHasFailedEndsTheServer() {
    regions.commit = PATIENCE;
    regions.problem = Optional.of(new IOException("failed"));
    watch.check();
    assertThat(reasons).hasSize(1);
  }
}
