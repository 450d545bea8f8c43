package dev.cairn.server.catalog;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Looks up regions and states of tables in {@code hbase:meta}. Thread-safe; calls wait for the
 * network.
 */
public final class RegionLookup {
  private static final byte[] AFTER = {0};

  /** Follows the name of a table in the rows of its regions. */
  private static final String FIRST = ",";

  /** Comes after {@link #FIRST}. */
  private static final String AFTER_LAST = "-";

  private final Supplier<Optional<ServerName>> meta;
  private final QuotaReader.Calls calls;

  /**
   * Creates it.
   *
   * @param meta returns the server of {@code hbase:meta}, if known
   */
  public RegionLookup(Supplier<Optional<ServerName>> meta, QuotaReader.Calls calls) {
    this.meta = meta;
    this.calls = calls;
  }

  /** Returns the row of a region that is no replica; empty if there is none. */
  public Optional<RegionRow> find(RegionInfo region) throws IOException {
    byte[] row = region.regionName();
    return read(row, Bytes.concat(row, AFTER)).stream().findFirst();
  }

  /**
   * Returns the rows of the regions that hold a table's rows, in order; none if there is no such
   * table.
   */
  public List<RegionRow> find(TableName table) throws IOException {
    return read(Bytes.utf8(table + FIRST), Bytes.utf8(table + AFTER_LAST)).stream()
        .filter(row -> !row.region().offline())
        .toList();
  }

  /** Tells whether a table is disabled, or is being disabled. */
  public boolean isDisabled(TableName table) throws IOException {
    byte[] row = Bytes.utf8(table.toString());
    List<HBaseProtos.TableState.State> found = new ArrayList<>();
    read(
        MetaFormat.TABLE,
        row,
        Bytes.concat(row, AFTER),
        cells -> MetaFormat.tableState(cells).ifPresent(found::add));
    return found.contains(HBaseProtos.TableState.State.DISABLED)
        || found.contains(HBaseProtos.TableState.State.DISABLING);
  }

  private List<RegionRow> read(byte[] start, byte[] stop) throws IOException {
    List<RegionRow> found = new ArrayList<>();
    read(MetaFormat.INFO, start, stop, cells -> MetaFormat.region(cells).ifPresent(found::add));
    return found;
  }

  private void read(byte[] family, byte[] start, byte[] stop, RegionRows.RowConsumer rows)
      throws IOException {
    ServerName server =
        meta.get()
            .orElseThrow(() -> new NotServingRegionException("hbase:meta is not open anywhere"));
    new RegionRows(
            RegionInfo.META,
            new RegionRows.Client() {
              @Override
              public <R extends Message> R call(String method, Message request, R responsePrototype)
                  throws IOException {
                return calls.call(server, method, request, responsePrototype);
              }
            })
        .read(List.of(family), start, stop, rows);
  }
}
