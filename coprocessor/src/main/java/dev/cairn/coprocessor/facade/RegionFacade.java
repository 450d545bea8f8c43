package dev.cairn.coprocessor.facade;

import com.google.protobuf.Service;
import dev.cairn.coprocessor.convert.Queries;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.filter.FilterParser;
import dev.cairn.server.hook.HookKeys;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.RegionScannerImpl;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;

/**
 * A region as its coprocessors see it. Methods that are not overridden here throw {@link
 * UnsupportedOperationException}. Thread-safe.
 */
public class RegionFacade extends MeasuredRegion {

  private static final Allocation<RegionFacade> ALLOCATION =
      Allocation.of(RegionFacade.class, HRegion.class);

  /** All of the object's state. Fields cannot be final, because no constructor runs. */
  private Parts parts;

  private record Parts(
      RegionInfo info,
      TableDescriptor descriptor,
      long processingLimitMillis,
      Queries queries,
      Configuration settings,
      NavigableMap<byte[], StoreFacade> stores,
      Clock clock,
      RegisteredServices services,
      AtomicReference<Reader> reader) {}

  /** Never runs. */
  private RegionFacade() {}

  /**
   * Returns the facade of a region that is not open yet.
   *
   * @param filters reads the filters of scans
   * @param settings those of the region
   * @param paths where the files of the server's regions lie
   * @param clock the server's
   */
  public static RegionFacade of(
      dev.cairn.engine.schema.RegionInfo info,
      TableSchema schema,
      FilterParser filters,
      Configuration settings,
      StoragePaths paths,
      Clock clock)
      throws IOException {
    RegionFacade facade = ALLOCATION.object();
    RegionInfo region = ProtobufUtil.toRegionInfo(Messages.message(info));
    TableDescriptor descriptor = ProtobufUtil.toTableDescriptor(schema.message());
    NavigableMap<byte[], StoreFacade> stores = new TreeMap<>(Arrays::compareUnsigned);
    for (ColumnFamilyDescriptor family : descriptor.getColumnFamilies()) {
      Path folder = paths.folder(info, family.getNameAsString());
      stores.put(family.getName(), StoreFacade.of(facade, region, family, settings, paths, folder));
    }
    facade.parts =
        new Parts(
            region,
            descriptor,
            settings.getLong(
                HookKeys.ROW_PROCESSOR_LIMIT.name(),
                Long.parseLong(HookKeys.ROW_PROCESSOR_LIMIT.defaultText())),
            new Queries(info, schema, filters),
            settings,
            stores,
            clock,
            new RegisteredServices(region.getRegionNameAsString()),
            new AtomicReference<>());
    return facade;
  }

  Clock clock() {
    return parts.clock();
  }

  /** Returns how the queries of the region's hooks are converted. */
  public Queries queries() {
    return parts.queries();
  }

  /** Lets coprocessors read the region. */
  public void opened(Reader reader) {
    parts.reader().set(reader);
  }

  private Reader reader() throws NotServingRegionException {
    Reader reader = parts.reader().get();
    if (reader == null) {
      throw new NotServingRegionException(this + " is not open yet");
    }
    return reader;
  }

  @Override
  Configuration settings() {
    return parts.settings();
  }

  /** Returns the store of a family, which must be one of the region's. */
  public StoreFacade store(byte[] family) {
    return parts.stores().get(family);
  }

  @Override
  public HStore getStore(byte[] family) {
    return store(family);
  }

  @Override
  public List<HStore> getStores() {
    return List.copyOf(parts.stores().values());
  }

  /** Opens a scan without the hooks of clients' scans, as HBase does for coprocessors. */
  @Override
  public RegionScannerImpl getScanner(Scan scan) throws IOException {
    return reader().scanner(scan);
  }

  @Override
  public RegionScannerImpl getScanner(Scan scan, List<KeyValueScanner> additional)
      throws IOException {
    if (additional != null && !additional.isEmpty()) {
      throw new UnsupportedOperationException(
          "HRegion.getScanner with more scanners is not served by Cairn");
    }
    return getScanner(scan);
  }

  /** Reads between the hooks of gets. */
  @Override
  public Result get(Get get) throws IOException {
    List<Cell> cells = get(get, true);
    return Result.create(cells, get.isCheckExistenceOnly() ? !cells.isEmpty() : null, isReplica());
  }

  @Override
  public List<Cell> get(Get get, boolean withHooks) throws IOException {
    Reader reader = reader();
    reader.queries().complete(get);
    return withHooks ? reader.cellsBetweenHooks(get) : reader.cells(get);
  }

  @Override
  long processingLimitMillis() {
    return parts.processingLimitMillis();
  }

  @Override
  public RegionInfo getRegionInfo() {
    return parts.info();
  }

  @Override
  public TableDescriptor getTableDescriptor() {
    return parts.descriptor();
  }

  /** Registers a service, unless one with its name is registered. */
  @Override
  public boolean registerService(Service service) {
    return parts.services().register(service);
  }

  /** Returns the names of all services of coprocessors. */
  public Set<String> services() {
    return parts.services().names();
  }

  /** Returns a service of a coprocessor. */
  public Optional<Service> service(String name) {
    return parts.services().find(name);
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  @Override
  public String toString() {
    return parts.info().getRegionNameAsString();
  }
}
