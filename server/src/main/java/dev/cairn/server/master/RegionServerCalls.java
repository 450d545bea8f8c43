package dev.cairn.server.master;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * What the master asks of region servers. Every call waits for the answer; every request may be
 * made twice.
 */
public interface RegionServerCalls {
  /** What a server answers to the request to open a region. */
  enum Opening {
    /** It will, and reports when it is open, or that it failed. */
    ACCEPTED,
    /** It is open there. */
    ALREADY_OPEN,
    /** It cannot be. */
    FAILED
  }

  /** Asks {@code server} to open regions. Returns one answer per region, in their order. */
  List<Opening> open(ServerName server, List<RegionInfo> regions) throws IOException;

  /**
   * Asks {@code server} to close a region, after which it reports.
   *
   * @throws org.apache.hadoop.hbase.exceptions.RegionOpeningException if the region is on its way
   *     in
   * @throws org.apache.hadoop.hbase.NotServingRegionException if it does not have the region
   */
  void close(ServerName server, RegionInfo region) throws IOException;

  /**
   * Asks {@code server} to write a region's memory to files, of all families or of one. Returns
   * once done.
   */
  void flush(ServerName server, RegionInfo region, Optional<byte[]> family) throws IOException;
}
