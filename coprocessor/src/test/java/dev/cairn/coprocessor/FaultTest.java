package dev.cairn.coprocessor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A coprocessor that fails when it starts, opens, closes or stops harms its table alone, and keeps
 * no other coprocessor from its stop.
 */
class FaultTest {
  private static final byte[] F = Bytes.toBytes("f");

  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;
  private static int tables;

  private TableName name;

  @BeforeAll
  static void start() throws IOException {
    server = CairnServer.builder().setting("hbase.client.retries.number", "1").start();
    connection = server.connect();
    admin = connection.getAdmin();
  }

  @AfterAll
  static void stop() throws IOException {
    connection.close();
    server.close();
  }

  @BeforeEach
  void begin() {
    Probe.CALLS.clear();
    name = TableName.valueOf("t" + tables++);
  }

  /** Creates a table with a coprocessor that fails, between two that record their calls. */
  private void create(String fault) throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .setValue("fault", fault)
            .setCoprocessor(at(Probe.class, 1))
            .setCoprocessor(at(Faulty.class, 2))
            .setCoprocessor(at(Second.class, 3))
            .build());
  }

  /** Another class, as a table names a class once. */
  public static final class Second extends Probe {}

  private static org.apache.hadoop.hbase.client.CoprocessorDescriptor at(
      Class<?> type, int priority) {
    return CoprocessorDescriptorBuilder.newBuilder(type.getName()).setPriority(priority).build();
  }

  private long stops() {
    return Probe.CALLS.stream().filter(("stop " + name)::equals).count();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "start exception",
        "start assertion",
        "start linkage",
        "getter exception",
        "getter assertion",
        "getter linkage"
      })
  void whatCannotStartRefusesTheTableAndStopsTheOthers(String fault) throws IOException {
    assertThatThrownBy(() -> create(fault)).hasMessageContaining("fails in ");
    try (Table table = connection.getTable(name)) {
      assertThatThrownBy(() -> table.get(new Get(F)))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("Table " + name + " cannot be served by Cairn: ")
          .hasMessageContaining("fails in ");
    }
    assertThat(stops()).isEqualTo(1); // the third was not loaded
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postOpen assertion",
        "preClose exception",
        "preClose linkage",
        "postClose exception",
        "postClose assertion",
        "stop exception",
        "stop linkage"
      })
  void whatFailsLaterKeepsNoOtherFromItsStop(String fault) throws IOException {
    create(fault);
    try (Table table = connection.getTable(name)) {
      assertThat(table.exists(new Get(F))).isFalse();
    }
    admin.disableTable(name);
    assertThat(stops()).isEqualTo(2);
  }

  @Test
  void aClassOfTheSiteThatDoesNotStartIsTriedAgainAlsoInMeta() throws IOException {
    try (CairnServer other =
            CairnServer.builder()
                .setting("fault", "once")
                .setting("hbase.coprocessor.region.classes", Faulty.class.getName())
                .start();
        Connection client = other.connect();
        Admin creator = client.getAdmin()) {
      creator.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build());
      try (Table table = client.getTable(name)) {
        assertThat(table.exists(new Get(F))).isFalse();
      }
    }
  }

  /** Fails in a hook that has no exceptions of its own. */
  public static final class FailsForPuts extends Probe {
    @Override
    public void prePut(
        ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit) {
      throw new IllegalStateException("fails for puts");
    }
  }

  /** Fails in the stop, too. */
  public static final class FailsForPutsAndStop extends Probe {
    @Override
    public void prePut(
        ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit) {
      throw new IllegalStateException("fails for puts");
    }

    @Override
    public void stop(@SuppressWarnings("rawtypes") CoprocessorEnvironment of) {
      super.stop(of);
      throw new IllegalStateException("fails in stop");
    }
  }

  @Test
  void aFailureOfTheStopDoesNotHideTheFailureOfTheHook() throws IOException {
    try (CairnServer other =
            CairnServer.builder()
                .setting("hbase.coprocessor.abortonerror", "false")
                .setting("hbase.client.retries.number", "1")
                .start();
        Connection client = other.connect();
        Admin creator = client.getAdmin()) {
      creator.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setCoprocessor(at(FailsForPutsAndStop.class, 1))
              .build());
      Put put = new Put(F).addColumn(F, F, F);
      try (Table table = client.getTable(name)) {
        assertThatThrownBy(() -> table.put(put))
            .isInstanceOf(DoNotRetryIOException.class)
            .hasStackTraceContaining("fails for puts");
        assertThat(stops()).isEqualTo(1);
        table.put(put);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aHookThatFailsIsRemovedOnlyIfTheSiteSaysSo(boolean stays) throws IOException {
    try (CairnServer other =
            CairnServer.builder()
                .setting("hbase.coprocessor.abortonerror", "" + stays)
                .setting("hbase.client.retries.number", "1")
                .start();
        Connection client = other.connect();
        Admin creator = client.getAdmin()) {
      creator.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setCoprocessor(at(FailsForPuts.class, 1))
              .setCoprocessor(at(Second.class, 2))
              .build());
      Put put = new Put(F).addColumn(F, F, F);
      try (Table table = client.getTable(name)) {
        assertThatThrownBy(() -> table.put(put)).hasStackTraceContaining("fails for puts");
        assertThat(stops()).isEqualTo(stays ? 0 : 1);
        if (stays) {
          assertThatThrownBy(() -> table.put(put)).hasStackTraceContaining("fails for puts");
        } else {
          table.put(put);
          creator.disableTable(name);
          creator.enableTable(name);
          assertThatThrownBy(() -> table.put(put)).hasStackTraceContaining("fails for puts");
        }
        assertThat(table.exists(new Get(F))).isEqualTo(!stays);
      }
    }
  }
}
