package dev.cairn.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.storage.ForwardingStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.process.keys.ThreadKeys;
import dev.cairn.server.rpc.Waiting;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Openings that hang in the storage delay nothing else that a region server does. */
@Timeout(240)
class HungOpeningsTest {
  /** More regions than a region server opens at the same time. */
  private static final int REGIONS = 40;

  private static final TableName SERVED = TableName.valueOf("served");

  @RegisterExtension
  private final RoleProcesses cluster =
      new RoleProcesses(Map.of("hbase.regionserver.msginterval", "100"));

  @Test
  void aServerWhoseOpeningsHangReportsClosesRegionsAndStops() throws Exception {
    HangingStorage root = new HangingStorage(cluster.storage(), "data/default/hangs/");
    CairnProcess master = cluster.start(ServerRole.MASTER);
    CairnProcess regionServer = cluster.start(ServerRole.REGION_SERVER, root);
    try (Connection connection = cluster.connect();
        Admin admin = connection.getAdmin()) {
      admin.createTable(table(SERVED));
      admin.createTableAsync(
          table(TableName.valueOf("hangs")),
          IntStream.range(1, REGIONS).mapToObj(Bytes::toBytes).toArray(byte[][]::new));
      int threads = ThreadKeys.OPENINGS.value(ThreadKeys.OPENINGS.defaultText()).intValue();
      Waiting.waitUntil(() -> root.hanging.get() == threads);

      long reported = reportMillis(admin);
      Waiting.waitUntil(() -> reportMillis(admin) > reported);
      admin.disableTable(SERVED);
      assertThat(admin.isTableDisabled(SERVED)).isTrue();
      regionServer.close();
    } finally {
      root.release.countDown();
      regionServer.abort("the test ends");
      master.abort("the test ends");
    }
  }

  private static TableDescriptor table(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
        .build();
  }

  private static long reportMillis(Admin admin) {
    try {
      return admin.getClusterMetrics().getLiveServerMetrics().values().stream()
          .mapToLong(ServerMetrics::getReportTimestamp)
          .max()
          .orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A storage whose operations below one directory hang. */
  private static final class HangingStorage extends ForwardingStorage {
    private final String directory;
    private final AtomicInteger hanging = new AtomicInteger();
    private final CountDownLatch release = new CountDownLatch(1);

    HangingStorage(Storage storage, String directory) {
      super(storage);
      this.directory = directory;
    }

    @Override
    protected void before(StorageOperation operation, String path) throws IOException {
      if (path.startsWith(directory) && release.getCount() > 0) {
        hanging.incrementAndGet();
        try {
          release.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException(path);
        } finally {
          hanging.decrementAndGet();
        }
      }
    }
  }
}
