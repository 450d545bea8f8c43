package dev.cairn.bench.bulk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Store files with the rows of a table, one file for each region, made by Apache's writer. Each
 * side gets hard links to them, which a bulk load moves.
 *
 * @param folder with {@code f/N}
 * @param rows in all files, of ten cells of 100 bytes
 */
record LoadableFiles(Path folder, int rows) {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final int CELLS_PER_ROW = 10;
  static final int REGIONS = 8;
  private static final int VALUE_LENGTH = 100;

  /** Returns the first row of each region except the first one. */
  byte[][] splits() {
    byte[][] splits = new byte[REGIONS - 1][];
    for (int i = 1; i < REGIONS; i++) {
      splits[i - 1] = row(first(i));
    }
    return splits;
  }

  private int first(int region) {
    return (int) ((long) rows * region / REGIONS);
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format(Locale.ROOT, "row%09d", number));
  }

  /** Writes the files. */
  void write() throws IOException {
    Path family = Files.createDirectories(folder.resolve(Bytes.toString(FAMILY)));
    Configuration settings = HBaseConfiguration.create();
    Random random = new Random(1);
    byte[] value = new byte[VALUE_LENGTH];
    for (int region = 0; region < REGIONS; region++) {
      try (HFile.Writer writer =
          HFile.getWriterFactory(settings, new CacheConfig(settings))
              .withPath(
                  FileSystem.getLocal(settings).getRaw(),
                  new org.apache.hadoop.fs.Path(family.resolve("" + region).toUri()))
              .withFileContext(new HFileContextBuilder().withColumnFamily(FAMILY).build())
              .create()) {
        for (int row = first(region); row < first(region + 1); row++) {
          byte[] key = row(row);
          for (int cell = 0; cell < CELLS_PER_ROW; cell++) {
            random.nextBytes(value);
            writer.append(new KeyValue(key, FAMILY, new byte[] {(byte) ('0' + cell)}, 1, value));
          }
        }
      }
    }
  }

  /** Links the files into a new folder, and returns that. */
  Path linkedIn(Path target) throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> found = Files.list(folder.resolve(Bytes.toString(FAMILY)))) {
      found.filter(file -> !file.getFileName().toString().startsWith(".")).forEach(files::add);
    }
    Path family = Files.createDirectories(target.resolve(Bytes.toString(FAMILY)));
    for (Path file : files) {
      Files.createLink(family.resolve(file.getFileName()), file);
    }
    return target;
  }
}
