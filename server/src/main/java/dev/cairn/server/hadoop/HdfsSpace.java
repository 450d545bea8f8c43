package dev.cairn.server.hadoop;

import dev.cairn.engine.storage.DiskFullException;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/**
 * Tells whether a write failed because HDFS is full. The NameNode refuses a block with the same
 * message if no DataNode has room, and if no DataNode is usable for another reason.
 *
 * @param files the file system
 * @param root a path in the file system
 */
record HdfsSpace(DistributedFileSystem files, Path root) {
  private static final String NO_TARGET = "could only be written to 0 of the";

  /**
   * A DataNode with room for fewer blocks counts as full: the NameNode reserves a whole block for
   * each block that is being written.
   */
  private static final int BLOCKS_MIN = 3;

  /**
   * Returns what to throw for a failed write: a {@link DiskFullException} if a quota is used up or
   * no live DataNode has room, else {@code failure}. May ask the NameNode.
   */
  IOException explain(String path, IOException failure) {
    boolean known = DiskFullException.of(path, failure) instanceof DiskFullException;
    if (!known && !(isWithoutTarget(failure) && isFull())) {
      return failure;
    }
    DiskFullException full = new DiskFullException(path, Reason.of(failure));
    full.initCause(failure);
    return full;
  }

  private static boolean isWithoutTarget(IOException failure) {
    return failure.getMessage() != null && failure.getMessage().contains(NO_TARGET);
  }

  private boolean isFull() {
    try {
      long needed = BLOCKS_MIN * files.getDefaultBlockSize(root);
      DatanodeInfo[] live =
          Uninterrupted.call(() -> files.getDataNodeStats(DatanodeReportType.LIVE));
      for (DatanodeInfo node : live) {
        if (node.getRemaining() >= needed) {
          return false;
        }
      }
      return live.length > 0;
    } catch (IOException e) {
      return false; // The NameNode does not answer, so only its earlier refusal is known.
    }
  }
}
