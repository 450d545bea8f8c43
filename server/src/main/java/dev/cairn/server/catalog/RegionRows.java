package dev.cairn.server.catalog;

import dev.cairn.engine.schema.RegionInfo;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Reads and writes the rows of one small region at the server that hosts it. Cells travel inside
 * the messages. Thread-safe; calls wait for the network.
 */
final class RegionRows {
  private static final int ROWS_PER_CALL = 1000;
  private static final int CHANGES_PER_CALL = 1000;

  private static final byte[] NO_LIMIT = {};

  private final RegionInfo region;
  private final Client client;

  /** Calls {@code ClientService} of the server that hosts the region now. */
  @FunctionalInterface
  interface Client {
    <R extends Message> R call(String method, Message request, R responsePrototype)
        throws IOException;
  }

  /** Takes a row. */
  @FunctionalInterface
  interface RowConsumer {
    /** Takes the row's cells; there is at least one. */
    void accept(List<CellProtos.Cell> row) throws IOException;
  }

  RegionRows(RegionInfo region, Client client) {
    this.region = region;
    this.client = client;
  }

  /** Reads the newest version of every column of {@code families}. */
  void read(List<byte[]> families, RowConsumer rows) throws IOException {
    read(families, NO_LIMIT, NO_LIMIT, rows);
  }

  /**
   * Reads the newest version of every column of {@code families} in some rows.
   *
   * @param start the first row; empty for no limit
   * @param stop the row after the last one; empty for no limit
   */
  void read(List<byte[]> families, byte[] start, byte[] stop, RowConsumer rows) throws IOException {
    ClientProtos.Scan.Builder scan =
        ClientProtos.Scan.newBuilder()
            .setMaxVersions(1)
            .setStartRow(Messages.wrap(start))
            .setStopRow(Messages.wrap(stop));
    for (byte[] family : families) {
      scan.addColumn(ClientProtos.Column.newBuilder().setFamily(Messages.wrap(family)));
    }
    ScanResponse response =
        client.call(
            "Scan",
            ScanRequest.newBuilder()
                .setRegion(Messages.specifier(region))
                .setScan(scan)
                .setNumberOfRows(ROWS_PER_CALL)
                .build(),
            ScanResponse.getDefaultInstance());
    long scanner = response.getScannerId();
    boolean open = response.hasScannerId();
    for (long call = 0; ; call++) {
      for (ClientProtos.Result result : response.getResultsList()) {
        if (result.getCellCount() > 0) {
          rows.accept(result.getCellList());
        }
      }
      if (!open || !response.getMoreResults() || !moreInRegion(response)) {
        break;
      }
      response =
          client.call(
              "Scan",
              ScanRequest.newBuilder()
                  .setScannerId(scanner)
                  .setNumberOfRows(ROWS_PER_CALL)
                  .setNextCallSeq(call)
                  .build(),
              ScanResponse.getDefaultInstance());
    }
    if (open && response.getMoreResults()) {
      close(scanner);
    }
  }

  /** Makes changes, in order. Those that are done when an error comes stay done. */
  void write(List<MutationProto> changes) throws IOException {
    for (int from = 0; from < changes.size(); from += CHANGES_PER_CALL) {
      writeBatch(changes.subList(from, Math.min(changes.size(), from + CHANGES_PER_CALL)), false);
    }
  }

  /** Makes changes, all or none. */
  void writeTogether(List<MutationProto> changes) throws IOException {
    writeBatch(changes, true);
  }

  private void writeBatch(List<MutationProto> changes, boolean together) throws IOException {
    RegionAction.Builder actions =
        RegionAction.newBuilder().setRegion(Messages.specifier(region)).setAtomic(together);
    for (int i = 0; i < changes.size(); i++) {
      actions.addAction(ClientProtos.Action.newBuilder().setIndex(i).setMutation(changes.get(i)));
    }
    MultiResponse response =
        client.call(
            "Multi",
            MultiRequest.newBuilder().addRegionAction(actions).build(),
            MultiResponse.getDefaultInstance());
    for (ClientProtos.RegionActionResult result : response.getRegionActionResultList()) {
      if (result.hasException()) {
        throw error(result.getException());
      }
      for (ClientProtos.ResultOrException outcome : result.getResultOrExceptionList()) {
        if (outcome.hasException()) {
          throw error(outcome.getException());
        }
      }
    }
    if (response.getRegionActionResultCount() != 1) {
      throw new DoNotRetryIOException(
          region.table()
              + " answered one batch with "
              + response.getRegionActionResultCount()
              + " results");
    }
  }

  private IOException error(HBaseProtos.NameBytesPair exception) {
    String message =
        region.table()
            + " refused a change: "
            + exception.getName()
            + ": "
            + exception.getValue().toStringUtf8();
    return isFinal(exception.getName())
        ? new DoNotRetryIOException(message)
        : new IOException(message);
  }

  /** Tells whether a retry would fail as well after an exception of this class. */
  private static boolean isFinal(String className) {
    try {
      return DoNotRetryIOException.class.isAssignableFrom(
          Class.forName(className, false, RegionRows.class.getClassLoader()));
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  private static boolean moreInRegion(ScanResponse response) {
    return !response.hasMoreResultsInRegion() || response.getMoreResultsInRegion();
  }

  private void close(long scanner) throws IOException {
    client.call(
        "Scan",
        ScanRequest.newBuilder()
            .setScannerId(scanner)
            .setCloseScanner(true)
            .setNumberOfRows(0)
            .build(),
        ScanResponse.getDefaultInstance());
  }
}
