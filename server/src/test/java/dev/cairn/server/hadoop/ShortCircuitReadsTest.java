package dev.cairn.server.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** A line at the start tells how blocks on this machine are read. */
class ShortCircuitReadsTest {
  private final Configuration settings = new Configuration(false);

  private String line(Optional<String> failure) {
    return ShortCircuitReads.line(settings, () -> failure);
  }

  @Test
  void theLineNamesTheObstacle() {
    assertThat(line(Optional.empty()))
        .isEqualTo(
            "Blocks of HDFS on this machine are read through the DataNode:"
                + " dfs.client.read.shortcircuit is false");
    settings.setBoolean("dfs.client.read.shortcircuit", true);
    assertThat(line(Optional.empty())).endsWith("dfs.domain.socket.path is not set");
    settings.set("dfs.domain.socket.path", "/run/dn");
    assertThat(line(Optional.of("libhadoop cannot be loaded.")))
        .endsWith("Hadoop's native library is not loaded (libhadoop cannot be loaded.)");
  }

  @Test
  void theLineTellsThatReadsAreDirect() {
    settings.setBoolean("dfs.client.read.shortcircuit", true);
    settings.set("dfs.domain.socket.path", "/run/dn");
    assertThat(line(Optional.empty())).contains("(short-circuit)").endsWith("/run/dn");
  }
}
