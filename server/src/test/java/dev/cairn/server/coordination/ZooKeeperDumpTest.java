package dev.cairn.server.coordination;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class ZooKeeperDumpTest {
  @Test
  void aQuorumThatDoesNotAnswerIsNamed() throws IOException {
    // The socket accepts connections and answers nothing.
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String quorum = "127.0.0.1:" + silent.getLocalPort();
      assertThatThrownBy(() -> ZooKeeperDump.lines(quorum, "/hbase", 100))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll(quorum, "does not answer as ZooKeeper");
    }
  }

  @Test
  void theParentMustBeAnAbsolutePath() {
    assertThatThrownBy(() -> ZooKeeperDump.lines("127.0.0.1:1", "hbase", 100))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("zookeeper.znode.parent");
  }
}
