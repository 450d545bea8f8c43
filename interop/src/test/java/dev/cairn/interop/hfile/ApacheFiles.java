package dev.cairn.interop.hfile;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.hfile.codec.Compression;
import dev.cairn.engine.schema.FamilySchema.BloomType;
import java.io.DataInput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.ExtendedCellBuilderFactory;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.util.BloomFilter;
import org.apache.hadoop.hbase.util.BloomFilterFactory;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.apache.hadoop.io.compress.BZip2Codec;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.bzip2.BZip2DummyDecompressor;

/** Apache's side: its writer, its reader, its Bloom filters and codecs, and its cells. */
final class ApacheFiles implements AutoCloseable {
  private static final String CODECS = "org.apache.hadoop.hbase.io.compress.aircompressor.";

  private final Path directory;
  private final Configuration configuration;
  private final HFileSystem files;

  ApacheFiles(Path directory) throws IOException {
    this.directory = directory;
    this.configuration = configuration();
    this.files = new HFileSystem(configuration, true);
  }

  /**
   * Hadoop's streams in plain Java, without the compressor in place of which it has a dummy that
   * HBase cannot handle.
   */
  public static final class JavaBzip2Codec extends BZip2Codec {
    @Override
    public Class<? extends Compressor> getCompressorType() {
      return null;
    }

    @Override
    public Compressor createCompressor() {
      return null;
    }

    @Override
    public Class<? extends Decompressor> getDecompressorType() {
      return Idle.class;
    }

    @Override
    public Decompressor createDecompressor() {
      return new Idle();
    }

    private static final class Idle extends BZip2DummyDecompressor {
      @Override
      public boolean finished() {
        return false;
      }
    }
  }

  /** Lets Apache's algorithms use codecs that need no native library. */
  static void useJavaCodecs() {
    Configuration codecs = configuration();
    codecs.set("hbase.io.compress.lz4.codec", CODECS + "Lz4Codec");
    codecs.set("hbase.io.compress.lzo.codec", CODECS + "LzoCodec");
    codecs.set("hbase.io.compress.snappy.codec", CODECS + "SnappyCodec");
    codecs.set("hbase.io.compress.zstd.codec", CODECS + "ZstdCodec");
    codecs.set("hbase.io.compress.bzip2.codec", JavaBzip2Codec.class.getName());
    for (Algorithm algorithm :
        List.of(Algorithm.LZ4, Algorithm.LZO, Algorithm.SNAPPY, Algorithm.ZSTD, Algorithm.BZIP2)) {
      algorithm.reload(codecs);
    }
  }

  HFile.Reader open(String name) throws IOException {
    return HFile.createReader(files, path(name), CacheConfig.DISABLED, true, configuration);
  }

  /** Writes a file as HBase's flush and compaction do. */
  void write(String name, Shape shape, List<Cell> cells) throws IOException {
    Configuration own = new Configuration(configuration);
    own.setInt("hfile.index.block.max.size", shape.chunks().index);
    own.setInt("io.storefile.bloom.block.size", shape.chunks().bloom);
    own.setInt("RowPrefixBloomFilter.prefix_length", Shape.PREFIX_LENGTH);
    StoreFileWriter writer =
        new StoreFileWriter.Builder(own, new CacheConfig(own), files)
            .withFilePath(path(name))
            .withFileContext(context(shape))
            .withBloomType(
                org.apache.hadoop.hbase.regionserver.BloomType.valueOf(shape.bloom().name()))
            .withMaxKeyCount(Math.max(1, cells.size()))
            .build();
    for (Cell cell : cells) {
      writer.append(cell(cell));
    }
    writer.appendMetadata(4711, true);
    writer.close();
  }

  /** Begins a file without what store files have besides cells. */
  HFile.Writer writer(String name) throws IOException {
    return HFile.getWriterFactoryNoCache(configuration)
        .withPath(files, path(name))
        .withFileContext(new HFileContextBuilder().withCompression(Algorithm.GZ).build())
        .create();
  }

  static Optional<BloomFilter> generalBloom(HFile.Reader reader) throws IOException {
    return bloom(reader.getGeneralBloomFilterMetadata(), reader);
  }

  static Optional<BloomFilter> deleteFamilyBloom(HFile.Reader reader) throws IOException {
    return bloom(reader.getDeleteBloomFilterMetadata(), reader);
  }

  /** Tells whether Apache's filter over columns may have the one of {@code cell}. */
  static boolean mayContainColumn(BloomFilter bloom, Cell cell, byte[] qualifier) {
    return bloom.contains(
        PrivateCellUtil.createFirstOnRowCol(new KeyValue(cell.row(), cell.family(), qualifier)),
        null,
        org.apache.hadoop.hbase.regionserver.BloomType.valueOf(BloomType.ROWCOL.name()));
  }

  static org.apache.hadoop.hbase.Cell key(Cell cell) {
    return new KeyValue.KeyOnlyKeyValue(
        Arrays.copyOfRange(cell.bytes(), cell.keyOffset(), cell.keyOffset() + cell.keyLength()));
  }

  static ExtendedCell cell(Cell cell) {
    return ExtendedCellBuilderFactory.create(CellBuilderType.DEEP_COPY)
        .setRow(cell.row())
        .setFamily(cell.family())
        .setQualifier(cell.qualifier())
        .setTimestamp(cell.timestamp())
        .setType((byte) cell.typeCode())
        .setValue(cell.value())
        .setTags(cell.tags())
        .setSequenceId(cell.sequence())
        .build();
  }

  static Cell cell(org.apache.hadoop.hbase.Cell found) {
    ExtendedCell cell = (ExtendedCell) found;
    return Cell.of(
        CellUtil.cloneRow(cell),
        CellUtil.cloneFamily(cell),
        CellUtil.cloneQualifier(cell),
        cell.getTimestamp(),
        cell.getTypeByte() & 0xFF,
        CellUtil.cloneValue(cell),
        Arrays.copyOfRange(
            cell.getTagsArray(), cell.getTagsOffset(), cell.getTagsOffset() + cell.getTagsLength()),
        cell.getSequenceId());
  }

  @Override
  public void close() throws IOException {
    files.close();
  }

  private static Optional<BloomFilter> bloom(DataInput meta, HFile.Reader reader)
      throws IOException {
    return meta == null
        ? Optional.empty()
        : Optional.of(BloomFilterFactory.createFromMeta(meta, reader));
  }

  private static HFileContext context(Shape shape) {
    return new HFileContextBuilder()
        .withBlockSize(shape.blockSize())
        .withCompression(algorithm(shape.compression()))
        .withDataBlockEncoding(DataBlockEncoding.valueOf(shape.encoding().name()))
        .withIncludesTags(shape.tags())
        .withCompressTags(shape.compressTags())
        .withIncludesMvcc(shape.sequences())
        .withHBaseCheckSum(true)
        .withChecksumType(ChecksumType.valueOf(shape.checksum().type.name()))
        .withBytesPerCheckSum(shape.checksum().bytes)
        .withCellComparator(CellComparatorImpl.COMPARATOR)
        .build();
  }

  private static Algorithm algorithm(Compression compression) {
    return Algorithm.valueOf(compression.name());
  }

  private static Configuration configuration() {
    Configuration configuration = new Configuration(false);
    configuration.addResource("core-default.xml");
    configuration.set("fs.defaultFS", "file:///");
    configuration.setBoolean("fs.file.impl.disable.cache", true);
    configuration.set("io.compression.codec.bzip2.library", "java-builtin");
    return configuration;
  }

  private org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path(directory.resolve(name).toUri());
  }
}
