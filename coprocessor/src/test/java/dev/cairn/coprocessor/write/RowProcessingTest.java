package dev.cairn.coprocessor.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.BaseRowProcessor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Checks row processors: they read locked rows and write them at once. */
@SuppressWarnings("deprecation") // HBase has no successor
class RowProcessingTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte[] R = Bytes.toBytes("r");

  private static CairnServer server;
  private static Connection connection;

  private TableName name;
  private HRegion region;

  @BeforeAll
  static void start() throws IOException {
    server =
        CairnServer.builder()
            .setting("hbase.client.retries.number", "1")
            .setting("hbase.rowlock.wait.duration", "60000")
            .start();
    connection = server.connect();
  }

  @AfterAll
  static void stop() throws IOException {
    connection.close();
    server.close();
  }

  @BeforeEach
  void begin(TestInfo test) throws IOException {
    name = TableName.valueOf(test.getTestMethod().orElseThrow().getName());
    create(connection);
    region = region();
    Recorder.CALLS.clear();
  }

  private void create(Connection client, byte[]... splits) throws IOException {
    try (Admin admin = client.getAdmin();
        Table table = client.getTable(name)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setCoprocessor(Recorder.class.getName())
              .build(),
          splits);
      table.exists(List.of(new Get(F), new Get(R))); // waits until the regions are open
    }
  }

  private static HRegion region() {
    return (HRegion) Recorder.environment.getRegion();
  }

  private byte[] value(byte[] row) throws IOException {
    try (Table table = connection.getTable(name)) {
      return table.get(new Get(row)).getValue(F, Q);
    }
  }

  /** Decides on mutations. */
  @FunctionalInterface
  private interface Work {
    void process(long now, HRegion region, List<Mutation> mutations, WALEdit edit)
        throws IOException;
  }

  /** Locks one row, and notes the calls around its work. */
  private static class Processor extends BaseRowProcessor<Message, Message> {
    final List<String> calls = new ArrayList<>();
    final byte[] row;
    final boolean readOnly;
    final Work work;

    Processor(byte[] row, boolean readOnly, Work work) {
      this.row = row;
      this.readOnly = readOnly;
      this.work = work;
    }

    @Override
    public Collection<byte[]> getRowsToLock() {
      return List.of(row);
    }

    @Override
    public boolean readOnly() {
      return readOnly;
    }

    @Override
    public void process(long now, HRegion region, List<Mutation> mutations, WALEdit edit)
        throws IOException {
      calls.add("process " + (mutations != null) + " " + (edit != null));
      work.process(now, region, mutations, edit);
    }

    @Override
    public void preProcess(HRegion region, WALEdit edit) {
      calls.add("preProcess");
    }

    @Override
    public void preBatchMutate(HRegion region, WALEdit edit) {
      calls.add("preBatchMutate");
    }

    @Override
    public void postBatchMutate(HRegion region) {
      calls.add("postBatchMutate");
    }

    @Override
    public void postProcess(HRegion region, WALEdit edit, boolean success) {
      calls.add("postProcess " + success);
    }

    @Override
    public Message getResult() {
      return null;
    }

    @Override
    public Message getRequestData() {
      return null;
    }

    @Override
    public void initialize(Message request) {}
  }

  /** Adds one to the row's number. */
  private static void increment(long now, HRegion region, List<Mutation> mutations, WALEdit edit)
      throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(new Scan().withStartRow(R).setLimit(1))) {
      scanner.next(cells);
    }
    long old = cells.isEmpty() ? 0 : Bytes.toLong(CellUtil.cloneValue(cells.get(0)));
    KeyValue next = new KeyValue(R, F, Q, now, Bytes.toBytes(old + 1));
    mutations.add(new Put(R, now).add(next));
    edit.add(next);
  }

  @Test
  void processorsOfARowFollowEachOther() throws IOException {
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          CompletableFuture.runAsync(
              () -> {
                try {
                  for (int n = 0; n < 25; n++) {
                    region.processRowsWithLocks(
                        new Processor(R, false, RowProcessingTest::increment));
                  }
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              }));
    }
    threads.forEach(CompletableFuture::join);
    assertThat(Bytes.toLong(value(R))).isEqualTo(100);
  }

  @Test
  void itsOwnMethodsAreCalledInHBasesOrderAndNoHooksOfTheRegion() throws IOException {
    Processor processor = new Processor(R, false, RowProcessingTest::increment);
    region.processRowsWithLocks(processor);
    assertThat(processor.calls)
        .containsExactly(
            "preProcess",
            "process true true",
            "preBatchMutate",
            "postBatchMutate",
            "postProcess true");
    Processor reader = new Processor(R, true, (now, region, mutations, edit) -> {});
    region.processRowsWithLocks(reader);
    assertThat(reader.calls)
        .containsExactly("preProcess", "process false false", "postProcess true");
    Processor idle = new Processor(R, false, (now, region, mutations, edit) -> {});
    region.processRowsWithLocks(idle);
    assertThat(idle.calls).containsExactly("preProcess", "process true true", "postProcess true");
    assertThat(Recorder.CALLS).isEmpty();
  }

  @Test
  void aProcessorThatFailsWritesNothing() throws IOException {
    Processor processor =
        new Processor(
            R,
            false,
            (now, region, mutations, edit) -> {
              increment(now, region, mutations, edit);
              throw new IOException("fails");
            });
    assertThatThrownBy(() -> region.processRowsWithLocks(processor)).hasMessage("fails");
    assertThat(processor.calls).endsWith("process true true", "postProcess false");
    assertThat(value(R)).isNull();
  }

  @Test
  void aProcessorThatTakesTooLongWritesNothingAndLeavesTheRowFree() throws IOException {
    CountDownLatch never = new CountDownLatch(1);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Processor processor =
        new Processor(
            R,
            false,
            (now, region, mutations, edit) -> {
              increment(now, region, mutations, edit);
              try {
                never.await();
              } catch (InterruptedException e) {
                interrupted.complete(true);
              }
            });
    assertThatThrownBy(() -> region.processRowsWithLocks(processor, 50, 0, 0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has not ended after 50 ms");
    assertThat(processor.calls).endsWith("postProcess false");
    assertThat(interrupted.orTimeout(1, TimeUnit.MINUTES).join()).isTrue();
    assertThat(value(R)).isNull();
    region.processRowsWithLocks(new Processor(R, false, RowProcessingTest::increment));
    assertThat(Bytes.toLong(value(R))).isEqualTo(1);
  }

  @Test
  void aRowOfAnotherRegionIsRefused() throws IOException {
    name = TableName.valueOf("split");
    create(connection, Q);
    HRegion half = region();
    byte[] elsewhere = half.getRegionInfo().containsRow(R) ? F : R;
    Processor processor = new Processor(elsewhere, false, RowProcessingTest::increment);
    assertThatThrownBy(() -> half.processRowsWithLocks(processor))
        .hasMessageContaining("is not in the region");
    assertThat(processor.calls).isEmpty();
  }

  @Test
  void cellsForTheLogAloneAreThereAfterARecovery() throws IOException {
    byte[] other = Bytes.toBytes("other");
    try (CairnServer own = CairnServer.start()) {
      try (Connection client = own.connect();
          Table table = client.getTable(name)) {
        create(client);
        region()
            .processRowsWithLocks(
                new Processor(
                    R,
                    false,
                    (now, region, mutations, edit) -> {
                      increment(now, region, mutations, edit);
                      edit.add(new KeyValue(R, F, other, now, other));
                      edit.add(new KeyValue(R, WALEdit.METAFAMILY, other, now, other));
                    }));
        assertThat(table.get(new Get(R)).size()).isEqualTo(1);
      }
      own.crash();
      try (Connection client = own.connect();
          Table table = client.getTable(name)) {
        assertThat(table.get(new Get(R)).size()).isEqualTo(2);
      }
    }
  }
}
