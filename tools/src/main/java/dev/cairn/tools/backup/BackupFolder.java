package dev.cairn.tools.backup;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.FileInfo;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The folder of backups. A backup appears and disappears by one rename.
 *
 * @param storage the folder
 * @param name its path or URL, for messages
 * @param ownership checked before each change that other processes see
 */
public record BackupFolder(Storage storage, String name, Ownership ownership) {
  private static final String MANIFEST = "manifest";
  private static final String NEW = ".new-";
  private static final String DELETED = ".deleted-";
  private static final DateTimeFormatter ID =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** Ids, with the suffixes of merged backups. */
  private static final Pattern IDS = Pattern.compile("([0-9]{8}T[0-9]{6}\\.[0-9]{3}Z)m*");

  /** The right to change the folder. */
  @FunctionalInterface
  public interface Ownership {
    /**
     * Checks that this process has the right.
     *
     * @throws BackupException if it has not
     */
    void require() throws IOException;
  }

  /** Creates a view for reading, or for a process that is known to be the only one. */
  public BackupFolder(Storage storage, String name) {
    this(storage, name, () -> {});
  }

  /** A backup whose manifest cannot be read. */
  public record Damaged(String id, String why) {}

  /** A backup that is lost: it is not in the folder, although the next one continues it. */
  public record Lost(String id, BackupManifest next) {
    @Override
    public String toString() {
      return id + ", which " + next.id() + " continues";
    }
  }

  /** All backups of a folder, the oldest first. */
  public record Content(List<BackupManifest> backups, List<Damaged> damaged, List<Lost> lost) {
    /** Takes copies. */
    public Content {
      backups = List.copyOf(backups);
      damaged = List.copyOf(damaged);
      lost = List.copyOf(lost);
    }

    /** Tells whether no backup is lost, and no manifest damaged. */
    public boolean isWhole() {
      return damaged.isEmpty() && lost.isEmpty();
    }

    /** Returns the content of one backup. */
    public Content of(BackupManifest backup) {
      return new Content(
          List.of(backup),
          List.of(),
          lost.stream().filter(gone -> gone.next().id().equals(backup.id())).toList());
    }
  }

  /**
   * Returns an id for a new backup, later than all others.
   *
   * @param millis the time in the id, unless a present id is later; milliseconds since 1970
   */
  String newId(long millis) throws IOException {
    long newest = Long.MIN_VALUE;
    for (FileInfo entry : storage.list("")) {
      Matcher id = IDS.matcher(entry.name());
      if (id.matches()) {
        newest = Math.max(newest, Instant.from(ID.parse(id.group(1))).toEpochMilli());
      }
    }
    return ID.format(Instant.ofEpochMilli(Math.max(millis, newest + 1)));
  }

  /** Returns the directory of a backup that is being made. */
  static String working(String id) {
    return NEW + id;
  }

  /** Reads all backups, except those that were merged into others. */
  public Content read() throws IOException {
    List<BackupManifest> backups = new ArrayList<>();
    List<Damaged> damaged = new ArrayList<>();
    for (FileInfo entry : storage.list("")) { // ordered by name
      if (!entry.directory() || entry.name().startsWith(".")) {
        continue;
      }
      try {
        backups.add(manifest(entry.name()));
      } catch (NoSuchFileException e) {
        damaged.add(new Damaged(entry.name(), entry.name() + "/" + MANIFEST + " is missing"));
      } catch (BackupException e) {
        damaged.add(new Damaged(entry.name(), e.getMessage()));
      }
    }
    Set<String> replaced = new HashSet<>();
    backups.forEach(backup -> replaced.addAll(backup.replaces()));
    backups.removeIf(backup -> replaced.contains(backup.id()));
    damaged.removeIf(backup -> replaced.contains(backup.id()));
    return new Content(backups, damaged, lost(backups, damaged));
  }

  private static List<Lost> lost(List<BackupManifest> backups, List<Damaged> damaged) {
    List<Lost> lost = new ArrayList<>();
    for (BackupManifest backup : backups) {
      backup
          .previous()
          .filter(id -> backups.stream().noneMatch(other -> other.isCalled(id)))
          .filter(id -> damaged.stream().noneMatch(other -> other.id().equals(id)))
          .ifPresent(id -> lost.add(new Lost(id, backup)));
    }
    return lost;
  }

  private BackupManifest manifest(String id) throws IOException {
    String path = id + "/" + MANIFEST;
    BackupManifest manifest = BackupManifest.parse(path, storage.readAll(path));
    if (!manifest.id().equals(id)) {
      throw new BackupException(path + " is of the backup " + manifest.id());
    }
    return manifest;
  }

  /**
   * Reads a backup.
   *
   * @throws BackupException if there is none of that name, or its manifest is damaged
   */
  public BackupManifest find(String id) throws IOException {
    try {
      return manifest(id);
    } catch (NoSuchFileException e) {
      throw new BackupException(name + " has no backup " + id, e);
    }
  }

  /** Publishes a backup; its other files are in its {@linkplain #working directory} already. */
  void publish(BackupManifest manifest) throws IOException {
    storage.writeAll(working(manifest.id()) + "/" + MANIFEST, manifest.bytesOfFile());
    ownership.require(); // Otherwise another process may have deleted some of the files.
    storage.rename(working(manifest.id()), manifest.id());
  }

  /** Replaces the manifest of a backup. */
  void replace(BackupManifest manifest) throws IOException {
    ownership.require();
    storage.writeAll(manifest.id() + "/" + MANIFEST, manifest.bytesOfFile());
  }

  /** Deletes a backup. */
  void delete(String id) throws IOException {
    ownership.require();
    String aside = DELETED + id;
    storage.delete(aside);
    storage.rename(id, aside);
    storage.delete(aside);
  }

  /** Deletes the remains of unfinished creations, merges and deletions of backups. */
  void sweep() throws IOException {
    ownership.require();
    for (BackupManifest backup : read().backups()) {
      for (String replaced : backup.replaces()) {
        if (storage.exists(replaced)) {
          delete(replaced);
        }
      }
    }
    for (FileInfo entry : storage.list("")) {
      if (entry.name().startsWith(NEW) || entry.name().startsWith(DELETED)) {
        storage.delete(entry.path());
      }
    }
  }

  /** Tells whether a backup is full, or continues others back to a full one. */
  static boolean reachesFull(List<BackupManifest> backups, BackupManifest last) {
    Optional<BackupManifest> backup = Optional.of(last);
    while (backup.isPresent() && !backup.get().isFull()) {
      backup =
          backup
              .get()
              .previous()
              .flatMap(id -> backups.stream().filter(other -> other.isCalled(id)).findFirst());
    }
    return backup.isPresent();
  }

  /** Returns the newest backup of a chain. */
  static Optional<BackupManifest> newest(List<BackupManifest> backups, String chain) {
    return backups.stream()
        .filter(backup -> backup.chain().equals(chain))
        .reduce((older, newer) -> newer);
  }
}
