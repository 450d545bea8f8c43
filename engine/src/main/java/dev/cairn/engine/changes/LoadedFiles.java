package dev.cairn.engine.changes;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.schema.TableName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.BulkLoadDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.StoreDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * The files of a bulk load, as its {@linkplain Change.Kind#BULK_LOAD change} names them.
 *
 * @param sequence the place of the loaded cells among the changes of the region: cells with lower
 *     numbers are older, and cells with higher ones are newer. It is below the number of the change
 *     itself, because writes go on while files are loaded
 * @param files the files in their stores
 */
public record LoadedFiles(long sequence, List<File> files) {
  private static final String DATA = "data";

  /**
   * A file.
   *
   * @param store the store that it was loaded into
   */
  public record File(StoreDirectory store, String name) {
    /** Returns the paths under a root directory at which the file may be. */
    public List<String> places() {
      return store.linkTargets(name);
    }

    /** Returns the path at which it was loaded. */
    public String path() {
      return store.file(name);
    }
  }

  /** Takes a copy. */
  public LoadedFiles {
    files = List.copyOf(files);
  }

  /**
   * Reads the cells of a bulk load's change.
   *
   * @throws IOException if they do not describe a bulk load
   */
  public static LoadedFiles of(TableName table, String region, CellBuffer cells)
      throws IOException {
    BulkLoadDescriptor load;
    try {
      load = BulkLoadDescriptor.parseFrom(cells.get(0).value());
    } catch (InvalidProtocolBufferException e) {
      throw new IOException(
          "The bulk load of " + table + ", region " + region + " cannot be read", e);
    }
    List<File> files = new ArrayList<>();
    for (StoreDescriptor store : load.getStoresList()) {
      StoreDirectory directory =
          new StoreDirectory(DATA, table, region, store.getFamilyName().toStringUtf8());
      for (String name : store.getStoreFileList()) {
        files.add(new File(directory, name.substring(name.lastIndexOf('/') + 1)));
      }
    }
    return new LoadedFiles(load.getBulkloadSeqNum(), files);
  }
}
