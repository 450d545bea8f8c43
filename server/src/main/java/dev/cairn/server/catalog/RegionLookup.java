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
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Looks up regions in {@code hbase:meta}. Thread-safe; calls wait for the network. */
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

  private List<RegionRow> read(byte[] start, byte[] stop) throws IOException {
    ServerName server =
        meta.get()
            .orElseThrow(() -> new NotServingRegionException("hbase:meta is not open anywhere"));
    List<RegionRow> found = new ArrayList<>();
    new RegionRows(
            RegionInfo.META,
            new RegionRows.Client() {
              @Override
              public <R extends Message> R call(String method, Message request, R responsePrototype)
                  throws IOException {
                return calls.call(server, method, request, responsePrototype);
              }
            })
        .read(
            List.of(MetaFormat.INFO),
            start,
            stop,
            cells -> MetaFormat.region(cells).ifPresent(found::add));
    return found;
  }
}
