package dev.cairn.server.regionserver.assignment;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import java.util.concurrent.Executor;

/**
 * The threads that open regions. Clients find no region without {@code hbase:meta}, so the regions
 * of system tables do not wait for those of users.
 *
 * @param meta opens {@code hbase:meta}
 * @param system opens the regions of all other system tables
 * @param user opens the regions of users' tables
 */
public record Openings(Executor meta, Executor system, Executor user) {
  Executor threadsFor(RegionInfo region) {
    if (region.isMeta()) {
      return meta; // Its replicas do not delay it.
    }
    return region.table().namespace().equals(TableName.SYSTEM_NAMESPACE) ? system : user;
  }
}
