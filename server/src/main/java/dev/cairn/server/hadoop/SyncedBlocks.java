package dev.cairn.server.hadoop;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Creates files whose blocks are on the disks of their DataNodes once the file is closed. HDFS's
 * {@code hsync} alone syncs the last block of a file, not the blocks before it, nor the names that
 * DataNodes give to complete blocks. On other file systems the files are ordinary ones.
 */
public final class SyncedBlocks {
  private SyncedBlocks() {}

  /** Creates a file and the directories above it. An existing file is replaced. */
  public static FSDataOutputStream replace(FileSystem files, Path path) throws IOException {
    return files instanceof DistributedFileSystem hdfs
        ? hdfs.createFile(path).recursive().overwrite(true).syncBlock().build()
        : files.create(path, true);
  }

  /** Creates a file and the directories above it. Fails if the file exists. */
  static FSDataOutputStream create(FileSystem files, Path path) throws IOException {
    return files instanceof DistributedFileSystem hdfs
        ? hdfs.createFile(path).recursive().overwrite(false).syncBlock().build()
        : files.create(path, false);
  }

  /** Creates a file in a directory that exists. Fails if the file exists. */
  static FSDataOutputStream createIn(FileSystem files, Path path) throws IOException {
    return files instanceof DistributedFileSystem hdfs
        ? hdfs.createFile(path).overwrite(false).syncBlock().build()
        : files.createNonRecursive(
            path,
            false,
            HadoopStorage.bufferBytes(files),
            files.getDefaultReplication(path),
            files.getDefaultBlockSize(path),
            null);
  }
}
