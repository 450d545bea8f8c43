package dev.cairn.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.rpc.QueueShares.Share;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the division of handlers and queues by HBase's keys. */
class QueueSharesTest {
  /** Another test compares many more with Apache HBase itself. */
  @ParameterizedTest
  @CsvSource({
    // handlers, factor, read, scan | handlers and queues of writes, reads, scans
    "30, 0.1, 0.5, 0.5,  15, 1,   8, 1,  7, 1",
    "30, 0.1, 0.5, 0,    15, 1,  15, 2,  0, 0",
    "30, 0.1, 1, 0.5,     1, 1,  15, 1, 14, 1",
    "30, 1, 0.5, 0.5,    15, 15,  8, 8,  7, 7",
    "30, 0, 0.5, 0.5,    15, 1,   8, 1,  7, 1",
    "60, 0.3, 0.7, 0.4,  18, 5,  26, 8, 16, 5",
    "1, 0.1, 0.5, 0.5,    1, 1,   1, 1,  0, 0",
    "4, 1, 0.01, 0.9,     3, 3,   1, 1,  0, 0",
  })
  void handlersAndQueuesAreDividedAsHBaseDividesThem(
      int handlers,
      float factor,
      float read,
      float scan,
      int writers,
      int writeQueues,
      int readers,
      int readQueues,
      int scanners,
      int scanQueues) {
    assertThat(QueueShares.of(handlers, factor, read, scan))
        .isEqualTo(
            new QueueShares(
                new Share(writers, writeQueues),
                new Share(readers, readQueues),
                new Share(scanners, scanQueues)));
  }

  @Test
  void withoutARatioOfReadsAllCallsShareTheHandlers() {
    assertThat(QueueShares.of(30, 0.1f, 0, 0.5f)).isEqualTo(QueueShares.undivided(30, 3));
    assertThat(QueueShares.of(5, 0, 0, 0)).isEqualTo(QueueShares.undivided(5, 1));
  }

  /** HBase 2.6 leaves no handler for gets then, although its guide says the same as this test. */
  @Test
  void aRatioOfScansOfOneMeansThatScansShareTheQueuesOfReads() {
    assertThat(QueueShares.of(30, 0.1f, 0.5f, 1)).isEqualTo(QueueShares.of(30, 0.1f, 0.5f, 0));
  }

  @Test
  void joinedSharesKeepAllHandlersAndQueues() {
    QueueShares divided = QueueShares.of(30, 0.3f, 0.5f, 0.5f);
    assertThat(divided.joined()).isEqualTo(QueueShares.undivided(30, 9));
    assertThat(divided.joined().isDivided()).isFalse();
  }

  @Test
  void moreQueuesMayHoldMoreCalls() {
    QueueShares shares = QueueShares.undivided(20, 4);
    Share part = new Share(10, 3);
    assertThat(new QueueLengths(50, 0, 0).ofShare(part, shares)).isEqualTo(150);
    assertThat(QueueLengths.byHandlers().ofShare(part, shares)).isEqualTo(600);
    assertThat(new QueueLengths(10_000_000, 0, 0).ofShare(new Share(1, 10_000), shares))
        .isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void eachPriorityHasALengthOfItsOwn() {
    Map<String, String> site =
        Map.of(
            "hbase.ipc.server.max.callqueue.length", "7",
            "hbase.ipc.server.replication.max.callqueue.length", "9",
            "hbase.regionserver.metahandler.count", "4");
    QueueLengths lengths =
        RpcServerOptions.from(new SiteConfig(site), "localhost", 0).queueLengths();
    assertThat(lengths).isEqualTo(new QueueLengths(7, 0, 9));
    assertThat(lengths.ofPriority(4)).isEqualTo(40);
    assertThat(lengths.ofReplication(3)).isEqualTo(9);
  }
}
