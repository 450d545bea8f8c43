package dev.cairn.coprocessor.facade;

import com.google.protobuf.Service;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.Messages;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.UnservedRegion;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A region as its coprocessors see it. Thread-safe. */
public final class RegionFacade extends UnservedRegion {
  private static final Logger LOG = LoggerFactory.getLogger(RegionFacade.class);

  /** All of the object's state: fields cannot be final, as no constructor runs. */
  private Parts parts;

  private record Parts(
      RegionInfo info, TableDescriptor descriptor, Map<String, Service> services) {}

  private RegionFacade() {}

  /** Returns the facade of a region. */
  public static RegionFacade of(dev.cairn.engine.schema.RegionInfo info, TableSchema schema)
      throws IOException {
    RegionFacade facade = Allocation.of(RegionFacade.class);
    facade.parts =
        new Parts(
            ProtobufUtil.toRegionInfo(Messages.message(info)),
            ProtobufUtil.toTableDescriptor(schema.message()),
            new ConcurrentHashMap<>());
    return facade;
  }

  @Override
  public RegionInfo getRegionInfo() {
    return parts.info();
  }

  @Override
  public TableDescriptor getTableDescriptor() {
    return parts.descriptor();
  }

  /** The first service of a name stays. */
  @Override
  public boolean registerService(Service service) {
    String name = service.getDescriptorForType().getFullName();
    boolean isNew = parts.services().putIfAbsent(name, service) == null;
    if (!isNew) {
      LOG.error("{} has a service {} already; the later one is not served", this, name);
    }
    return isNew;
  }

  /** Returns a service that a coprocessor brings. */
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
