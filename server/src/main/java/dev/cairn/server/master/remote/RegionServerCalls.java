package dev.cairn.server.master.remote;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.walsplit.SplitOrder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;

/**
 * Sends the master's requests to region servers. Every call waits for the answer, and repeating a
 * request is harmless. Thread-safe.
 */
public interface RegionServerCalls {
  /** A server's answers to the request to open a region. */
  enum Opening {
    /** It will, and reports when it is open, or that it failed. */
    ACCEPTED,
    /** It is open there. */
    ALREADY_OPEN,
    /** It cannot be. */
    FAILED
  }

  /**
   * An order to open or close a region. The server repeats the number in its report.
   *
   * @param number higher than those of earlier orders of the same master for the region
   */
  record Order(RegionInfo region, long number) {}

  /** Asks {@code server} to open regions. Returns one answer per region, in their order. */
  List<Opening> open(ServerName server, List<Order> orders) throws IOException;

  /**
   * Tells {@code server} the epoch of this master. From then on it refuses orders and writes of
   * earlier ones, and those under way have ended.
   */
  default void announce(ServerName server) throws IOException {
    open(server, List.of());
  }

  /**
   * Asks {@code server} to close a region, after which it reports.
   *
   * @param destination where the region is moved to; {@code server} redirects clients there. Empty
   *     if the region is not moved
   * @throws org.apache.hadoop.hbase.exceptions.RegionOpeningException if the region is on its way
   *     in
   * @throws org.apache.hadoop.hbase.NotServingRegionException if it does not have the region
   */
  void close(ServerName server, Order order, Optional<Destination> destination) throws IOException;

  /**
   * The next server of a region.
   *
   * @param expects whether it expects the region, after a warm-up: then calls that come there wait
   *     for the region, and clients may be sent there as soon as it begins to close
   */
  record Destination(ServerName server, boolean expects) {}

  /**
   * A server's information on splitting and merging a region.
   *
   * @param splittable true if it can be split: all its files are its own, and its policy allows it
   * @param mergeable true if it can be merged: all its files are its own
   * @param middle a row that divides it in half, if that was asked for and there is one
   */
  record Shape(boolean splittable, boolean mergeable, Optional<byte[]> middle) {}

  /**
   * Asks {@code server} about an open region.
   *
   * @param middle whether a row is wanted that divides it in half
   */
  Shape shape(ServerName server, RegionInfo region, boolean middle) throws IOException;

  /**
   * Orders {@code server} to split parts of a dead server's log. It reports each order later.
   *
   * @param orders orders of one log and with one scratch directory
   */
  void split(ServerName server, List<SplitOrder> orders) throws IOException;

  /** Asks {@code server} which regions it has open. */
  List<RegionInfo> online(ServerName server) throws IOException;

  /** Asks {@code server} for the load of each of its open regions. */
  List<RegionLoad> loads(ServerName server) throws IOException;

  /**
   * Asks {@code server} to write a region's memory to files, of all families or of one. Returns
   * once done.
   */
  void flush(ServerName server, RegionInfo region, Optional<byte[]> family) throws IOException;

  /**
   * Asks {@code server} for the store files of a region at one moment, after a flush unless the
   * snapshot is to skip it.
   *
   * @param timeout how long to wait at most
   */
  SnapshotRegionManifest snapshot(
      ServerName server, RegionInfo region, SnapshotDescription snapshot, Duration timeout)
      throws IOException;

  /**
   * Asks {@code to} to open the files of a region that {@code from} serves, and to read the blocks
   * that {@code from} has in its cache. Changes nothing. Returns once done.
   *
   * @param timeout how long to wait at most
   */
  void warmUp(ServerName from, ServerName to, RegionInfo region, Duration timeout)
      throws IOException;

  /**
   * Tells {@code server} that a region of a dead server will open there soon: calls wait for it.
   * Asks it to open the region's files. Changes nothing. Returns once done.
   *
   * @param timeout how long to wait at most
   */
  void expect(ServerName server, RegionInfo region, Duration timeout) throws IOException;

  /** Asks {@code server} for a major compaction of one family of a region, and does not wait. */
  void compact(ServerName server, RegionInfo region, byte[] family) throws IOException;
}
