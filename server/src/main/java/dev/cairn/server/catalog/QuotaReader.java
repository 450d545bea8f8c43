package dev.cairn.server.catalog;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.quota.QuotaTarget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Reads all of {@code hbase:quota}, from the servers that {@code hbase:meta} names. Thread-safe;
 * calls wait for the network.
 */
public final class QuotaReader {
  /** The table's rows in {@code hbase:meta} begin with its name and a comma. */
  private static final byte[] FIRST = Bytes.utf8(QuotaTarget.TABLE + ",");

  private static final byte[] AFTER_LAST = Bytes.utf8(QuotaTarget.TABLE + "-");

  private final Supplier<Optional<ServerName>> meta;
  private final Calls calls;

  /** Calls {@code ClientService} of servers. */
  @FunctionalInterface
  public interface Calls {
    /** Makes one call and returns the answer. */
    <R extends Message> R call(
        ServerName server, String method, Message request, R responsePrototype) throws IOException;
  }

  /**
   * Creates a reader.
   *
   * @param meta returns the server of {@code hbase:meta}, if known
   */
  public QuotaReader(Supplier<Optional<ServerName>> meta, Calls calls) {
    this.meta = meta;
    this.calls = calls;
  }

  /**
   * Reads the settings.
   *
   * @throws NotServingRegionException if the table or {@code hbase:meta} is not open
   */
  public QuotaContents read() throws IOException {
    QuotaContents contents = new QuotaContents();
    for (RegionRow region : regions()) {
      ServerName server = region.server().orElseThrow(() -> notOpen(QuotaTarget.TABLE.toString()));
      rows(region.region(), server)
          .read(
              QuotaContents.families(),
              row -> {
                for (CellProtos.Cell cell : row) {
                  contents.take(
                      cell.getRow().toByteArray(),
                      cell.getFamily().toByteArray(),
                      cell.getQualifier().toByteArray(),
                      cell.getValue().toByteArray());
                }
              });
    }
    return contents;
  }

  private List<RegionRow> regions() throws IOException {
    ServerName server = meta.get().orElseThrow(() -> notOpen("hbase:meta"));
    List<RegionRow> regions = new ArrayList<>();
    rows(RegionInfo.META, server)
        .read(
            List.of(MetaFormat.INFO),
            FIRST,
            AFTER_LAST,
            row ->
                MetaFormat.region(row)
                    .filter(region -> !region.region().offline())
                    .ifPresent(regions::add));
    if (regions.isEmpty()) {
      throw notOpen(QuotaTarget.TABLE.toString());
    }
    return regions;
  }

  private RegionRows rows(RegionInfo region, ServerName server) {
    return new RegionRows(
        region,
        new RegionRows.Client() {
          @Override
          public <R extends Message> R call(String method, Message request, R responsePrototype)
              throws IOException {
            return calls.call(server, method, request, responsePrototype);
          }
        });
  }

  private static NotServingRegionException notOpen(String table) {
    return new NotServingRegionException(table + " is not open anywhere");
  }
}
