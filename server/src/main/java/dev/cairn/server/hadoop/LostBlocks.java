package dev.cairn.server.hadoop;

import dev.cairn.engine.storage.LostBlockException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Distinguishes lost blocks of files on HDFS from other failures, and remembers where reads have
 * met them: for minutes, the NameNode still names a DataNode that is down. Thread-safe.
 */
final class LostBlocks {
  private static final int FILES_MAX = 10_000;

  /** The position of a failed read by the path of its file, the newest file last. */
  private final Map<String, Long> positions = new LinkedHashMap<>();

  /** Returns the exception to throw for a read that failed. */
  IOException readFailed(String path, long position, IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof BlockMissingException) {
        remember(path, position);
        return new LostBlockException(path, position, Reason.of(cause), failure);
      }
    }
    return new IOException(
        "Could not read " + path + " at " + position + ": " + Reason.of(failure), failure);
  }

  private synchronized void remember(String path, long position) {
    positions.put(path, position);
    if (positions.size() > FILES_MAX) {
      positions.remove(positions.keySet().iterator().next());
    }
  }

  /** Returns where the last read of a file met a lost block. */
  synchronized OptionalLong position(String path) {
    Long position = positions.get(path);
    return position == null ? OptionalLong.empty() : OptionalLong.of(position);
  }

  /** Forgets a file with a block that is back. */
  synchronized void found(String path) {
    positions.remove(path);
  }

  /** Checks that the NameNode names a good copy of each block of a file. */
  static void check(String path, HdfsDataInputStream file) throws IOException {
    for (LocatedBlock block : file.getAllBlocks()) {
      if (block.getLocations().length == 0 || block.isCorrupt()) {
        throw new LostBlockException(
            path,
            block.getStartOffset(),
            "the NameNode knows no DataNode with a good copy of " + block.getBlock(),
            null);
      }
    }
  }
}
