package dev.cairn.server.catalog;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.DamagedFileException;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The descriptors of tables, in HBase's layout. All changes are idempotent.
 *
 * <pre>
 *   data/namespace/table/.tabledesc/.tableinfo.0000000001.417   PBUF, TableSchema message;
 *                                                              generation and length in the name;
 *                                                              older ones lack the length or both
 * </pre>
 *
 * Thread-safe if no two threads change the same table.
 */
public final class TableDescriptors {
  private static final String DESCRIPTORS = ".tabledesc";
  private static final String SET_ASIDE = "corrupt";
  private static final Pattern DESCRIPTOR =
      Pattern.compile("\\.tableinfo(?:\\.(\\d{10})(?:\\.(\\d+))?)?");

  private final Storage storage;

  TableDescriptors(Storage storage) {
    this.storage = storage;
  }

  /**
   * Returns the table's newest complete descriptor; empty if there is no descriptor file.
   *
   * @throws DamagedFileException if it is damaged, or if all descriptor files are incomplete
   */
  public Optional<TableSchema> read(TableName table) throws IOException {
    Optional<TableSchema> schema = read(storage, TableFiles.directory(table));
    if (schema.isPresent() && !schema.get().name().equals(table)) {
      throw new DamagedFileException(
          TableFiles.directory(table) + "/" + DESCRIPTORS,
          0,
          "expected the descriptor of " + table + ", found that of " + schema.get().name());
    }
    return schema;
  }

  /**
   * Returns the newest complete descriptor of the table whose directory is {@code directory}, below
   * any root directory; empty if there is no descriptor file.
   *
   * @throws DamagedFileException if it is damaged, or if all descriptor files are incomplete
   */
  public static Optional<TableSchema> read(Storage storage, String directory) throws IOException {
    List<Storage.FileInfo> all = all(storage, directory);
    while (true) {
      try {
        return readNewest(storage, all);
      } catch (NoSuchFileException e) {
        List<Storage.FileInfo> now = all(storage, directory);
        if (now.equals(all)) {
          throw e;
        }
        all = now; // the master has replaced the descriptor
      }
    }
  }

  private static Optional<TableSchema> readNewest(Storage storage, List<Storage.FileInfo> all)
      throws IOException {
    Optional<Storage.FileInfo> newest = newest(all).or(() -> all.stream().findFirst());
    if (newest.isEmpty()) {
      return Optional.empty();
    }
    String path = newest.get().path();
    return Optional.of(parse(storage.readAll(path), path));
  }

  /**
   * Returns the table's newest complete descriptor.
   *
   * @throws DamagedFileException also if there is no descriptor file
   */
  public TableSchema require(TableName table) throws IOException {
    Optional<TableSchema> schema = read(table);
    if (schema.isEmpty()) {
      throw DamagedFileException.missing(
          TableFiles.directory(table) + "/" + DESCRIPTORS + "/.tableinfo.*",
          "expected a table's descriptor");
    }
    return schema.get();
  }

  /**
   * Rewrites the descriptor of one of the server's own tables if it is damaged or missing; its
   * content is known. The damaged file is moved to {@code corrupt}.
   *
   * @return the reason, if the descriptor was rewritten
   */
  public Optional<String> repair(TableSchema known) throws IOException {
    String reason;
    try {
      require(known.name());
      return Optional.empty();
    } catch (DamagedFileException e) {
      reason = e.getMessage();
    }
    int generation = 0;
    for (Storage.FileInfo file : all(known.name())) {
      generation = Math.max(generation, generation(file.name()));
      storage.rename(file.path(), SET_ASIDE + "/" + known.name().namespace() + "." + file.name());
    }
    write(TableFiles.directory(known.name()), known, generation + 1);
    return Optional.of(reason);
  }

  /**
   * Reads the content of a file in {@code .tabledesc}, and completes the descriptor ({@link
   * DescriptorDefaults}); the file stays as it is.
   *
   * @param path the file's path; the file name may contain the length
   * @throws DamagedFileException if the content is incomplete or not a descriptor
   */
  public static TableSchema parse(byte[] content, String path) throws DamagedFileException {
    if (!isWhole(Storage.name(path), content.length)) {
      throw new DamagedFileException(
          path,
          content.length,
          lengthInName(Storage.name(path))
                  .map(length -> "expected " + length + " bytes, the length in the file's name")
                  .orElse("expected a table's descriptor")
              + ", found "
              + content.length
              + " bytes");
    }
    try {
      return DescriptorDefaults.complete(TableSchema.parse(Messages.fromFile(content, path)));
    } catch (IOException | IllegalArgumentException e) {
      throw new DamagedFileException(
          path, 0, "expected a table's descriptor; " + Messages.withoutPath(e, path));
    }
  }

  /** Replaces the table's descriptor, unless it is the same already. */
  public void replace(TableSchema schema) throws IOException {
    Optional<Storage.FileInfo> newest = newest(schema.name());
    if (newest.isPresent() && read(schema.name()).filter(schema::equals).isPresent()) {
      return;
    }
    int generation = newest.map(file -> generation(file.name())).orElse(0) + 1;
    write(TableFiles.directory(schema.name()), schema, generation);
    for (Storage.FileInfo file :
        storage.list(TableFiles.directory(schema.name()) + "/" + DESCRIPTORS)) {
      if (generation(file.name()) < generation) {
        storage.delete(file.path());
      }
    }
  }

  /** Writes a descriptor into a table's directory, wherever it is. */
  void write(String tableDirectory, TableSchema schema, int generation) throws IOException {
    byte[] bytes = Messages.toFile(schema.message());
    String name = ".tableinfo." + "%010d.%d".formatted(generation, bytes.length);
    TableFiles.write(storage, tableDirectory + "/" + DESCRIPTORS + "/" + name, bytes);
  }

  private List<Storage.FileInfo> all(TableName table) throws IOException {
    return all(storage, TableFiles.directory(table));
  }

  private static List<Storage.FileInfo> all(Storage storage, String directory) throws IOException {
    return storage.list(directory + "/" + DESCRIPTORS).stream()
        .filter(file -> DESCRIPTOR.matcher(file.name()).matches())
        .toList();
  }

  /** Returns the newest complete file; empty if there is none. */
  Optional<Storage.FileInfo> newest(TableName table) throws IOException {
    return newest(all(table));
  }

  private static Optional<Storage.FileInfo> newest(List<Storage.FileInfo> descriptors) {
    return descriptors.stream()
        .filter(file -> isWhole(file.name(), file.length()))
        .max(Comparator.comparingInt(file -> generation(file.name())));
  }

  private static boolean isWhole(String name, long length) {
    return length > 0
        && lengthInName(name).map(expected -> expected.equals(Long.toString(length))).orElse(true);
  }

  /** Returns the decimal length in a descriptor file's name. */
  private static Optional<String> lengthInName(String name) {
    Matcher matcher = DESCRIPTOR.matcher(name);
    return matcher.matches() ? Optional.ofNullable(matcher.group(2)) : Optional.empty();
  }

  private static int generation(String name) {
    Matcher matcher = DESCRIPTOR.matcher(name);
    return matcher.matches() && matcher.group(1) != null ? Integer.parseInt(matcher.group(1)) : 0;
  }
}
