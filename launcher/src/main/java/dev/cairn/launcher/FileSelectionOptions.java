package dev.cairn.launcher;

import dev.cairn.launcher.bulk.FileSelection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.util.Bytes;
import picocli.CommandLine.Option;

/** The options that select cells of files, in all versions, and rename their families. */
final class FileSelectionOptions extends CellOptions {
  @Option(
      names = "--rename-families",
      paramLabel = "OLD:NEW,…",
      split = ",",
      description =
          "Writes the cells of family OLD into family NEW. The other options use the names in the"
              + " files.")
  private List<String> renames = List.of();

  FileSelection selection() {
    Map<byte[], byte[]> families = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (String rename : renames) {
      String[] names = rename.split(":", -1);
      if (names.length != 2 || names[0].isEmpty() || names[1].isEmpty()) {
        throw new LauncherException("--rename-families has " + rename + " instead of OLD:NEW");
      }
      if (families.put(Bytes.toBytesBinary(names[0]), Bytes.toBytesBinary(names[1])) != null) {
        throw new LauncherException("--rename-families has " + names[0] + " twice");
      }
    }
    return new FileSelection(selection(Integer.MAX_VALUE, true), families);
  }
}
