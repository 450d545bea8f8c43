package dev.cairn.tools.inspect;

import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the store files of a region in a data folder. */
public final class RegionFiles {
  /** The region of {@code hbase:meta}, whose name comes from a time with another hash. */
  private static final String META_REGION = "1588230740";

  private RegionFiles() {}

  /**
   * Returns the names of a region's store files.
   *
   * @param root the data folder
   * @param region the region's whole name: {@code table,startkey,id.encoded.}
   * @param verbose whether to print the files found on {@code out}
   * @throws IOException if there is no such region
   */
  public static List<String> find(
      String root, String region, Optional<Path> configFolder, boolean verbose, PrintWriter out)
      throws IOException {
    String directory = directory(region);
    try (FileLocation location = FileLocation.folder(root, configFolder)) {
      Storage storage = location.storage();
      String name = location.name() + "/" + directory;
      if (!storage.exists(directory)) {
        throw new NoSuchFileException(name);
      }
      List<String> files = new ArrayList<>();
      for (Storage.FileInfo family : storage.list(directory)) {
        if (!family.directory() || family.name().startsWith(".") || isForEdits(family.name())) {
          continue;
        }
        for (Storage.FileInfo file : storage.list(family.path())) {
          if (!file.directory()
              && StoreFileName.parse(file.name()) instanceof StoreFileName.Plain
              && !file.name().startsWith(".")) {
            files.add(location.name() + "/" + file.path());
          }
        }
      }
      if (verbose) {
        tell(name, files, out);
      }
      return files;
    }
  }

  private static boolean isForEdits(String name) {
    return name.equals("recovered.edits") || name.equals("recovered.hfiles");
  }

  private static void tell(String name, List<String> files, PrintWriter out) {
    out.println("region dir -> " + name);
    out.println("Number of region files found -> " + files.size());
    for (int i = 0; i < files.size(); i++) {
      out.println("Found file[" + (i + 1) + "] -> " + files.get(i));
    }
  }

  private static String directory(String region) throws IOException {
    int comma = region.indexOf(',');
    if (comma <= 0 || region.indexOf(',', comma + 1) < 0) {
      throw new IOException(
          "<" + region + "> is no region's name; it has the form table,startkey,id.encoded.");
    }
    TableName table;
    try {
      table = TableName.parse(region.substring(0, comma));
    } catch (IllegalArgumentException e) {
      throw new IOException("<" + region + "> is no region's name: " + e.getMessage(), e);
    }
    return "data/" + table.namespace() + "/" + table.qualifier() + "/" + encoded(region, table);
  }

  private static String encoded(String region, TableName table) throws IOException {
    if (table.toString().equals("hbase:meta")) {
      return META_REGION;
    }
    int dot = region.lastIndexOf('.', region.length() - 2);
    if (!region.endsWith(".") || dot < 0) {
      throw new IOException(
          "<" + region + "> is no whole region's name; it ends with .encoded. as the shell shows");
    }
    return region.substring(dot + 1, region.length() - 1);
  }
}
