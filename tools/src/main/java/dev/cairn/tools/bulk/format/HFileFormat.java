package dev.cairn.tools.bulk.format;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.hadoop.HadoopStorage;
import dev.cairn.tools.bulk.durable.DurableFiles;
import dev.cairn.tools.bulk.format.RowFormat.RowReader;
import dev.cairn.tools.bulk.format.RowFormat.RowWriter;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Store files, for a bulk load: a folder for each family, with files that have the family's
 * compression, encoding and Bloom filter. These files are only written: {@code bin/cairn
 * completebulkload} and HBase's own tool load them.
 */
public final class HFileFormat implements RowFormat {
  private final Map<String, HFileOptions> families = new TreeMap<>();

  private HFileFormat() {}

  /** Returns the format for the families of a table. */
  public static HFileFormat of(TableDescriptor table) {
    HFileFormat format = new HFileFormat();
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      Map<String, String> attributes = new LinkedHashMap<>();
      family
          .getValues()
          .forEach(
              (key, value) ->
                  attributes.put(
                      Bytes.toString(key.copyBytes()), Bytes.toString(value.copyBytes())));
      FamilySchema schema = FamilySchema.of(family.getNameAsString(), attributes);
      format.families.put(family.getNameAsString(), HFileOptions.of(schema, CellComparator.USER));
    }
    return format;
  }

  @Override
  public String extension() {
    return "";
  }

  @Override
  public String description() {
    return "store files of the families " + String.join(", ", families.keySet());
  }

  @Override
  public RowWriter create(FileSystem files, Path path) throws IOException {
    files.delete(path, true);
    files.mkdirs(path);
    return new Writer(storage(files, path));
  }

  private static Storage storage(FileSystem files, Path folder) throws IOException {
    return new DurableFiles(files).isLocal()
        ? new LocalStorage(java.nio.file.Path.of(folder.toUri().getPath()))
        : HadoopStorage.open(folder.toUri(), files.getConf(), Clock.SYSTEM);
  }

  /** Moves the files of each family into the family's folder, beside those of other regions. */
  @Override
  public void publish(FileSystem files, Path hidden, Path name) throws IOException {
    for (FileStatus family : files.listStatus(hidden)) {
      Path folder = new Path(name.getParent(), family.getPath().getName());
      new DurableFiles(files).createDirectories(folder);
      RowFormat.super.publish(files, family.getPath(), new Path(folder, name.getName()));
    }
    files.delete(hidden, true);
  }

  @Override
  public RowReader open(FileSystem files, Path path) throws IOException {
    throw new MalformedRowsException(
        "store files are not read; bin/cairn completebulkload loads them");
  }

  private final class Writer implements RowWriter {
    private final Storage storage;
    private final Map<String, HFileWriter> writers = new TreeMap<>();
    private final Cell view = new Cell();

    Writer(Storage storage) {
      this.storage = storage;
    }

    @Override
    public void write(Result row) throws IOException {
      byte[] family = {};
      Optional<HFileWriter> writer = Optional.empty();
      for (org.apache.hadoop.hbase.Cell cell : row.rawCells()) {
        if (writer.isEmpty() || !CellUtil.matchingFamily(cell, family)) {
          family = CellUtil.cloneFamily(cell);
          writer = Optional.of(writer(Bytes.toString(family)));
        }
        KeyValue bytes =
            cell instanceof KeyValue same ? same : KeyValueUtil.copyToNewKeyValue(cell);
        view.set(bytes.getBuffer(), bytes.getOffset(), bytes.getLength(), 0);
        writer.get().append(view);
      }
    }

    private HFileWriter writer(String family) throws IOException {
      HFileWriter writer = writers.get(family);
      if (writer == null) {
        HFileOptions options = families.get(family);
        if (options == null) {
          throw new MalformedRowsException(
              "the table has the family " + family + " only since the export began; repeat it");
        }
        writer = new HFileWriter(storage, family, options, Clock.SYSTEM);
        writers.put(family, writer);
      }
      return writer;
    }

    @Override
    public void close() throws IOException {
      try {
        for (HFileWriter writer : writers.values()) {
          writer.finish();
        }
      } finally {
        for (HFileWriter writer : writers.values()) {
          writer.close();
        }
        storage.close();
      }
    }
  }
}
