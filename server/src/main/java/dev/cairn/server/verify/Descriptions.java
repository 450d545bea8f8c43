package dev.cairn.server.verify;

import dev.cairn.engine.schema.RegionInfoFormat;
import dev.cairn.engine.storage.DamagedFileException;
import dev.cairn.engine.storage.Finding;
import dev.cairn.engine.storage.Storage;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.TableDescriptors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterIdProtos.ClusterId;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FSProtos.HBaseVersionFileContent;

/**
 * Checks the small files that hold one message: {@code .regioninfo}, {@code .tableinfo}, {@code
 * hbase.id} and {@code hbase.version}. Cairn's own have a checksum; of HBase's it can only be said
 * whether they can be read.
 */
final class Descriptions {
  private Descriptions() {}

  /** Returns the problem of the file at {@code path}, at most one finding. */
  static List<Finding> verify(Storage storage, String path) throws IOException {
    byte[] content = storage.readAll(path);
    try {
      read(content, path);
      return List.of();
    } catch (DamagedFileException e) {
      return List.of(new Finding(path, e.offset(), e.what()));
    } catch (IOException | IllegalArgumentException e) {
      // The finding names the path already.
      return List.of(new Finding(path, 0, Messages.withoutPath(e, path)));
    }
  }

  /**
   * Returns the missing top-level files of a data folder that holds data.
   *
   * @param path the folder; the empty string if it is the storage's root
   */
  static List<Finding> missing(Storage storage, String path) throws IOException {
    List<Finding> findings = new ArrayList<>();
    String top = path.isEmpty() ? "" : path + "/";
    if (storage.exists(top + "data/hbase/meta/1588230740/.regioninfo")) {
      for (String name : List.of("hbase.version", "hbase.id")) {
        if (!storage.exists(top + name)) {
          findings.add(new Finding(top + name, 0, "it is missing"));
        }
      }
    }
    return findings;
  }

  private static void read(byte[] content, String path) throws IOException {
    switch (Storage.name(path)) {
      case ".regioninfo" -> RegionInfoFormat.fromFile(content);
      case "hbase.id" -> Messages.fromFile(content, path, ClusterId.parser());
      case "hbase.version" -> Messages.fromFile(content, path, HBaseVersionFileContent.parser());
      default -> TableDescriptors.parse(content, path);
    }
  }
}
