package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.region.CompactableRegion;
import dev.cairn.engine.region.FlushableRegion;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.RegionFigures;
import dev.cairn.engine.region.RegionFiles;
import dev.cairn.engine.region.RegionSnapshot;
import dev.cairn.engine.region.SplittableRegion;
import dev.cairn.engine.region.bulkload.BulkLoadOutcome;
import dev.cairn.engine.region.bulkload.BulkLoadRequest;
import dev.cairn.server.regionserver.hooked.HookedTable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The server's work on a region apart from calls: one part for each kind of work.
 *
 * @param closing closes the region
 * @param hooked the limit on calls that may run hooks; empty if the region has none
 */
public record RegionMaintenance(
    FlushableRegion flushes,
    CompactableRegion compactions,
    SplittableRegion splits,
    RegionFigures figures,
    RegionFiles files,
    BulkLoads bulkLoads,
    Snapshots snapshots,
    Closing closing,
    Optional<HookedTable> hooked) {
  /** Creates the parts of a region without hooks. */
  public RegionMaintenance(
      FlushableRegion flushes,
      CompactableRegion compactions,
      SplittableRegion splits,
      RegionFigures figures,
      RegionFiles files,
      BulkLoads bulkLoads,
      Snapshots snapshots,
      Closing closing) {
    this(
        flushes,
        compactions,
        splits,
        figures,
        files,
        bulkLoads,
        snapshots,
        closing,
        Optional.empty());
  }

  /** Loads store files into a region, as {@link Region#bulkLoad} does. */
  @FunctionalInterface
  public interface BulkLoads {
    /** Moves store files from elsewhere in the root directory into the region: all or none. */
    BulkLoadOutcome load(BulkLoadRequest request) throws IOException;

    /**
     * Runs the load that a client asks for, between hooks if there are any.
     *
     * @param files the files as the client names them
     */
    default BulkLoadOutcome run(List<BulkLoadRequest.File> files, Load load) throws IOException {
      return load.run();
    }

    /**
     * Hears that a client is about to prepare loads.
     *
     * @throws IOException refuses the call
     */
    default void preparing(String user) throws IOException {}

    /**
     * Hears that a client is about to end loads.
     *
     * @throws IOException refuses the call
     */
    default void cleaningUp(String user) throws IOException {}
  }

  /** A load that a client asks for. */
  @FunctionalInterface
  public interface Load {
    /** Loads the files, once. */
    BulkLoadOutcome run() throws IOException;
  }

  /** Lists a region's store files, as {@link Region#snapshot} does. */
  @FunctionalInterface
  public interface Snapshots {
    /** Returns the region's store files at one moment. */
    RegionSnapshot take(RegionSnapshot.Memory memory) throws IOException;
  }

  /** Closes a region, as {@link Region#close} does. */
  @FunctionalInterface
  public interface Closing {
    /** Closes the region, flushing it first unless {@code abort}. */
    void close(boolean abort) throws IOException;
  }

  /** Returns the same parts with another way to close the region. */
  public RegionMaintenance closedBy(Closing other) {
    return new RegionMaintenance(
        flushes, compactions, splits, figures, files, bulkLoads, snapshots, other, hooked);
  }

  /** Returns the same parts with another way to load files. */
  public RegionMaintenance loadedBy(BulkLoads other) {
    return new RegionMaintenance(
        flushes, compactions, splits, figures, files, other, snapshots, closing, hooked);
  }

  /** Returns the same parts of a region with hooks. */
  public RegionMaintenance hookedIn(HookedTable table) {
    return new RegionMaintenance(
        flushes,
        compactions,
        splits,
        figures,
        files,
        bulkLoads,
        snapshots,
        closing,
        Optional.of(table));
  }

  /** Returns the parts of an open region of the engine. */
  static RegionMaintenance of(Region region) {
    return new RegionMaintenance(
        region,
        region,
        region,
        region,
        region.files(),
        region::bulkLoad,
        region::snapshot,
        region::close);
  }
}
