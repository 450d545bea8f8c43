package dev.cairn.server.hadoop;

import dev.cairn.engine.storage.DiskFullException;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Tells whether a write failed because HDFS is full. The NameNode refuses a block with the same
 * message if no DataNode has room, and if no DataNode is usable for another reason. An ordinary
 * user may not ask for the room of each DataNode, so the average decides.
 *
 * @param files the file system
 * @param root a path in the file system
 */
record HdfsSpace(DistributedFileSystem files, Path root) {
  /** The NameNode's refusal, with the number of live DataNodes. */
  private static final Pattern NO_TARGET =
      Pattern.compile("could only be written to 0 of the .* (\\d+) datanode\\(s\\) running");

  /**
   * HDFS is considered full if its DataNodes have room for fewer blocks than this on average: the
   * NameNode reserves a whole block for each block that is being written.
   */
  private static final int BLOCKS_MIN = 3;

  /**
   * Returns the exception to throw for a failed write: a {@link DiskFullException} if a quota is
   * used up or the live DataNodes have no room, else {@code failure}. May ask the NameNode.
   */
  IOException explain(String path, IOException failure) {
    boolean known = DiskFullException.of(path, failure) instanceof DiskFullException;
    if (!known && !isFull(failure)) {
      return failure;
    }
    DiskFullException full = new DiskFullException(path, Reason.of(failure));
    full.initCause(failure);
    return full;
  }

  /** Tells whether the NameNode found no DataNode for a block. */
  static boolean isWithoutTarget(IOException failure) {
    return refusal(failure).find();
  }

  private static Matcher refusal(IOException failure) {
    return NO_TARGET.matcher(failure.getMessage() == null ? "" : failure.getMessage());
  }

  private boolean isFull(IOException failure) {
    Matcher refusal = refusal(failure);
    if (!refusal.find()) {
      return false;
    }
    try {
      long dataNodes = Long.parseLong(refusal.group(1));
      long needed = dataNodes * BLOCKS_MIN * files.getDefaultBlockSize(root);
      return Uninterrupted.call(() -> files.getStatus(root)).getRemaining() < needed;
    } catch (IOException e) {
      return false; // The NameNode does not answer, so only its earlier refusal is known.
    }
  }
}
