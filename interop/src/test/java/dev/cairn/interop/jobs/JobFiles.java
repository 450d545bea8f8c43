package dev.cairn.interop.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.mapreduce.ResultSerialization;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.serializer.WritableSerialization;

/** The contents of the files that jobs write, as lines of text. */
final class JobFiles {
  private JobFiles() {}

  /** Returns the lines of all text files of a job's output. */
  static List<String> text(Path output) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path file : files(output)) {
      lines.addAll(Files.readAllLines(file));
    }
    return lines.stream().sorted().toList();
  }

  /** Returns the entries of all sequence files below a folder, each file's in order. */
  static List<String> sequences(Path output) throws IOException {
    Configuration configuration = new Configuration();
    configuration.setStrings(
        "io.serializations",
        WritableSerialization.class.getName(),
        ResultSerialization.class.getName());
    List<String> lines = new ArrayList<>();
    for (Path file : files(output)) {
      lines.add(output.relativize(file) + ":");
      try (SequenceFile.Reader reader =
          new SequenceFile.Reader(configuration, SequenceFile.Reader.file(hadoop(file)))) {
        for (Object key = reader.next((Object) null);
            key != null;
            key = reader.next((Object) null)) {
          lines.add(text(key) + " -> " + text(reader.getCurrentValue((Object) null)));
        }
      }
    }
    return lines;
  }

  /** Returns the cells of all store files below a folder, by family. */
  static List<String> storeFiles(Path output) throws IOException {
    Configuration configuration = new Configuration();
    FileSystem local = FileSystem.getLocal(configuration);
    List<String> lines = new ArrayList<>();
    for (Path file : files(output)) {
      // HBase names these files at random.
      String family = output.relativize(file.getParent()).toString();
      try (HFile.Reader reader =
          HFile.createReader(
              local, hadoop(file), new CacheConfig(configuration), true, configuration)) {
        HFileScanner scanner = reader.getScanner(configuration, false, false);
        for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
          lines.add(family + ": " + JobSite.text(scanner.getCell()));
        }
      }
    }
    return lines.stream().sorted().toList();
  }

  /** Returns the names of all files below a folder that are neither hidden nor markers. */
  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !file.getFileName().toString().matches("[._].*"))
          .filter(file -> !file.getFileName().toString().matches("index|manifest"))
          .sorted()
          .toList();
    }
  }

  private static org.apache.hadoop.fs.Path hadoop(Path file) {
    return new org.apache.hadoop.fs.Path(file.toUri());
  }

  private static String text(Object value) {
    if (value instanceof Result row) {
      return Stream.of(row.rawCells()).map(JobSite::text).collect(Collectors.joining(", "));
    }
    if (value instanceof ImmutableBytesWritable bytes) {
      return Bytes.toStringBinary(bytes.get(), bytes.getOffset(), bytes.getLength());
    }
    return value instanceof Cell cell ? JobSite.text(cell) : value.toString();
  }
}
