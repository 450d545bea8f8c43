package dev.cairn.server.process.event;

import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.process.health.DamagedFilesHealth;
import dev.cairn.server.process.metrics.EngineMetrics;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the engine's events, reports damaged files to the health check too, and flushes and
 * compactions to the metrics; most of it also to the page of events.
 */
public final class EventLog implements EngineListener {
  private static final Logger LOG = LoggerFactory.getLogger(EventLog.class);

  private final DamagedFilesHealth damagedFiles;
  private volatile Consumer<String> regionLost = region -> {};
  private final EngineMetrics metrics;
  private final EventRing ring;

  /** Creates a log that shows damaged files in {@code damagedFiles}, and events in {@code ring}. */
  public EventLog(DamagedFilesHealth damagedFiles, EngineMetrics metrics, EventRing ring) {
    this.damagedFiles = damagedFiles;
    this.metrics = metrics;
    this.ring = ring;
  }

  /**
   * Sets the owner of the open regions.
   *
   * @param owner receives the encoded name of a region with a lost block, for each failing read
   */
  public void tellOfLostRegions(Consumer<String> owner) {
    regionLost = owner;
  }

  @Override
  public void regionOpened(String region, int storeFiles, long replayedEntries, long nanos) {
    ring.regionOpened(region, storeFiles, replayedEntries, nanos);
    LOG.info(
        "Opened {} with {} store files in {} ms; {} log entries applied again",
        region,
        storeFiles,
        nanos / 1_000_000,
        replayedEntries);
  }

  @Override
  public void regionClosed(String region) {
    ring.regionClosed(region);
    damagedFiles.closed(region);
    LOG.info("Closed {}", region);
  }

  @Override
  public void flushBegun(String region, long memStoreBytes) {
    metrics.flushBegun(memStoreBytes);
  }

  @Override
  public void flushEnded(String region, int files, long fileBytes, long nanos) {
    ring.flushEnded(region, files, fileBytes, nanos);
    metrics.flushEnded(fileBytes, nanos);
    LOG.info(
        "Flushed {} to {} files of {} bytes in {} ms", region, files, fileBytes, nanos / 1_000_000);
  }

  @Override
  public void flushFailed(String region, Throwable cause) {
    ring.flushFailed(region, cause);
    metrics.flushFailed();
    LOG.warn("Flushing {} failed; its memstores keep their cells", region, cause);
  }

  @Override
  public void compactionEnded(
      String region,
      String family,
      int files,
      boolean major,
      long bytesIn,
      long bytesOut,
      long nanos) {
    ring.compactionEnded(region, family, files, major, bytesIn, bytesOut, nanos);
    metrics.compactionEnded(files, major, bytesIn, bytesOut, nanos);
    LOG.info(
        "Compacted {}/{} from {} to {} bytes in {} ms",
        region,
        family,
        bytesIn,
        bytesOut,
        nanos / 1_000_000);
  }

  @Override
  public void expiredFilesDropped(String region, String family, int files, long bytes) {
    LOG.info(
        "{}/{} does without {} files of {} bytes, in which all is past its time to live",
        region,
        family,
        files,
        bytes);
  }

  @Override
  public void compactionStopped(String region, String family) {
    ring.compactionStopped(region, family);
  }

  /** Logs nothing: the caller of the compaction does. */
  @Override
  public void compactionFailed(String region, String family, Throwable cause) {
    ring.compactionFailed(region, family, cause);
    metrics.compactionFailed();
  }

  @Override
  public void storeFileDamaged(String region, String path, long offset, String what) {
    String message =
        "The store file "
            + path
            + " of table "
            + table(path)
            + (path.contains("/" + region + "/") ? "" : ", which region " + region + " reads,")
            + " is damaged at byte "
            + offset
            + ": "
            + what
            + ". Calls that need this part of the file fail; all other data is served. Stop the"
            + " server, restore the file from a backup, and start again. bin/cairn verify checks"
            + " all files";
    if (damagedFiles.add(region, path, message)) {
      LOG.error("{}", message);
    }
  }

  @Override
  public void storeFileLost(String region, String path, String reason) {
    ring.storeFileLost(region, path, reason);
    String message =
        "%s. Region %s of table %s closes, and opens again once the block is back"
            .formatted(reason, region, table(path));
    if (damagedFiles.add(region, path, message)) {
      LOG.error("{}", message);
    }
    regionLost.accept(region);
  }

  private static TableName table(String path) {
    return StoreDirectory.parse(path.substring(0, path.lastIndexOf('/'))).table();
  }
}
