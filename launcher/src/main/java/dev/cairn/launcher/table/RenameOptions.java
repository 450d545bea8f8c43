package dev.cairn.launcher.table;

import dev.cairn.launcher.output.LauncherException;
import dev.cairn.tools.bulk.FamilyRenames;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.util.Bytes;
import picocli.CommandLine.Option;

/** The option that renames families. */
final class RenameOptions {
  @Option(
      names = "--rename-families",
      paramLabel = "OLD:NEW,…",
      split = ",",
      description =
          "Writes the cells of family OLD into family NEW. The other options use the old names.")
  private List<String> renames = List.of();

  FamilyRenames renames() {
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
    return new FamilyRenames(families);
  }
}
