package dev.cairn.tools.backup;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * The description of a backup.
 *
 * @param id its name; ids ascend with time
 * @param chain names the root directory, the tables and the folder: backups of one chain continue
 *     each other
 * @param previous the backup that this one continues; empty if changes may lie between them
 * @param beginMillis begin of its creation, milliseconds since 1970
 * @param wholeMillis completion time of a full backup's snapshots; the first moment that it can
 *     restore alone
 * @param endMillis the last moment that it covers
 * @param position position in the stream of changes at which the next backup continues
 * @param tables the tables in the backup
 * @param loads bulk loads among its changes whose files it does not have
 * @param changes the number of changes
 * @param replaces the ids of backups that were merged into this one
 * @param files all other files of the backup
 */
public record BackupManifest(
    String id,
    String chain,
    Optional<String> previous,
    long beginMillis,
    Optional<Long> wholeMillis,
    long endMillis,
    String position,
    Map<TableName, TablePart> tables,
    List<Load> loads,
    long changes,
    List<String> replaces,
    List<BackupFile> files) {
  private static final String VERSION = "3";

  /** Backups of version 1 have no files of bulk loads, and those of versions 1 and 2 no schemas. */
  private static final Set<String> VERSIONS = Set.of("1", "2", VERSION);

  /**
   * A table in a backup.
   *
   * @param generation the table's {@link dev.cairn.server.catalog.TableGeneration}
   * @param snapshot the name of its snapshot; empty if the backup has none that can be used
   * @param schema the descriptor at the backup's end; empty if an old backup does not have it
   */
  public record TablePart(String generation, String snapshot, Optional<TableSchema> schema) {
    private static TablePart parse(String[] fields) {
      Optional<TableSchema> schema = Optional.empty();
      if (fields.length > 4) {
        schema = Optional.of(TableSchema.parse(Base64.getDecoder().decode(fields[4])));
      }
      return new TablePart(fields[2], fields[3], schema);
    }

    private Object[] line(TableName table) {
      List<Object> fields = new ArrayList<>(List.of("table", table, generation, snapshot));
      schema.ifPresent(
          known -> fields.add(Base64.getEncoder().encodeToString(known.message().toByteArray())));
      return fields.toArray();
    }
  }

  /** A bulk load. */
  public record Load(TableName table, long millis) {}

  /** Takes copies. */
  public BackupManifest {
    tables = new TreeMap<>(tables);
    loads = List.copyOf(loads);
    replaces = List.copyOf(replaces);
    files = List.copyOf(files);
  }

  /** Tells whether it restores tables without other backups. */
  public boolean isFull() {
    return wholeMillis.isPresent();
  }

  /** Tells whether it can restore a table without other backups. */
  boolean isFullOf(TableName table) {
    return isFull() && tables.containsKey(table) && !tables.get(table).snapshot().isEmpty();
  }

  /** Returns the same backup without the snapshots of some tables. */
  BackupManifest withoutSnapshotsOf(Set<TableName> damaged) {
    Map<TableName, TablePart> left = new TreeMap<>(tables);
    for (TableName table : damaged) {
      left.computeIfPresent(
          table, (name, part) -> new TablePart(part.generation(), "", part.schema()));
    }
    return with(previous, left);
  }

  /** Returns the same backup without some tables. */
  BackupManifest without(Set<TableName> damaged) {
    Map<TableName, TablePart> left = new TreeMap<>(tables);
    left.keySet().removeAll(damaged);
    return with(previous, left);
  }

  /** Returns the same backup as one that continues none. */
  BackupManifest withoutPrevious() {
    return with(Optional.empty(), tables);
  }

  private BackupManifest with(Optional<String> before, Map<TableName, TablePart> parts) {
    return new BackupManifest(
        id,
        chain,
        before,
        beginMillis,
        wholeMillis,
        endMillis,
        position,
        parts,
        loads,
        changes,
        replaces,
        files);
  }

  /** Tells whether another backup may name this one by an id. */
  boolean isCalled(String name) {
    return id.equals(name) || replaces.contains(name);
  }

  /** Returns the length of all files, bytes. */
  public long bytes() {
    return files.stream().mapToLong(BackupFile::length).sum();
  }

  /** Returns the content of the file. */
  byte[] bytesOfFile() {
    StringBuilder text = new StringBuilder();
    line(text, "version", VERSION);
    line(text, "id", id);
    line(text, "chain", chain);
    previous.ifPresent(before -> line(text, "previous", before));
    line(text, "begin", beginMillis);
    wholeMillis.ifPresent(millis -> line(text, "whole", millis));
    line(text, "end", endMillis);
    line(text, "position", position);
    line(text, "changes", changes);
    tables.forEach((table, part) -> line(text, part.line(table)));
    loads.forEach(load -> line(text, "load", load.table(), load.millis()));
    replaces.forEach(merged -> line(text, "replaces", merged));
    files.forEach(file -> line(text, "file", file.path(), file.length(), file.sha256()));
    line(text, "checksum", checksum(text.toString()));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void line(StringBuilder text, Object... fields) {
    for (int i = 0; i < fields.length; i++) {
      text.append(i == 0 ? "" : "\t").append(fields[i]);
    }
    text.append('\n');
  }

  private static String checksum(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return String.format(Locale.ROOT, "%08x", crc.getValue());
  }

  /**
   * Reads the content of a file.
   *
   * @throws BackupException if it is damaged
   */
  static BackupManifest parse(String path, byte[] bytes) throws BackupException {
    String text = new String(bytes, StandardCharsets.UTF_8);
    int last = text.lastIndexOf("checksum\t");
    if (last < 0
        || !text.substring(last).equals("checksum\t" + checksum(text.substring(0, last)) + "\n")) {
      throw new BackupException(path + " is damaged: its checksum is wrong");
    }
    Map<String, String> values = new TreeMap<>();
    Map<TableName, TablePart> tables = new TreeMap<>();
    List<Load> loads = new ArrayList<>();
    List<String> replaces = new ArrayList<>();
    List<BackupFile> files = new ArrayList<>();
    for (String line : text.substring(0, last).split("\n")) {
      String[] fields = line.split("\t", -1);
      switch (fields[0]) {
        case "table" -> tables.put(TableName.parse(fields[1]), TablePart.parse(fields));
        case "load" -> loads.add(new Load(TableName.parse(fields[1]), Long.parseLong(fields[2])));
        case "replaces" -> replaces.add(fields[1]);
        case "file" -> files.add(new BackupFile(fields[1], Long.parseLong(fields[2]), fields[3]));
        default -> values.put(fields[0], fields[1]);
      }
    }
    if (!VERSIONS.contains(values.getOrDefault("version", ""))) {
      throw new BackupException(
          path + " has version " + values.get("version") + ", and this Cairn reads " + VERSION);
    }
    return new BackupManifest(
        values.get("id"),
        values.get("chain"),
        Optional.ofNullable(values.get("previous")),
        Long.parseLong(values.get("begin")),
        Optional.ofNullable(values.get("whole")).map(Long::parseLong),
        Long.parseLong(values.get("end")),
        values.get("position"),
        tables,
        loads,
        Long.parseLong(values.get("changes")),
        replaces,
        files);
  }
}
