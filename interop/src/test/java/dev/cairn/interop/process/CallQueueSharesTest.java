package dev.cairn.interop.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.rpc.QueueShares;
import dev.cairn.server.rpc.QueueShares.Share;
import java.lang.reflect.Field;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ipc.PriorityFunction;
import org.apache.hadoop.hbase.ipc.RWQueueRpcExecutor;
import org.apache.hadoop.hbase.ipc.RpcExecutor;
import org.junit.jupiter.api.Test;

/** Handlers and queues are divided as Apache HBase's own executor divides them. */
class CallQueueSharesTest {
  private static final int[] HANDLERS = {2, 3, 4, 7, 10, 30, 100};
  private static final float[] FACTORS = {0, 0.1f, 0.35f, 1};
  private static final float[] READ_RATIOS = {0.1f, 0.3f, 0.5f, 0.8f, 1};

  /** Not 1, with which HBase 2.6 leaves no handler for gets. */
  private static final float[] SCAN_RATIOS = {0, 0.1f, 0.5f, 0.9f};

  @Test
  void sharesEqualThoseOfHBase() throws ReflectiveOperationException {
    for (int handlers : HANDLERS) {
      for (float factor : FACTORS) {
        for (float read : READ_RATIOS) {
          for (float scan : SCAN_RATIOS) {
            assertThat(QueueShares.of(handlers, factor, read, scan))
                .as("%s handlers, factor %s, reads %s, scans %s", handlers, factor, read, scan)
                .isEqualTo(ofHBase(handlers, factor, read, scan));
          }
        }
      }
    }
  }

  /** Why a ratio of scans of one is not compared: HBase's guide says that gets share the queues. */
  @Test
  void hbaseLeavesNoHandlerForGetsIfAllReadsAreForScans() throws ReflectiveOperationException {
    assertThat(ofHBase(30, 0.1f, 0.5f, 1).reads().handlers()).isZero();
    assertThat(QueueShares.of(30, 0.1f, 0.5f, 1).reads().handlers()).isEqualTo(15);
  }

  private static QueueShares ofHBase(int handlers, float factor, float read, float scan)
      throws ReflectiveOperationException {
    Configuration configuration = HBaseConfiguration.create();
    configuration.setFloat("hbase.ipc.server.callqueue.handler.factor", factor);
    configuration.setFloat("hbase.ipc.server.callqueue.read.ratio", read);
    configuration.setFloat("hbase.ipc.server.callqueue.scan.ratio", scan);
    RpcExecutor executor =
        new RWQueueRpcExecutor(
            "test", handlers, 10, (PriorityFunction) null, configuration, (Abortable) null);
    return new QueueShares(
        share(executor, "writeHandlersCount", "numWriteQueues"),
        share(executor, "readHandlersCount", "numReadQueues"),
        share(executor, "scanHandlersCount", "numScanQueues"));
  }

  private static Share share(RpcExecutor executor, String handlers, String queues)
      throws ReflectiveOperationException {
    return new Share(number(executor, handlers), number(executor, queues));
  }

  private static int number(RpcExecutor executor, String name) throws ReflectiveOperationException {
    Field field = RWQueueRpcExecutor.class.getDeclaredField(name);
    field.setAccessible(true);
    return field.getInt(executor);
  }
}
