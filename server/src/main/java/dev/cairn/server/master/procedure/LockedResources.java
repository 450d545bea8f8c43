package dev.cairn.server.master.procedure;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.table.TableResource;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockProcedureData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockType;

/**
 * The resources that a lock or a procedure needs. As in HBase, a lock on a region shares the table,
 * and a lock on a table shares the namespace. Immutable.
 *
 * @param exclusive by resource, whether the lock on it is exclusive
 */
record LockedResources(Map<String, Boolean> exclusive) {
  private static final String NAMESPACE = "namespace:";
  private static final String REGION = "region:";

  /** Returns the resources of a procedure. */
  static LockedResources of(Procedure procedure) {
    String resource = procedure.resource();
    Map<String, Boolean> taken = new TreeMap<>();
    TableResource.namespace(resource).ifPresent(name -> taken.put(NAMESPACE + name, false));
    taken.put(resource, procedure.lockedRegions().isEmpty());
    procedure.lockedRegions().forEach(region -> taken.put(REGION + region.encodedName(), true));
    return new LockedResources(taken);
  }

  /**
   * Returns the resources of a client's lock.
   *
   * @throws IllegalArgumentException if it does not name a namespace, or a table, or regions of one
   *     table
   */
  static LockedResources of(LockProcedureData data) {
    boolean exclusive = data.getLockType() == LockType.EXCLUSIVE;
    int kinds =
        (data.hasNamespace() ? 1 : 0)
            + (data.hasTableName() ? 1 : 0)
            + (data.getRegionInfoCount() > 0 ? 1 : 0);
    if (kinds != 1) {
      throw new IllegalArgumentException(
          "A lock is on a namespace, or on a table, or on regions of a table");
    }
    Map<String, Boolean> taken = new TreeMap<>();
    if (data.hasNamespace()) {
      taken.put(NAMESPACE + data.getNamespace(), exclusive);
    } else if (data.hasTableName()) {
      TableName table = Messages.tableName(data.getTableName());
      taken.put(NAMESPACE + table.namespace(), false);
      taken.put(TableResource.of(table), exclusive);
    } else {
      TableName table = Messages.regionInfo(data.getRegionInfo(0)).table();
      taken.put(NAMESPACE + table.namespace(), false);
      taken.put(TableResource.of(table), false);
      for (HBaseProtos.RegionInfo message : data.getRegionInfoList()) {
        RegionInfo region = Messages.regionInfo(message);
        if (!region.table().equals(table)) {
          throw new IllegalArgumentException("The regions of a lock are of one table");
        }
        taken.put(REGION + region.encodedName(), exclusive);
      }
    }
    return new LockedResources(taken);
  }

  /** Tells whether the two exclude each other. */
  boolean conflictWith(LockedResources other) {
    return exclusive.entrySet().stream()
        .anyMatch(
            mine ->
                other.exclusive.containsKey(mine.getKey())
                    && (mine.getValue() || other.exclusive.get(mine.getKey())));
  }

  @Override
  public String toString() {
    return String.join(", ", exclusive.keySet());
  }
}
