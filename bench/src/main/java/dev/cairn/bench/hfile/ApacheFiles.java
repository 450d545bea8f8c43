package dev.cairn.bench.hfile;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.apache.hadoop.hbase.io.hfile.ReaderContext.ReaderType;
import org.apache.hadoop.hbase.io.hfile.ReaderContextBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.util.ChecksumType;

/**
 * Apache's files, written and read as its region server does it: through an {@link HFileSystem}
 * that leaves checksums to HBase, and with the allocator of its buffers. The file system below is
 * Hadoop's raw local one, which writes no checksum files of its own.
 */
final class ApacheFiles {
  private final Configuration configuration = HBaseConfiguration.create();
  private final HFileSystem files;
  private final Path directory;
  private final HFileContext context;
  private final ByteBuffAllocator allocator;

  /**
   * Prepares for files in {@code directory}.
   *
   * @param snappy {@code native}: Hadoop's codec, which calls the native library; {@code java}:
   *     HBase's own codec in Java
   * @param buffers {@code pool}: blocks that are not cached come from a pool outside the heap, as
   *     by default in a region server; {@code heap}: they are allocated
   */
  ApacheFiles(
      java.nio.file.Path directory,
      String encoding,
      String compression,
      String snappy,
      String buffers)
      throws IOException {
    configuration.set("fs.defaultFS", "file:///");
    configuration.set("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
    if (snappy.equals("java")) {
      configuration.set(
          "hbase.io.compress.snappy.codec",
          "org.apache.hadoop.hbase.io.compress.aircompressor.SnappyCodec");
    }
    this.files = new HFileSystem(configuration, true);
    this.directory = new Path(directory.toUri());
    this.allocator =
        buffers.equals("pool")
            ? ByteBuffAllocator.create(configuration, true)
            : ByteBuffAllocator.HEAP;
    this.context =
        new HFileContextBuilder()
            .withBlockSize(CairnFiles.BLOCK_SIZE)
            .withCompression(Algorithm.valueOf(compression))
            .withDataBlockEncoding(DataBlockEncoding.valueOf(encoding))
            .withIncludesTags(false)
            .withIncludesMvcc(true)
            .withHBaseCheckSum(true)
            .withChecksumType(ChecksumType.CRC32C)
            .withColumnFamily(SampleCells.FAMILY)
            .withCellComparator(CellComparatorImpl.COMPARATOR)
            .build();
  }

  /** Writes a file. */
  void write(String name, KeyValue[] cells) throws IOException {
    Path path = new Path(directory, name);
    StoreFileWriter writer =
        new StoreFileWriter.Builder(configuration, cacheConfig(Optional.empty()), files)
            .withFilePath(path)
            .withFileContext(context)
            .withBloomType(BloomType.ROW)
            .withMaxKeyCount(cells.length)
            .build();
    for (KeyValue cell : cells) {
      writer.append(cell);
    }
    writer.appendMetadata(cells.length, true);
    writer.close();
  }

  /** Opens a file as a long scan does, or a compaction. */
  HFile.Reader openForScans(String name, Optional<BlockCache> cache) throws IOException {
    return open(name, ReaderType.STREAM, cache);
  }

  /** Opens a file as a get does. */
  HFile.Reader openForGets(String name, Optional<BlockCache> cache) throws IOException {
    return open(name, ReaderType.PREAD, cache);
  }

  long length(String name) throws IOException {
    return files.getFileStatus(new Path(directory, name)).getLen();
  }

  Configuration configuration() {
    return configuration;
  }

  void delete(String name) throws IOException {
    files.delete(new Path(directory, name), false);
  }

  private HFile.Reader open(String name, ReaderType type, Optional<BlockCache> cache)
      throws IOException {
    Path path = new Path(directory, name);
    ReaderContext opened =
        new ReaderContextBuilder()
            .withInputStreamWrapper(new FSDataInputStreamWrapper(files, path))
            .withFilePath(path)
            .withFileSize(files.getFileStatus(path).getLen())
            .withFileSystem(files)
            .withPrimaryReplicaReader(true)
            .withReaderType(type)
            .build();
    HFileInfo info = new HFileInfo(opened, configuration);
    HFile.Reader reader = HFile.createReader(opened, info, cacheConfig(cache), configuration);
    info.initMetaAndIndex(reader);
    return reader;
  }

  private CacheConfig cacheConfig(Optional<BlockCache> cache) {
    return new CacheConfig(
        configuration,
        ColumnFamilyDescriptorBuilder.of(SampleCells.FAMILY),
        cache.orElse(null),
        allocator);
  }
}
