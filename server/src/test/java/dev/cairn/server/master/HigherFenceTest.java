package dev.cairn.server.master;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A master finds a fence with a higher epoch than its own while it takes over. */
class HigherFenceTest {
  private static final Pattern FENCE = Pattern.compile("\\.tmp/owner-([0-9]+)");

  private final SimulatedCluster cluster = new SimulatedCluster();
  private Optional<Long> higher = Optional.empty();

  /** Makes the fence of another master just before this one makes its own. */
  private boolean makeHigherFence(String path) {
    Matcher own = FENCE.matcher(path);
    if (own.matches() && higher.isEmpty()) {
      higher = Optional.of(Long.parseLong(own.group(1)) + 1000);
      try {
        cluster.storage.createDirectories(".tmp/owner-" + higher.get());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return false;
  }

  /** The other master was replaced, and made its fence before it found that out. */
  @Test
  void theMasterThatLeadsTakesAHigherEpoch() throws IOException {
    cluster.addServer(new ServerName("one", 1, 1));
    cluster.storageFault = (operation, path) -> makeHigherFence(path);
    cluster.startUp();
    assertThat(higher).isPresent();
    assertThat(cluster.aborts).isEmpty();
    cluster.run(cluster.createTable());
    assertThat(cluster.openRegions()).hasSize(1);
  }

  @Test
  void aMasterThatWasReplacedGivesUp() throws IOException {
    cluster.storageFault =
        (operation, path) -> {
          makeHigherFence(path);
          if (higher.isPresent()) {
            cluster.replaceMasterUnheard(new ServerName("other", 1, 1));
          }
          return false;
        };
    cluster.startMaster();
    cluster.runUntil(() -> !cluster.aborts.isEmpty());
    assertThat(cluster.aborts).first().asString().contains("Another master leads: other,1,1");
  }
}
