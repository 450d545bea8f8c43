package dev.cairn.coprocessor.facade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.Region.Operation;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks the hooks at the start (+) and the end (-) of a region's operations. */
class OperationHooksTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte[] R = Bytes.toBytes("r");
  private static final TableName NAME = TableName.valueOf("operations");
  private static final List<String> CALLS = new CopyOnWriteArrayList<>();

  private static CairnServer server;
  private static Connection connection;
  private static Table table;
  private static volatile Region region;
  private static volatile Operation forbidden;

  /** Records the hooks. */
  public static final class Recorder implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment environment) {
      region = ((RegionCoprocessorEnvironment) environment).getRegion();
    }

    @Override
    public void postStartRegionOperation(
        ObserverContext<RegionCoprocessorEnvironment> context, Operation operation)
        throws IOException {
      if (operation == forbidden) {
        throw new DoNotRetryIOException("forbidden");
      }
      CALLS.add("+" + operation);
    }

    @Override
    public void postCloseRegionOperation(
        ObserverContext<RegionCoprocessorEnvironment> context, Operation operation) {
      CALLS.add("-" + operation);
    }
  }

  @BeforeAll
  static void start() throws IOException {
    server = CairnServer.builder().setting("hbase.client.retries.number", "1").start();
    connection = server.connect();
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setCoprocessor(Recorder.class.getName())
              .build());
    }
    table = connection.getTable(NAME);
    table.put(new Put(R).addColumn(F, F, F));
  }

  @AfterAll
  static void stop() throws IOException {
    connection.close();
    server.close();
  }

  @BeforeEach
  void begin() {
    forbidden = null;
    CALLS.clear();
  }

  private static void assertCalls(String... calls) {
    assertThat(CALLS).containsExactly(calls);
    CALLS.clear();
  }

  private static Put put() {
    return new Put(R).addColumn(F, F, F);
  }

  @Test
  void aSingleMutationIsAnOperationOverABatch() throws IOException {
    table.put(put());
    assertCalls("+PUT", "+BATCH_MUTATE", "-BATCH_MUTATE", "-PUT");
    table.delete(new Delete(R).addColumns(F, Bytes.toBytes("none")));
    assertCalls("+DELETE", "+BATCH_MUTATE", "-BATCH_MUTATE", "-DELETE");
    table.increment(new Increment(R).addColumn(F, Q, 1));
    assertCalls("+INCREMENT", "+BATCH_MUTATE", "-BATCH_MUTATE", "-INCREMENT");
    table.append(new Append(R).addColumn(F, R, Q));
    assertCalls("+APPEND", "+BATCH_MUTATE", "-BATCH_MUTATE", "-APPEND");
  }

  @Test
  void severalMutationsAreABatch() throws Exception {
    table.put(List.of(put(), put()));
    assertCalls("+BATCH_MUTATE", "-BATCH_MUTATE");
    table.mutateRow(RowMutations.of(List.of(put(), put())));
    assertCalls("+BATCH_MUTATE", "-BATCH_MUTATE");
    table.batch(List.of(put(), new Append(R).addColumn(F, R, Q)), new Object[2]);
    assertCalls(
        "+BATCH_MUTATE", "-BATCH_MUTATE", "+APPEND", "+BATCH_MUTATE", "-BATCH_MUTATE", "-APPEND");
  }

  @Test
  void aCheckIsAnyOperation() throws IOException {
    table.checkAndMutate(CheckAndMutate.newBuilder(R).ifEquals(F, F, F).build(put()));
    assertCalls("+ANY", "+BATCH_MUTATE", "-BATCH_MUTATE", "-ANY");
    table.checkAndMutate(CheckAndMutate.newBuilder(R).ifEquals(F, F, Q).build(put()));
    assertCalls("+ANY", "-ANY");
  }

  @Test
  void aGetOpensAScanAndReadsFromIt() throws IOException {
    table.get(new Get(R));
    assertCalls("+SCAN", "-SCAN", "+SCAN", "-SCAN");
  }

  @Test
  void aCallOfAScanEndsAsAnyOperation() throws IOException {
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      scanner.next();
    }
    assertThat(CALLS).startsWith("+SCAN", "-SCAN", "+SCAN", "-ANY");
    assertThat(CALLS.stream().filter(call -> call.startsWith("+")).count())
        .isEqualTo(CALLS.stream().filter(call -> call.startsWith("-")).count());
  }

  @Test
  void coprocessorsHaveOperationsToo() throws IOException {
    region.startRegionOperation();
    region.startRegionOperation(Operation.SNAPSHOT);
    region.closeRegionOperation(Operation.SNAPSHOT);
    region.closeRegionOperation();
    assertCalls("+ANY", "+SNAPSHOT", "-SNAPSHOT", "-ANY");
    region.put(put());
    assertCalls("+PUT", "+BATCH_MUTATE", "-BATCH_MUTATE", "-PUT");
    region.get(new Get(R));
    assertCalls("+SCAN", "-SCAN", "+SCAN", "-SCAN");
    region.getScanner(new Scan()).close();
    assertCalls("+SCAN", "-SCAN");
  }

  @Test
  void aHookForbidsAnOperation() throws IOException {
    byte[] other = Bytes.toBytes("other");
    forbidden = Operation.PUT;
    assertThatThrownBy(() -> table.put(new Put(other).addColumn(F, F, F)))
        .hasStackTraceContaining("forbidden");
    assertCalls();
    forbidden = Operation.BATCH_MUTATE;
    assertThatThrownBy(() -> table.put(new Put(other).addColumn(F, F, F)))
        .hasStackTraceContaining("forbidden");
    assertCalls("+PUT", "-PUT");
    forbidden = Operation.SCAN;
    assertThatThrownBy(() -> table.get(new Get(other))).hasStackTraceContaining("forbidden");
    assertThatThrownBy(() -> region.startRegionOperation(Operation.SCAN)).hasMessage("forbidden");
    forbidden = null;
    CALLS.clear();
    assertThat(table.exists(new Get(other))).isFalse();
  }
}
