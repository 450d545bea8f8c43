package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.ipc.HBaseRpcControllerImpl;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The read of clients before 1.0 that finds the last row at or before a given one: the last that
 * has the family, and all of the family. HBase 2 refuses it. No client that can be had here sends
 * it, so the message is made by hand.
 */
class ClosestRowBeforeTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  private static TestTable table;

  @BeforeAll
  static void fill() throws IOException {
    Assumptions.assumeTrue(ServerUnderTest.isCairn(), "HBase 2 refuses it");
    table =
        SERVER.create(
            "closest",
            new byte[][] {toBytes("m")},
            ColumnFamilyDescriptorBuilder.newBuilder(toBytes("f")).setMaxVersions(3).build(),
            ColumnFamilyDescriptorBuilder.of("g"));
    table.put("b", "f:a", 1, "older");
    table.put("b", "f:a", 2, "b");
    table.put("b", "f:c", 1, "b too");
    table.put("d", "g:a", 1, "of another family");
    table.put("f", "f:a", 1, "f");
    table.put("h", "f:a", 1, "deleted");
    table.table().delete(new Delete(toBytes("h")));
    table.put("p", "f:a", 1, "p");
  }

  @AfterAll
  static void close() throws IOException {
    if (table != null) {
      table.close();
    }
  }

  @Test
  void theRowItself() throws Exception {
    assertThat(closest(table.name(), "b", "f")).containsExactly("b/f:a@2=b", "b/f:c@1=b too");
  }

  @Test
  void theRowBeforeThatHasTheFamily() throws Exception {
    assertThat(closest(table.name(), "e", "f")).containsExactly("b/f:a@2=b", "b/f:c@1=b too");
    assertThat(closest(table.name(), "e", "g")).containsExactly("d/g:a@1=of another family");
    assertThat(closest(table.name(), "z", "f")).containsExactly("p/f:a@1=p");
  }

  @Test
  void aDeletedRowIsNone() throws Exception {
    assertThat(closest(table.name(), "k", "f")).containsExactly("f/f:a@1=f");
  }

  @Test
  void nothingIsFoundBeforeTheFirstRow() throws Exception {
    assertThat(hasResult(table.name(), "a", "f")).isFalse();
    assertThat(hasResult(table.name(), "c", "g")).isFalse();
  }

  @Test
  void noRowOfAnotherRegionIsFound() throws Exception {
    assertThat(hasResult(table.name(), "n", "f")).isFalse();
  }

  @Test
  void itIsTheSameInFiles() throws Exception {
    table.flush();
    theRowItself();
    theRowBeforeThatHasTheFamily();
    table.majorCompact();
    theRowBeforeThatHasTheFamily();
    aDeletedRowIsNone();
  }

  /** What it was made for: the region that a row lies in, asked of meta. */
  @Test
  void metaTellsWhichRegionARowIsIn() throws Exception {
    String row = Bytes.toString(toBytes(table.name() + ",x,99999999999999"));
    assertThat(closest(TableName.META_TABLE_NAME, row, "info"))
        .anySatisfy(
            cell -> assertThat(cell).startsWith(table.name() + ",m,").contains("info:server@"));
  }

  @Test
  void itNeedsOneFamily() {
    Get none = new Get(toBytes("b"));
    assertThatThrownBy(() -> send(table.name(), none))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("one family");
    assertThatThrownBy(() -> closest(table.name(), "b", "unknown"))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("unknown");
  }

  private static List<String> closest(TableName name, String row, String family)
      throws IOException {
    return TestTable.cells(
        send(name, new Get(toBytes(row)).addFamily(toBytes(family))).orElseThrow());
  }

  /** Tells whether the response has a result. A client takes one without for no row. */
  private static boolean hasResult(TableName name, String row, String family) throws IOException {
    return send(name, new Get(toBytes(row)).addFamily(toBytes(family))).isPresent();
  }

  private static Optional<Result> send(TableName name, Get get) throws IOException {
    try (RegionLocator locator = SERVER.connection().getRegionLocator(name)) {
      HRegionLocation location = locator.getRegionLocation(get.getRow());
      ClientProtos.Get message =
          ProtobufUtil.toGet(get).toBuilder().setClosestRowBefore(true).build();
      GetRequest request =
          GetRequest.newBuilder()
              .setRegion(
                  RequestConverter.buildRegionSpecifier(
                      RegionSpecifierType.REGION_NAME, location.getRegion().getRegionName()))
              .setGet(message)
              .build();
      HBaseRpcController controller = new HBaseRpcControllerImpl();
      GetResponse response =
          ((ClusterConnection) SERVER.connection())
              .getClient(location.getServerName())
              .get(controller, request);
      return response.hasResult()
          ? Optional.of(ProtobufUtil.toResult(response.getResult(), controller.cellScanner()))
          : Optional.empty();
    } catch (ServiceException e) {
      throw ProtobufUtil.handleRemoteException(e);
    }
  }
}
