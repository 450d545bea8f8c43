package dev.cairn.coprocessor.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
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
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The connection of coprocessors to their own server does all that one over the network does, on
 * the thread of the hook: the server of this test has one handler, which the hook holds.
 */
@Timeout(300)
class OwnServerTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final int LARGE = 3 << 20;

  private static CairnServer server;
  private static Connection connection;
  private static Table hooked;
  private static Table plain;

  /** Does what the test asks for before each put into the hooked table. */
  public static final class Caller implements RegionCoprocessor, RegionObserver {
    private static final AtomicReference<Work> WORK = new AtomicReference<>();
    private static final List<String> SEEN = Collections.synchronizedList(new ArrayList<>());

    /** What the hook does. */
    interface Work {
      void run(RegionCoprocessorEnvironment environment) throws IOException;
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void prePut(ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit)
        throws IOException {
      Work work = WORK.get();
      if (work == null || !put.getAttributesMap().isEmpty()) {
        SEEN.add(RpcServer.getRequestUserName().orElse("nobody"));
        return;
      }
      work.run(context.getEnvironment());
      SEEN.add(RpcServer.getRequestUserName().orElse("nobody"));
    }
  }

  @BeforeAll
  static void start() throws IOException {
    server =
        CairnServer.builder()
            .setting("hbase.regionserver.handler.count", "1")
            .setting("hbase.client.retries.number", "1")
            .setting("hbase.rpc.timeout", "60000")
            .start();
    connection = server.connect();
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf("hooked"))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setCoprocessor(Caller.class.getName())
              .build());
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf("plain"))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build());
    }
    hooked = connection.getTable(TableName.valueOf("hooked"));
    plain = connection.getTable(TableName.valueOf("plain"));
    hooked.exists(new Get(F));
    plain.exists(new Get(F));
  }

  @AfterAll
  static void stop() throws IOException {
    connection.close();
    server.close();
  }

  @BeforeEach
  void begin() throws IOException {
    Caller.WORK.set(null);
    Caller.SEEN.clear();
    List<Delete> all = new ArrayList<>();
    try (ResultScanner rows = plain.getScanner(F)) {
      rows.forEach(row -> all.add(new Delete(row.getRow())));
    }
    plain.delete(all);
  }

  private static Put put(String row, String value) {
    return new Put(Bytes.toBytes(row)).addColumn(F, Q, Bytes.toBytes(value));
  }

  private static void within(Caller.Work work) throws IOException {
    Caller.WORK.set(work);
    hooked.put(put("row", "value"));
  }

  private static void withPlain(TableWork work) throws IOException {
    within(
        environment -> {
          try (Table table = environment.getConnection().getTable(TableName.valueOf("plain"))) {
            work.run(table);
          }
        });
  }

  private interface TableWork {
    void run(Table table) throws IOException;
  }

  private static Map<String, String> rows() throws IOException {
    Map<String, String> rows = new TreeMap<>();
    try (ResultScanner scanner = plain.getScanner(F)) {
      Consumer<Result> add =
          row -> rows.put(Bytes.toString(row.getRow()), Bytes.toString(row.getValue(F, Q)));
      scanner.forEach(add);
    }
    return rows;
  }

  @Test
  void aHookWritesAndReadsAnotherTable() throws IOException {
    withPlain(
        table -> {
          table.put(put("a", "1"));
          table.put(List.of(put("b", "2"), put("b2", "3"), put("c", "4")));
          table.delete(new Delete(Bytes.toBytes("b2")));
          table.append(new Append(Bytes.toBytes("a")).addColumn(F, Q, Bytes.toBytes("+")));
          assertThat(
                  table
                      .checkAndMutate(
                          CheckAndMutate.newBuilder(Bytes.toBytes("c"))
                              .ifEquals(F, Q, Bytes.toBytes("4"))
                              .build(put("c", "5")))
                      .isSuccess())
              .isTrue();
          table.mutateRow(RowMutations.of(List.of(put("d", "6"))));
          assertThat(
                  Bytes.toLong(
                      table
                          .increment(new Increment(Bytes.toBytes("n")).addColumn(F, Q, 7))
                          .getValue(F, Q)))
              .isEqualTo(7);
          table.delete(new Delete(Bytes.toBytes("n")));
          assertThat(table.get(new Get(Bytes.toBytes("a"))).getValue(F, Q))
              .isEqualTo(Bytes.toBytes("1+"));
          assertThat(table.exists(List.of(new Get(Q), new Get(Bytes.toBytes("b")))))
              .containsExactly(false, true);
          List<String> found = new ArrayList<>();
          try (ResultScanner scanner =
              table.getScanner(new Scan().setCaching(1).setFilter(new PrefixFilter(F)))) {
            scanner.forEach(row -> found.add(Bytes.toString(row.getRow())));
          }
          assertThat(found).isEmpty();
          try (ResultScanner scanner = table.getScanner(new Scan().setCaching(1))) {
            scanner.forEach(row -> found.add(Bytes.toString(row.getRow())));
          }
          assertThat(found).containsExactly("a", "b", "c", "d");
        });
    assertThat(rows()).isEqualTo(Map.of("a", "1+", "b", "2", "c", "5", "d", "6"));
  }

  @Test
  void largeRowsAreWrittenAndRead() throws IOException {
    byte[] value = new byte[LARGE];
    value[LARGE - 1] = 1;
    withPlain(
        table -> {
          for (String row : List.of("a", "b", "c")) {
            table.put(new Put(Bytes.toBytes(row)).addColumn(F, Q, value));
          }
          try (ResultScanner scanner = table.getScanner(F)) {
            for (Result row : scanner) {
              assertThat(row.getValue(F, Q)).isEqualTo(value);
            }
          }
        });
    assertThat(rows()).hasSize(3);
  }

  @Test
  void errorsArriveAsOverTheNetwork() {
    assertThatThrownBy(
            () -> withPlain(table -> table.put(new Put(F).addColumn(Bytes.toBytes("none"), Q, F))))
        .hasStackTraceContaining(NoSuchColumnFamilyException.class.getName());
    assertThatThrownBy(
            () -> withPlain(table -> table.get(new Get(F).addFamily(Bytes.toBytes("none")))))
        .hasStackTraceContaining(NoSuchColumnFamilyException.class.getName());
  }

  @Test
  void hooksOfTheCalledTableSeeTheServerAndThoseOfTheCallerItsUser() throws IOException {
    String user = System.getProperty("user.name");
    within(
        environment -> {
          try (Table table = environment.getConnection().getTable(TableName.valueOf("hooked"))) {
            Put inner = put("inner", "value");
            inner.setAttribute("inner", F);
            table.put(List.of(inner, new Put(inner).setAttribute("x", F)));
          }
        });
    assertThat(Caller.SEEN).containsExactly(user, user, user);
  }

  @Test
  void aConnectionOfItsOwnDoesTheSame() throws IOException {
    within(
        environment -> {
          try (Connection own = environment.createConnection(environment.getConfiguration());
              Table table = own.getTable(TableName.valueOf("plain"))) {
            table.put(put("own", "1"));
          }
        });
    assertThat(rows()).isEqualTo(Map.of("own", "1"));
  }
}
