package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.cluster.ClusterPlan;
import dev.cairn.server.catalog.ClusterLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes whose versions cannot be mixed refuse each other, and say why. */
@Tag("long")
@Timeout(300)
class ClusterLevelTest {
  @TempDir private Path folder;

  /** Sets the minimum level for the processes that start from now on. */
  private static void setMin(ClusterProcesses cluster, int level) throws IOException {
    Path site = cluster.local().folder().conf().resolve("hbase-site.xml");
    String text = Files.readString(site);
    String name = "<name>" + ClusterLevel.MIN_KEY.name() + "</name>";
    int at = text.indexOf("<value>", text.indexOf(name)) + "<value>".length();
    Files.writeString(site, text.substring(0, at) + level + text.substring(text.indexOf('<', at)));
  }

  private static void awaitEnd(ClusterProcesses cluster, String process, String reason)
      throws Exception {
    cluster.await(process + " ends", () -> !cluster.isRunning(process));
    assertThat(cluster.output(process)).contains(reason).contains("UPGRADE.md");
  }

  @Test
  void lowLevelsAreRefused() throws Exception {
    int high = ClusterLevel.OWN + 1;
    ClusterProcesses cluster =
        ClusterProcesses.prepare(
            folder,
            ClusterPlan.of(
                new ClusterPlan.Counts(1, 2, 0),
                Optional.of(folder.resolve("root").toUri().toString()),
                Map.of(ClusterLevel.MIN_KEY.name(), "0")));
    try {
      cluster.start();
      // The master tells a region server that it is too old for it.
      cluster.local().stop("rs2");
      setMin(cluster, high);
      cluster.launch("rs2");
      awaitEnd(
          cluster,
          "rs2",
          "The master refuses this server: This master has cluster level %d, and the region server"
              .formatted(ClusterLevel.OWN));
      cluster.awaitServing();

      // A master refuses the store of a master before it.
      cluster.local().stop("master1");
      cluster.launch("master1");
      awaitEnd(
          cluster,
          "master1",
          "The last master that led has cluster level %d, and this master works with level %d"
              .formatted(ClusterLevel.OWN, high));
      setMin(cluster, 0);
      cluster.launch("master1");
      cluster.awaitServing();
    } finally {
      cluster.local().killAll(); // the refusals are errors in the logs
    }
  }
}
