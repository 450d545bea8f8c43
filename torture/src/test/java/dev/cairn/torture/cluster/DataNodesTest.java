package dev.cairn.torture.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.StorageOperation;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Replicas of a file come and go with their DataNodes. */
class DataNodesTest {
  private static final String LOG = "WALs/server/log.1";
  private final DataNodes nodes = new DataNodes(new SplittableRandom(1));

  @Test
  void aWriteReplacesADeadNodeOnce() throws IOException {
    for (int node = 0; node < DataNodes.COUNT - 1; node++) {
      nodes.kill(node);
    }
    assertThat(nodes.before(StorageOperation.SYNC, LOG)).isPositive();
    assertThat(nodes.before(StorageOperation.SYNC, LOG)).isZero();
  }

  @Test
  void aReplicaThatMissedWritesIsNotRead() throws IOException {
    for (int node = 0; node < DataNodes.COUNT - 1; node++) {
      nodes.kill(node);
    }
    nodes.before(StorageOperation.SYNC, LOG);
    for (int node = 0; node < DataNodes.COUNT - 1; node++) {
      nodes.restart(node);
    }
    nodes.kill(DataNodes.COUNT - 1);
    assertThatThrownBy(() -> nodes.before(StorageOperation.READ, LOG)).hasMessageContaining(LOG);
  }

  @Test
  void withoutNodesNothingIsReadOrWritten() {
    for (int node = 0; node < DataNodes.COUNT; node++) {
      nodes.kill(node);
    }
    assertThatThrownBy(() -> nodes.before(StorageOperation.FLUSH, LOG)).hasMessageContaining(LOG);
    assertThatThrownBy(() -> nodes.before(StorageOperation.SEAL, LOG)).hasMessageContaining(LOG);
  }

  @Test
  void aLostFileIsReadAgainOnceItIsBack() throws IOException {
    nodes.lose(LOG);
    assertThatThrownBy(() -> nodes.before(StorageOperation.READ, LOG))
        .hasMessageContaining("block")
        .hasMessageContaining(LOG);
    nodes.find(LOG);
    assertThat(nodes.before(StorageOperation.READ, LOG)).isZero();
  }

  @Test
  void aPowerCutLeavesTheReplicasOfTheOtherNodes() throws IOException {
    assertThat(nodes.cutPower(0, List.of(LOG))).isTrue();
    assertThat(nodes.before(StorageOperation.READ, LOG)).isZero();
    assertThat(nodes.cutPower(1, List.of(LOG))).as("while a node is away").isFalse();
    nodes.restart(0);
    assertThat(nodes.cutPower(1, List.of(LOG))).isTrue();
  }
}
