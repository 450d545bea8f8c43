package dev.cairn.tools.bulk.format;

import dev.cairn.tools.bulk.durable.DurableFiles;
import dev.cairn.tools.bulk.format.RowFormat.RowReader;
import dev.cairn.tools.bulk.format.RowFormat.RowWriter;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.SequenceFile.CompressionType;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.io.serializer.WritableSerialization;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * The files of HBase's {@code Export} and {@code Import}: sequence files with the row as key and
 * the client's result as value.
 */
public final class SequenceFormat implements RowFormat {
  private static final byte[] MAGIC = {'S', 'E', 'Q'};

  private final CompressionType compression;
  private final String codec;

  private SequenceFormat(CompressionType compression, String codec) {
    this.compression = compression;
    this.codec = codec;
  }

  /** Returns the format without compression, as {@code Export} writes by default. */
  public static SequenceFormat plain() {
    return new SequenceFormat(CompressionType.NONE, DefaultCodec.class.getName());
  }

  /** Returns the format with each value compressed by the Hadoop codec with this class name. */
  public static SequenceFormat byRecord(String codec) {
    return new SequenceFormat(CompressionType.RECORD, codec);
  }

  /** Returns the format with blocks of rows compressed by the Hadoop codec with this class name. */
  public static SequenceFormat byBlock(String codec) {
    return new SequenceFormat(CompressionType.BLOCK, codec);
  }

  @Override
  public String extension() {
    return "";
  }

  @Override
  public String description() {
    return "sequence files, compression " + compression + " " + codec;
  }

  @Override
  public RowWriter create(FileSystem files, Path path) throws IOException {
    Configuration configuration = configuration(files);
    CompressionCodec compressor = codec(configuration);
    FSDataOutputStream out = new DurableFiles(files).create(path);
    try {
      return new Writer(
          out,
          SequenceFile.createWriter(
              configuration,
              SequenceFile.Writer.stream(out),
              SequenceFile.Writer.keyClass(ImmutableBytesWritable.class),
              SequenceFile.Writer.valueClass(Result.class),
              SequenceFile.Writer.compression(compression, compressor)));
    } catch (IOException e) {
      out.close();
      throw e;
    } catch (IllegalArgumentException e) {
      out.close();
      throw new MalformedRowsException(codec + ": " + e.getMessage(), e);
    }
  }

  private CompressionCodec codec(Configuration configuration) throws IOException {
    try {
      return ReflectionUtils.newInstance(
          configuration.getClassByName(codec).asSubclass(CompressionCodec.class), configuration);
    } catch (ClassNotFoundException | ClassCastException e) {
      throw new MalformedRowsException(codec + " is no compression codec of Hadoop", e);
    }
  }

  @Override
  public RowReader open(FileSystem files, Path path) throws IOException {
    requireMagic(files, path);
    SequenceFile.Reader reader =
        new SequenceFile.Reader(configuration(files), SequenceFile.Reader.file(path));
    String value = reader.getValueClassName();
    if (!value.equals(Result.class.getName())) {
      reader.close();
      throw new MalformedRowsException(
          path + " is a sequence file of " + value + ", not of the rows that Export writes");
    }
    return new Reader(path, reader);
  }

  private static void requireMagic(FileSystem files, Path path) throws IOException {
    byte[] start = new byte[MAGIC.length];
    try (FSDataInputStream in = files.open(path)) {
      if (in.readNBytes(start, 0, start.length) < start.length || !Arrays.equals(start, MAGIC)) {
        throw new MalformedRowsException(
            path + " is not a sequence file; --format names another format");
      }
    }
  }

  private static Configuration configuration(FileSystem files) {
    Configuration configuration = new Configuration(files.getConf());
    configuration.setStrings(
        "io.serializations",
        WritableSerialization.class.getName(),
        ResultSerialization.class.getName());
    return configuration;
  }

  private static final class Writer implements RowWriter {
    private final FSDataOutputStream out;
    private final SequenceFile.Writer writer;
    private final ImmutableBytesWritable key = new ImmutableBytesWritable();

    /** Creates it for a stream, which it closes. */
    Writer(FSDataOutputStream out, SequenceFile.Writer writer) {
      this.out = out;
      this.writer = writer;
    }

    @Override
    public void write(Result row) throws IOException {
      key.set(row.getRow());
      writer.append((Object) key, row);
    }

    @Override
    public void close() throws IOException {
      try (out) {
        writer.close();
      }
    }
  }

  private static final class Reader implements RowReader {
    private final Path path;
    private final SequenceFile.Reader reader;
    private final ImmutableBytesWritable key = new ImmutableBytesWritable();

    Reader(Path path, SequenceFile.Reader reader) {
      this.path = path;
      this.reader = reader;
    }

    @Override
    public boolean next(Consumer<Mutation> mutations) throws IOException {
      Result row;
      try {
        if (!reader.next(key)) {
          return false;
        }
        row = (Result) reader.getCurrentValue((Object) null);
      } catch (IOException | RuntimeException e) {
        throw new MalformedRowsException(
            path + " is damaged before byte " + reader.getPosition() + ": " + e.getMessage(), e);
      }
      if (!row.isEmpty()) {
        CellMutations.of(row.listCells(), mutations);
      }
      return true;
    }

    @Override
    public long position() throws IOException {
      return reader.getPosition();
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }
}
