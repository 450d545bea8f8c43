package dev.cairn.launcher.demo;

import dev.cairn.launcher.output.LauncherException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** The demo's table: one row per artifact, its key {@link Artifact#key}. */
final class Webtable {
  /** The POM itself, in {@link #POM}; the last three versions of it. */
  static final byte[] CONTENTS = utf8("contents");

  /** One column per file: its name; the value is size, space, {@code sha1:} and checksum. */
  static final byte[] FILES = utf8("files");

  /** Outgoing references: the column is the row key of the other, the value the kind. */
  static final byte[] DEPS = utf8("deps");

  /** Incoming references: the column is the row key of the referrer, the value the kind. */
  static final byte[] REFS = utf8("refs");

  /** The only column of {@link #CONTENTS}. */
  static final byte[] POM = utf8("pom");

  private static final String MARK = "cairn.demo";
  private static final int VERSIONS_KEPT = 3;

  private Webtable() {}

  /** Returns the encoding of {@code text} in the table. */
  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the text that {@code bytes} of the table encode. */
  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /**
   * Creates the table, replacing that of an earlier demo.
   *
   * @param regions how many regions to begin with, at most
   * @param rows the keys that will be loaded, ordered: the regions share them evenly
   * @throws LauncherException if there is a table of that name which is not the demo's
   */
  static void create(Admin admin, TableName name, int regions, List<String> rows)
      throws IOException {
    if (admin.tableExists(name)) {
      if (admin.getDescriptor(name).getValue(MARK) == null) {
        throw new LauncherException(
            "there is a table " + name + " that is not the demo's: name another by --table");
      }
      if (admin.isTableEnabled(name)) {
        admin.disableTable(name);
      }
      admin.deleteTable(name);
    }
    byte[][] splits = splits(regions, rows);
    if (splits.length == 0) {
      admin.createTable(descriptor(name));
    } else {
      admin.createTable(descriptor(name), splits);
    }
  }

  private static TableDescriptor descriptor(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setValue(MARK, "webtable")
        .setColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(CONTENTS)
                .setMaxVersions(VERSIONS_KEPT)
                .build())
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FILES))
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(DEPS))
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(REFS))
        .build();
  }

  /** Returns the first keys of all regions but the first. */
  static byte[][] splits(int regions, List<String> rows) {
    return IntStream.range(1, regions)
        .map(i -> (int) ((long) i * rows.size() / regions))
        .filter(index -> index > 0)
        .mapToObj(rows::get)
        .distinct()
        .map(Webtable::utf8)
        .toArray(byte[][]::new);
  }
}
