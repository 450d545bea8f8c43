package dev.cairn.server.master.assignment;

import dev.cairn.server.catalog.ServerName;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.RegionTransitionType;

/**
 * The transition of one region to its goal. Listed among the procedures.
 *
 * @param id its number among the procedures
 * @param type the kind that was requested when it began
 * @param from the server at which the region was open when it began; empty if it was not open
 * @param sinceMillis when it began, milliseconds since 1970
 */
public record RegionTransition(
    long id, RegionTransitionType type, Optional<ServerName> from, long sinceMillis) {
  /**
   * An order to a server to open or close a region, as a part of the transition. Listed among the
   * procedures, too.
   *
   * @param id its number among the procedures
   * @param sinceMillis when it began, milliseconds since 1970
   */
  public record Order(long id, long sinceMillis) {}
}
