package dev.cairn.interop;

import static dev.cairn.interop.ClientContract.F;
import static dev.cairn.interop.ClientContract.G;
import static dev.cairn.interop.ClientContract.Q;
import static dev.cairn.interop.ClientContract.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnServer;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a client that errs, or means harm, gets: an error of its own, nothing of a refused row, and
 * no effect on another client.
 */
class HostileClientTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final int CELL_BYTES_MAX = 10_000;
  private static final byte[] TOO_MUCH = new byte[CELL_BYTES_MAX];

  private static CairnServer server;
  private static Connection good;
  private static Connection bad;
  private static Table table;
  private static int served;

  private final byte[] row = bytes("row");

  @BeforeAll
  static void start() throws IOException {
    server =
        CairnServer.builder()
            .setting("hbase.server.keyvalue.maxsize", Integer.toString(CELL_BYTES_MAX))
            .setting("hbase.ipc.max.request.size", "1000000")
            .start();
    good = server.connect();
    try (Admin admin = good.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(G))
              .build(),
          new byte[][] {bytes("s")});
    }
    Configuration client = server.configuration();
    client.setInt("hbase.client.retries.number", 2);
    client.setInt("hbase.client.keyvalue.maxsize", 0); // the server's limit is what is tested
    bad = ConnectionFactory.createConnection(client);
    table = bad.getTable(TABLE);
  }

  @AfterAll
  static void stop() throws IOException {
    table.close();
    bad.close();
    good.close();
    server.close();
  }

  @BeforeEach
  @AfterEach
  void anotherClientIsServed() throws IOException {
    try (Table other = good.getTable(TABLE)) {
      byte[] value = bytes("v" + ++served);
      other.put(new Put(bytes("other")).addColumn(F, Q, value));
      assertThat(other.get(new Get(bytes("other"))).getValue(F, Q)).isEqualTo(value);
    }
  }

  @Test
  void garbageOnThePortEndsThatConnectionOnly() throws IOException {
    Random random = new Random(7);
    for (int port : new int[] {masterPort(), regionServerPort()}) {
      for (int i = 0; i < 20; i++) {
        byte[] garbage = new byte[random.nextInt(1, 5_000)];
        random.nextBytes(garbage);
        send(port, garbage, true);
        anotherClientIsServed();
      }
    }
  }

  @Test
  void framesThatAreOversizedOrNeverCompleteHarmNobody() throws IOException {
    byte[] preamble = {'H', 'B', 'a', 's', 0, 80};
    send(regionServerPort(), preamble, false);
    send(regionServerPort(), concat(preamble, new byte[] {0x7F, -1, -1, -1}), true);
    send(regionServerPort(), concat(preamble, new byte[] {-1, -1, -1, -1}), true);
    send(regionServerPort(), concat(preamble, new byte[] {0, 0, 1, 0, 8, 1}), false);
    send(regionServerPort(), concat(preamble, new byte[] {0, 0, 0, 2, 8, -1}), true);
    anotherClientIsServed();
  }

  @Test
  void aRequestOverTheLimitIsRefused() throws IOException {
    Put put = new Put(row);
    for (int i = 0; i < 200; i++) {
      put.addColumn(F, bytes("q" + i), new byte[CELL_BYTES_MAX - 100]);
    }
    assertThatThrownBy(() -> table.put(put)).isInstanceOf(IOException.class);
    assertNothingWritten();
  }

  @Test
  void aTableThatTakesMoreThanACellToDescribeIsMade() throws IOException {
    // What the master writes down about it is not a user's cell.
    TableName large = TableName.valueOf("large");
    try (Admin admin = good.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(large)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setValue("note", "x".repeat(3 * CELL_BYTES_MAX))
              .build());
      assertThat(admin.isTableAvailable(large)).isTrue();
    }
  }

  /** A filter that the server does not have. */
  static final class UnknownFilter extends FilterBase {
    @Override
    public ReturnCode filterCell(Cell cell) {
      return ReturnCode.INCLUDE;
    }

    @Override
    public byte[] toByteArray() {
      return new byte[0];
    }
  }

  @Test
  void aFilterThatCannotBeMadeIsRefused() {
    // It is on the server's class path here, but not made to come over the wire.
    assertThatThrownBy(() -> table.getScanner(new Scan().setFilter(new UnknownFilter())).next())
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("UnknownFilter");
    assertThatThrownBy(() -> table.get(new Get(row).setFilter(new UnknownFilter())))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("UnknownFilter");
  }

  @Test
  void anUnknownTableIsNotFound() throws IOException {
    try (Table none = bad.getTable(TableName.valueOf("none"))) {
      assertThatThrownBy(() -> none.put(new Put(row).addColumn(F, Q, Q)))
          .isInstanceOf(TableNotFoundException.class);
    }
  }

  @Test
  void nothingOfARowWithAnUnknownFamilyIsWritten() throws IOException {
    Put put = new Put(row).addColumn(F, Q, Q).addColumn(bytes("none"), Q, Q);
    assertThatThrownBy(() -> table.put(put)).isInstanceOf(NoSuchColumnFamilyException.class);
    assertRefusedInABatch(put, NoSuchColumnFamilyException.class);
    assertRefusedAmongMutations(put, NoSuchColumnFamilyException.class);
  }

  @Test
  void nothingOfARowWithATooLargeCellIsWritten() throws IOException {
    Put put = new Put(row).addColumn(F, Q, Q).addColumn(G, Q, TOO_MUCH);
    assertThatThrownBy(() -> table.put(put))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("hbase.server.keyvalue.maxsize");
    assertRefusedInABatch(put, DoNotRetryIOException.class);
    assertRefusedAmongMutations(put, DoNotRetryIOException.class);
  }

  @Test
  void anIncrementOfWhatIsNoCounterChangesNothing() throws IOException {
    byte[] own = bytes("text");
    table.put(new Put(own).addColumn(F, Q, bytes("text")));
    assertThatThrownBy(
            () -> table.increment(new Increment(own).addColumn(G, Q, 1).addColumn(F, Q, 1)))
        .isInstanceOf(DoNotRetryIOException.class);
    Result result = table.get(new Get(own));
    assertThat(result.size()).isEqualTo(1);
    assertThat(result.getValue(F, Q)).isEqualTo(bytes("text"));
  }

  /** The other rows of the batch are written, in the same region and in another. */
  private void assertRefusedInABatch(Put put, Class<? extends Exception> error) throws IOException {
    byte[] value = bytes("w" + served);
    List<Row> batch =
        List.of(
            new Put(bytes("ra")).addColumn(F, Q, value),
            put,
            new Put(bytes("rz")).addColumn(F, Q, value),
            new Put(bytes("z")).addColumn(F, Q, value));
    Object[] results = new Object[batch.size()];
    assertThatThrownBy(() -> table.batch(batch, results))
        .isInstanceOfSatisfying(
            RetriesExhaustedWithDetailsException.class,
            e -> {
              assertThat(e.getNumExceptions()).isEqualTo(1);
              assertThat(e.getCause(0)).isInstanceOf(error);
              assertThat(e.getRow(0).getRow()).isEqualTo(row);
            });
    for (String written : List.of("ra", "rz", "z")) {
      assertThat(table.get(new Get(bytes(written))).getValue(F, Q)).isEqualTo(value);
    }
    assertNothingWritten();
  }

  private void assertRefusedAmongMutations(Put put, Class<? extends Exception> error)
      throws IOException {
    RowMutations mutations = new RowMutations(row, 2);
    mutations.add(List.of(new Put(row).addColumn(F, bytes("first"), Q), put));
    // The client reports the group's failure once for each of its mutations.
    assertThatThrownBy(() -> table.mutateRow(mutations))
        .isInstanceOfSatisfying(
            RetriesExhaustedWithDetailsException.class,
            e -> assertThat(e.getCauses()).hasSize(2).allMatch(error::isInstance));
    assertNothingWritten();
  }

  private void assertNothingWritten() throws IOException {
    assertThat(table.get(new Get(row)).isEmpty()).isTrue();
  }

  private static int masterPort() {
    return server.endpoints().master().port();
  }

  private static int regionServerPort() {
    return server.endpoints().regionServer().port();
  }

  /** Sends bytes and closes; if {@code awaitEnd}, only after the server has. */
  private static void send(int port, byte[] bytes, boolean awaitEnd) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(20_000);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.write(bytes);
      out.flush();
      if (awaitEnd) {
        socket.shutdownOutput();
        readToTheEnd(socket);
      }
    } catch (java.net.SocketException e) {
      // The server did not wait for the rest.
    }
  }

  private static void readToTheEnd(Socket socket) throws IOException {
    byte[] buffer = new byte[1024];
    while (socket.getInputStream().read(buffer) >= 0) {
      continue;
    }
  }

  private static byte[] concat(byte[] a, byte[] b) {
    byte[] all = java.util.Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, all, a.length, b.length);
    return all;
  }
}
