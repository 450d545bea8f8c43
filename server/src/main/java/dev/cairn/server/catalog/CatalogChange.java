package dev.cairn.server.catalog;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/** One change of {@code hbase:meta}. Doing it twice leaves what doing it once leaves. */
public sealed interface CatalogChange {
  /** A region comes into being, closed. */
  record AddRegion(RegionInfo region) implements CatalogChange {}

  /** A region is about to be opened or closed at {@code server}, or was closed there. */
  record SetRegionState(
      RegionInfo region, ClusterStatusProtos.RegionState.State state, ServerName server)
      implements CatalogChange {}

  /** A region is open at {@code server}: from now on clients are sent there. */
  record RegionOpened(RegionInfo region, ServerName server, long openSequence)
      implements CatalogChange {}

  /** A region is gone. */
  record RemoveRegion(RegionInfo region) implements CatalogChange {}

  /** A table is in {@code state}; a table without a state does not exist. */
  record SetTableState(TableName table, HBaseProtos.TableState.State state)
      implements CatalogChange {}

  /** A table is gone. */
  record RemoveTable(TableName table) implements CatalogChange {}
}
