package dev.cairn.coprocessor.facade;

import com.google.protobuf.Service;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.filter.FilterParser;
import dev.cairn.server.regionserver.hosted.RegionReads;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;
import org.apache.hadoop.hbase.regionserver.RegionScannerImpl;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A region as its coprocessors see it. Thread-safe. */
public final class RegionFacade extends WritableRegion {
  private static final Logger LOG = LoggerFactory.getLogger(RegionFacade.class);

  /** All of the object's state. Fields cannot be final, because no constructor runs. */
  private Parts parts;

  private record Parts(
      dev.cairn.engine.schema.RegionInfo own,
      TableSchema schema,
      RegionInfo info,
      TableDescriptor descriptor,
      FilterParser filters,
      Map<String, Service> services,
      AtomicReference<RegionReads> reads) {}

  private RegionFacade() {}

  /**
   * Returns the facade of a region that is not open yet.
   *
   * @param filters reads the filters of scans
   */
  public static RegionFacade of(
      dev.cairn.engine.schema.RegionInfo info, TableSchema schema, FilterParser filters)
      throws IOException {
    RegionFacade facade = Allocation.of(RegionFacade.class);
    facade.parts =
        new Parts(
            info,
            schema,
            ProtobufUtil.toRegionInfo(Messages.message(info)),
            ProtobufUtil.toTableDescriptor(schema.message()),
            filters,
            new ConcurrentHashMap<>(),
            new AtomicReference<>());
    return facade;
  }

  /** Lets coprocessors read the region. */
  public void opened(RegionReads reads) {
    parts.reads().set(reads);
  }

  /** Opens a scan without the hooks of clients' scans, as HBase does for coprocessors. */
  @Override
  public RegionScannerImpl getScanner(Scan scan) throws IOException {
    RegionReads reads = parts.reads().get();
    if (reads == null) {
      throw new NotServingRegionException(this + " is not open yet");
    }
    ScanRequest request = Queries.of(scan, parts.own(), parts.schema(), parts.filters());
    RegionRead read = reads.read(request, ReadBudget.WHOLE_ROWS);
    boolean held = false;
    try {
      if (!read.hold()) {
        throw new IOException("a scan of " + this + " cannot be held");
      }
      held = true;
      return ScannerFacade.of(parts.info(), scan, read);
    } finally {
      if (!held) {
        read.close();
      }
    }
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
    String name = CoprocessorRpcUtils.getServiceName(service.getDescriptorForType());
    boolean isNew = parts.services().putIfAbsent(name, service) == null;
    if (!isNew) {
      LOG.error("{} has a service {} already; the later one is not served", this, name);
    }
    return isNew;
  }

  /** Returns a service of a coprocessor. */
  public Optional<Service> service(String name) {
    return Optional.ofNullable(parts.services().get(name));
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
