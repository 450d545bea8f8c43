package dev.cairn.server.catalog;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Reads and writes {@code hbase:meta} at the server that hosts it. Cells travel inside the
 * messages.
 *
 * <p>One writer at a time. Timestamps ascend from one {@link #apply} to the next, and begin behind
 * the newest that {@link #read} saw, whatever the clock does: so a row that was removed can be
 * written again at once.
 */
public final class Catalog {
  private static final int ROWS_PER_CALL = 1000;
  private static final int CHANGES_PER_CALL = 1000;

  private final MetaClient meta;
  private final Clock clock;
  private long lastTimestamp;

  /** Calls {@code ClientService} of the server that hosts {@code hbase:meta} now. */
  @FunctionalInterface
  public interface MetaClient {
    /** Makes one call and returns the answer. */
    <R extends Message> R call(String method, Message request, R responsePrototype)
        throws IOException;
  }

  /** Creates a catalog that calls {@code meta}. */
  public Catalog(MetaClient meta, Clock clock) {
    this.meta = meta;
    this.clock = clock;
  }

  /** Reads everything. */
  public CatalogContents read() throws IOException {
    List<RegionRow> regions = new ArrayList<>();
    Map<TableName, HBaseProtos.TableState.State> tables = new HashMap<>();
    ScanResponse response =
        meta.call(
            "Scan",
            ScanRequest.newBuilder()
                .setRegion(Messages.specifier(RegionInfo.META))
                .setScan(
                    ClientProtos.Scan.newBuilder()
                        .addColumn(column(MetaFormat.INFO))
                        .addColumn(column(MetaFormat.TABLE))
                        .setMaxVersions(1))
                .setNumberOfRows(ROWS_PER_CALL)
                .build(),
            ScanResponse.getDefaultInstance());
    long scanner = response.getScannerId();
    boolean open = response.hasScannerId();
    for (long call = 0; ; call++) {
      for (ClientProtos.Result result : response.getResultsList()) {
        add(result.getCellList(), regions, tables);
      }
      if (!open || !response.getMoreResults() || !moreInRegion(response)) {
        break;
      }
      response =
          meta.call(
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
    return new CatalogContents(regions, tables);
  }

  /**
   * Makes changes, in order. Those that are done when an error comes stay done; making all of them
   * again is harmless.
   */
  public synchronized void apply(List<CatalogChange> changes) throws IOException {
    lastTimestamp = Math.max(lastTimestamp + 1, clock.currentTimeMillis());
    for (int from = 0; from < changes.size(); from += CHANGES_PER_CALL) {
      int to = Math.min(changes.size(), from + CHANGES_PER_CALL);
      applyBatch(changes.subList(from, to), lastTimestamp);
    }
  }

  private void applyBatch(List<CatalogChange> changes, long timestamp) throws IOException {
    RegionAction.Builder actions =
        RegionAction.newBuilder().setRegion(Messages.specifier(RegionInfo.META));
    for (int i = 0; i < changes.size(); i++) {
      actions.addAction(
          ClientProtos.Action.newBuilder()
              .setIndex(i)
              .setMutation(MetaFormat.mutation(changes.get(i), timestamp)));
    }
    MultiResponse response =
        meta.call(
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
          "hbase:meta answered one batch with "
              + response.getRegionActionResultCount()
              + " results");
    }
  }

  private static IOException error(HBaseProtos.NameBytesPair exception) {
    return new IOException(
        "hbase:meta refused a change: "
            + exception.getName()
            + ": "
            + exception.getValue().toStringUtf8());
  }

  private synchronized void add(
      List<CellProtos.Cell> row,
      List<RegionRow> regions,
      Map<TableName, HBaseProtos.TableState.State> tables)
      throws IOException {
    if (row.isEmpty()) {
      return;
    }
    for (CellProtos.Cell cell : row) {
      if (cell.getTimestamp() != Long.MAX_VALUE) {
        lastTimestamp = Math.max(lastTimestamp, cell.getTimestamp());
      }
    }
    Optional<RegionRow> region = MetaFormat.region(row);
    region.ifPresent(regions::add);
    Optional<HBaseProtos.TableState.State> state = MetaFormat.tableState(row);
    if (state.isPresent()) {
      tables.put(TableName.parse(row.get(0).getRow().toStringUtf8()), state.get());
    }
  }

  private static boolean moreInRegion(ScanResponse response) {
    return !response.hasMoreResultsInRegion() || response.getMoreResultsInRegion();
  }

  private static ClientProtos.Column column(byte[] family) {
    return ClientProtos.Column.newBuilder().setFamily(Messages.wrap(family)).build();
  }

  private void close(long scanner) throws IOException {
    meta.call(
        "Scan",
        ScanRequest.newBuilder()
            .setScannerId(scanner)
            .setCloseScanner(true)
            .setNumberOfRows(0)
            .build(),
        ScanResponse.getDefaultInstance());
  }
}
