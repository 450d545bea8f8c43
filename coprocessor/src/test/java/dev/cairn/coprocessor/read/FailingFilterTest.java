package dev.cairn.coprocessor.read;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** A hook that reads gets what the scan's filter throws as it is, as in HBase. */
class FailingFilterTest {
  private static final byte[] F = Bytes.toBytes("f");

  /** Divides by zero. */
  public static class Dividing extends FilterBase {
    /** Reads a filter as it is sent. */
    public static Filter parseFrom(byte[] message) {
      return new Dividing();
    }

    @Override
    public byte[] toByteArray() {
      return new byte[0];
    }

    @Override
    public ReturnCode filterCell(Cell cell) {
      return 1 / (cell.getRowLength() - F.length) > 0 ? ReturnCode.SKIP : ReturnCode.INCLUDE;
    }
  }

  /** Reads a row when a scan opens, and tells the client what it catches. */
  public static class Reading implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public RegionScanner postScannerOpen(
        ObserverContext<RegionCoprocessorEnvironment> context, Scan scan, RegionScanner scanner)
        throws IOException {
      try {
        scanner.nextRaw(new ArrayList<>());
      } catch (ArithmeticException e) {
        throw new DoNotRetryIOException("the hook caught " + e);
      }
      return scanner;
    }
  }

  @Test
  void theHookCatchesTheException() throws Exception {
    TableName name = TableName.valueOf("dividing");
    try (CairnServer server = CairnServer.start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(name)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setCoprocessor(Reading.class.getName())
              .build());
      table.put(new Put(F).addColumn(F, F, F));
      try (ResultScanner scanner = table.getScanner(new Scan().setFilter(new Dividing()))) {
        assertThatThrownBy(scanner::next)
            .isInstanceOf(DoNotRetryIOException.class)
            .hasMessageContaining("the hook caught java.lang.ArithmeticException");
      }
    }
  }
}
