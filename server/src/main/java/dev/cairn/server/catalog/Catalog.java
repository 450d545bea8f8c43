package dev.cairn.server.catalog;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.CatalogContents.IncompleteRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Reads and writes {@code hbase:meta} at the server that hosts it.
 *
 * <p>One writer at a time. Timestamps ascend from one {@link #apply} to the next, and begin after
 * the newest that {@link #read} saw, whatever the clock does: so a removed row can be written again
 * at once.
 */
public final class Catalog {
  private final RegionRows rows;
  private final WriterEpoch epoch;
  private final Clock clock;
  private long lastTimestamp;

  /** Calls {@code ClientService} of the server that hosts {@code hbase:meta} now. */
  @FunctionalInterface
  public interface MetaClient {
    /** Makes one call and returns the answer. */
    <R extends Message> R call(String method, Message request, R responsePrototype)
        throws IOException;
  }

  /** The attribute of a mutation that holds the epoch of the writing master, 8 bytes. */
  public static final String EPOCH = "cairn.master.epoch";

  /** Creates a catalog that calls {@code meta} for a caller that is not a master. */
  public Catalog(MetaClient meta, Clock clock) {
    this(meta, clock, WriterEpoch.none());
  }

  /**
   * Creates a catalog that calls {@code meta}.
   *
   * @param epoch the epoch of the master that writes; once {@code hbase:meta}'s server knows of a
   *     higher one, it refuses the changes
   */
  public Catalog(MetaClient meta, Clock clock, long epoch) {
    this(meta, clock, WriterEpoch.of(epoch));
  }

  private Catalog(MetaClient meta, Clock clock, WriterEpoch epoch) {
    this.epoch = epoch;
    this.rows = new RegionRows(RegionInfo.META, meta::call);
    this.clock = clock;
  }

  /** Reads everything. */
  public CatalogContents read() throws IOException {
    List<RegionRow> regions = new ArrayList<>();
    Map<TableName, HBaseProtos.TableState.State> tables = new HashMap<>();
    List<IncompleteRow> incomplete = new ArrayList<>();
    rows.read(
        List.of(MetaFormat.INFO, MetaFormat.TABLE),
        row -> {
          add(row, regions, tables);
          MetaFormat.incomplete(row).ifPresent(incomplete::add);
        });
    return new CatalogContents(regions, tables, incomplete);
  }

  /**
   * Makes changes, in order. Those that are done when an error comes stay done; making all of them
   * again is harmless.
   *
   * @throws org.apache.hadoop.hbase.DoNotRetryIOException if the server refuses a change for good
   */
  public synchronized void apply(List<CatalogChange> changes) throws IOException {
    lastTimestamp = Math.max(lastTimestamp + 1, clock.currentTimeMillis());
    List<MutationProto> waiting = new ArrayList<>();
    for (CatalogChange change : changes) {
      List<MutationProto> together =
          MetaFormat.mutations(change, lastTimestamp).stream().map(epoch::mark).toList();
      if (together.size() == 1) {
        waiting.addAll(together);
      } else {
        rows.write(waiting);
        waiting.clear();
        rows.writeTogether(together);
      }
    }
    rows.write(waiting);
  }

  private synchronized void add(
      List<CellProtos.Cell> row,
      List<RegionRow> regions,
      Map<TableName, HBaseProtos.TableState.State> tables) {
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
}
