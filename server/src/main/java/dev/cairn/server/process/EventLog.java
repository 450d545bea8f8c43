package dev.cairn.server.process;

import dev.cairn.engine.event.EngineListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what the engine does to the log. */
final class EventLog implements EngineListener {
  private static final Logger LOG = LoggerFactory.getLogger(EventLog.class);

  @Override
  public void regionOpened(String region, int storeFiles, long replayedEntries, long nanos) {
    LOG.info(
        "Opened {} with {} store files in {} ms; {} log entries applied again",
        region,
        storeFiles,
        nanos / 1_000_000,
        replayedEntries);
  }

  @Override
  public void regionClosed(String region) {
    LOG.info("Closed {}", region);
  }

  @Override
  public void flushEnded(String region, int files, long fileBytes, long nanos) {
    LOG.info(
        "Flushed {} to {} files of {} bytes in {} ms", region, files, fileBytes, nanos / 1_000_000);
  }

  @Override
  public void flushFailed(String region, Throwable cause) {
    LOG.error("Flushing {} failed; its memstores keep what they hold", region, cause);
  }

  @Override
  public void compactionEnded(
      String region, String family, long bytesIn, long bytesOut, long nanos) {
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
  public void compactionFailed(String region, String family, Throwable cause) {
    LOG.error("Compacting {}/{} failed; its files are as before", region, family, cause);
  }
}
