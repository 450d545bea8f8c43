package dev.cairn.tools.inspect;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.layout.MobDirectory;
import dev.cairn.engine.mob.MobReference;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.Map;

/**
 * Checks that the MOB files exist to which cells refer, and names missing ones, as Apache's {@code
 * HFilePrettyPrinter} does. One thread.
 */
public final class MobIntegrity {
  private static final String DATA = "data";

  private final Storage root;
  private final PrintWriter err;
  private final Map<String, Boolean> known = new HashMap<>();

  /**
   * Creates a check.
   *
   * @param root the data folder
   * @param err where its findings go
   */
  public MobIntegrity(Storage root, PrintWriter err) {
    this.root = root;
    this.err = err;
  }

  /** Looks at one cell. */
  void look(Cell cell) throws IOException {
    if (!MobReference.is(cell)) {
      return;
    }
    MobReference reference;
    try {
      reference = MobReference.of(cell);
    } catch (IOException e) {
      err.println("ERROR, wrong value format in mob reference cell " + cell);
      return;
    }
    if (reference.table().isEmpty()) {
      err.println("ERROR, wrong tag format in mob reference cell " + cell);
    } else if (!exists(reference.table().get(), Bytes.utf8(cell.family()), reference.file())) {
      err.println(
          "ERROR, the mob file [" + reference.file() + "] is missing referenced by cell " + cell);
    }
  }

  private boolean exists(TableName table, String family, String file) throws IOException {
    MobDirectory directory = MobDirectory.of(DATA, table, family);
    Boolean answer = known.get(directory.file(file));
    if (answer == null) {
      answer = false;
      for (String path : directory.locations(file)) {
        answer |= root.exists(path);
      }
      known.put(directory.file(file), answer);
    }
    return answer;
  }
}
