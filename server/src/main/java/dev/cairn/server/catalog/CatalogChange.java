package dev.cairn.server.catalog;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/** One change of {@code hbase:meta}. Doing it twice leaves what doing it once leaves. */
public sealed interface CatalogChange {
  /** A region comes into being, closed. */
  record AddRegion(RegionInfo region) implements CatalogChange {}

  /**
   * A region, or a replica of one, is about to be opened or closed at {@code server}, or was closed
   * there.
   */
  record SetRegionState(
      RegionInfo region, ClusterStatusProtos.RegionState.State state, ServerName server)
      implements CatalogChange {}

  /**
   * A region, or a replica of one, is open at {@code server}: from now on clients are sent there.
   */
  record RegionOpened(RegionInfo region, ServerName server, long openSequence)
      implements CatalogChange {}

  /**
   * The server of a region, or of a replica of one, is dead: clients find no server until it is
   * open again. The state stays, because another master needs it to find out whose log has the
   * region's edits.
   */
  record RegionUnreachable(RegionInfo region) implements CatalogChange {}

  /**
   * The server of a region is dead, and {@code next} is about to open the region: clients find this
   * server, and their calls wait there. Or {@code next} could not open the region, and tells
   * clients the reason. The stored state does not change, as with {@link RegionUnreachable}.
   */
  record RegionExpected(RegionInfo region, ServerName next) implements CatalogChange {}

  /** A replica is gone. */
  record RemoveReplica(RegionInfo replica) implements CatalogChange {}

  /**
   * A region whose row the catalog had lost was split or merged; its files are needed for as long
   * as {@code heirs} refer to them.
   *
   * @param heirs the regions that refer to it, in the order of their rows; at least one
   */
  record AddParent(RegionInfo parent, List<RegionInfo> heirs) implements CatalogChange {
    /** Returns the parent as its row describes it. */
    public RegionInfo splitParent() {
      return parent.asSplit();
    }
  }

  /** A row does not describe a region, and no directory does. */
  record RemoveRow(byte[] row) implements CatalogChange {}

  /** A region is gone. */
  record RemoveRegion(RegionInfo region) implements CatalogChange {}

  /**
   * Two regions replace {@code parent} in one step; its row stays, for as long as they need its
   * files.
   *
   * @param opening the server that is to open both; empty if they are closed
   */
  record SplitRegion(
      RegionInfo parent, RegionInfo lower, RegionInfo upper, Optional<ServerName> opening)
      implements CatalogChange {
    /** Returns the parent as its row describes it from then on. */
    public RegionInfo splitParent() {
      return parent.asSplit();
    }
  }

  /**
   * One region replaces {@code parents} in one step; its row names them for as long as it needs
   * their files.
   *
   * @param earlier regions that the parents were merged from, as named in the parents' rows, which
   *     are deleted
   * @param opening the server that is to open it; empty if it is closed
   */
  record MergeRegions(
      List<RegionInfo> parents,
      RegionInfo merged,
      List<RegionInfo> earlier,
      Optional<ServerName> opening)
      implements CatalogChange {
    /** Returns the regions that the merged region's row names. */
    public List<RegionInfo> named() {
      return Stream.concat(parents.stream(), earlier.stream()).toList();
    }
  }

  /** A merged region no longer needs the files of its {@code parents}. */
  record ForgetMerge(RegionInfo merged, List<RegionInfo> parents) implements CatalogChange {}

  /** A table is in {@code state}; a table without a state does not exist. */
  record SetTableState(TableName table, HBaseProtos.TableState.State state)
      implements CatalogChange {}

  /** A table is gone. */
  record RemoveTable(TableName table) implements CatalogChange {}
}
