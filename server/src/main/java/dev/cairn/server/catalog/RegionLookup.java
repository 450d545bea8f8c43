package dev.cairn.server.catalog;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Looks up single regions in {@code hbase:meta}. Thread-safe; calls wait for the network. */
public final class RegionLookup {
  private static final byte[] AFTER = {0};

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
    ServerName server =
        meta.get()
            .orElseThrow(() -> new NotServingRegionException("hbase:meta is not open anywhere"));
    byte[] row = region.regionName();
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
            row,
            Bytes.concat(row, AFTER),
            cells -> MetaFormat.region(cells).ifPresent(found::add));
    return found.stream().findFirst();
  }
}
