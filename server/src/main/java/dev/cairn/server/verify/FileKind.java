package dev.cairn.server.verify;

import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.engine.region.ClosedFiles;
import java.util.Optional;
import java.util.regex.Pattern;

/** The kind of a file, derived from its path in HBase's layout. */
enum FileKind {
  /** A store file with cells. */
  HFILE,
  /** A reference to a part of another store file. */
  REFERENCE,
  /** A link to a store file of another table. */
  LINK,
  /** A log, or entries of one that were sorted by region. */
  LOG,
  /** One small message: about a region, a table, or the whole folder. */
  DESCRIPTION,
  /** The list of a closed region's store files. */
  FILE_LIST,
  /** A snapshot or log of the embedded ZooKeeper. */
  ZOOKEEPER;

  private static final Pattern STORE_FILE =
      Pattern.compile("(?:.*/)?data/[^/]+/[^/]+/(?:[0-9a-f]{32}|1588230740)/[^./][^/]*/[^./][^/]*");
  private static final Pattern LOG_FILE =
      Pattern.compile("(?:.*/)?(?:WALs/[^/]+|oldWALs)/[^./][^/]*");
  private static final Pattern DESCRIPTION_FILE =
      Pattern.compile(
          "(?:.*/)?data/[^/]+/[^/]+/(?:[0-9a-f]+/\\.regioninfo|\\.tabledesc/\\.tableinfo\\.[^/]+)"
              + "|(?:.*/)?hbase\\.(?:id|version)");
  private static final Pattern FILE_LIST_FILE =
      Pattern.compile("(?:.*/)?data/[^/]+/[^/]+/[0-9a-f]+/" + Pattern.quote(ClosedFiles.NAME));
  private static final Pattern ZOOKEEPER_FILE =
      Pattern.compile("(?:.*/)?zookeeper/version-2/(?:snapshot|log)\\.[0-9a-f]+");
  private static final Pattern EDITS_FILE = Pattern.compile(".*/recovered\\.edits/-?\\d+(?:-.*)?");

  /**
   * Returns the kind of the file at {@code path}; empty if it is none that can be checked:
   * unfinished files ({@code .tmp}), logs that were set aside as corrupt.
   */
  static Optional<FileKind> of(String path) {
    if (EDITS_FILE.matcher(path).matches()) {
      return path.endsWith(".temp") ? Optional.empty() : Optional.of(LOG);
    }
    if (path.contains("/recovered.edits/") || path.contains("/recovered.hfiles/")) {
      return Optional.empty();
    }
    if (LOG_FILE.matcher(path).matches()) {
      return Optional.of(LOG);
    }
    if (DESCRIPTION_FILE.matcher(path).matches()) {
      return Optional.of(DESCRIPTION);
    }
    if (FILE_LIST_FILE.matcher(path).matches()) {
      return Optional.of(FILE_LIST);
    }
    if (ZOOKEEPER_FILE.matcher(path).matches()) {
      return Optional.of(ZOOKEEPER);
    }
    if (!STORE_FILE.matcher(path).matches()) {
      return Optional.empty();
    }
    StoreFileName name = StoreFileName.parse(path.substring(path.lastIndexOf('/') + 1));
    if (name instanceof StoreFileName.Half) {
      return Optional.of(REFERENCE);
    }
    return Optional.of(name instanceof StoreFileName.Link ? LINK : HFILE);
  }
}
