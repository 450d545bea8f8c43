package dev.cairn.tools.backup;

import dev.cairn.engine.schema.TableName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The inputs of a restore of one table: a full backup, and files with changes in their order.
 *
 * @param full the backup that begins it
 * @param backups all backups that it uses: the full one and those after it
 * @param logs the files with changes, which are applied in this order
 */
public record RestorePlan(BackupManifest full, List<BackupManifest> backups, List<LogFile> logs) {
  /** A file of a backup. */
  public record LogFile(BackupManifest backup, BackupFile file) {}

  /** A span of moments that can be restored, milliseconds since 1970, both included. */
  public record Span(long fromMillis, long toMillis) {
    @Override
    public String toString() {
      return Instant.ofEpochMilli(fromMillis) + " to " + Instant.ofEpochMilli(toMillis);
    }
  }

  /** Takes copies. */
  public RestorePlan {
    backups = List.copyOf(backups);
    logs = List.copyOf(logs);
  }

  /**
   * Returns the plan for a moment.
   *
   * @param backups all usable backups, the oldest first
   * @param moment milliseconds since 1970; empty for the newest
   * @throws BackupException if no backup has the moment; the message names the moments that can be
   *     restored
   */
  public static RestorePlan of(List<BackupManifest> backups, TableName table, Optional<Long> moment)
      throws BackupException {
    for (int i = backups.size() - 1; i >= 0; i--) {
      BackupManifest full = backups.get(i);
      if (!full.isFullOf(table) || moment.isPresent() && full.wholeMillis().get() > moment.get()) {
        continue;
      }
      List<BackupManifest> chain = chain(backups, full, table);
      long last = last(chain, table);
      if (moment.isPresent()
          ? moment.get() > last
          : !chain.get(chain.size() - 1).id().equals(newest(backups, table).id())) {
        continue; // Backups of other tables may have it.
      }
      if (moment.isEmpty() && last < chain.get(chain.size() - 1).endMillis()) {
        throw new BackupException(
            "the newest backup has a bulk load of "
                + table
                + " without its files: name a moment, or make a full backup. "
                + spansText(backups, table));
      }
      if (moment.isPresent()) {
        cut(chain, moment.get());
      }
      return new RestorePlan(full, chain, logs(chain));
    }
    throw new BackupException(
        "table "
            + table
            + " cannot be restored"
            + moment
                .map(millis -> " to " + Instant.ofEpochMilli(millis))
                .orElseGet(() -> toNewest(backups, table))
            + ". "
            + spansText(backups, table));
  }

  private static String toNewest(List<BackupManifest> backups, TableName table) {
    return backups.stream().anyMatch(backup -> backup.tables().containsKey(table))
        ? " to the end of the newest backup, "
            + newest(backups, table).id()
            + ", because one that it continues is lost or damaged"
        : "";
  }

  private static BackupManifest newest(List<BackupManifest> backups, TableName table) {
    return backups.stream()
        .filter(backup -> backup.tables().containsKey(table))
        .reduce((older, newer) -> newer)
        .orElseThrow();
  }

  /** Returns the last backup that it uses. */
  public BackupManifest last() {
    return backups.get(backups.size() - 1);
  }

  private static String spansText(List<BackupManifest> backups, TableName table) {
    List<Span> spans = spans(backups, table);
    return spans.isEmpty()
        ? "No usable full backup has it"
        : "It can be restored to " + momentsOf(spans);
  }

  /** Returns spans in words, such as {@code any moment from A to B, or from C to D}. */
  static String momentsOf(List<Span> spans) {
    return "any moment from "
        + String.join(", or from ", spans.stream().map(Span::toString).toList());
  }

  /** Returns the moments to which a table can be restored, joined where they meet. */
  public static List<Span> spans(List<BackupManifest> backups, TableName table) {
    List<Span> spans = new ArrayList<>();
    for (BackupManifest full : backups) {
      if (!full.isFullOf(table)) {
        continue;
      }
      Span span = new Span(full.wholeMillis().get(), last(chain(backups, full, table), table));
      Optional<Span> before =
          spans.isEmpty() ? Optional.empty() : Optional.of(spans.get(spans.size() - 1));
      if (span.toMillis() < span.fromMillis()) {
        continue;
      }
      if (before.isPresent() && before.get().toMillis() >= span.fromMillis()) {
        spans.set(
            spans.size() - 1,
            new Span(
                before.get().fromMillis(), Math.max(before.get().toMillis(), span.toMillis())));
      } else {
        spans.add(span);
      }
    }
    return spans;
  }

  private static List<BackupManifest> chain(
      List<BackupManifest> backups, BackupManifest first, TableName table) {
    return chain(
        backups.stream().filter(backup -> backup.tables().containsKey(table)).toList(), first);
  }

  /** Returns a backup and those that continue it, one after the other. */
  static List<BackupManifest> chain(List<BackupManifest> backups, BackupManifest first) {
    List<BackupManifest> chain = new ArrayList<>(List.of(first));
    for (BackupManifest backup : backups) {
      BackupManifest last = chain.get(chain.size() - 1);
      if (backup.previous().filter(last::isCalled).isPresent()) {
        chain.add(backup);
      }
    }
    return chain;
  }

  /** Removes the backups after the first one that covers a moment. */
  private static void cut(List<BackupManifest> chain, long moment) {
    int size = 1;
    while (chain.get(size - 1).endMillis() < moment) {
      size++;
    }
    chain.subList(size, chain.size()).clear();
  }

  /** Returns the last moment of a chain, before the first bulk load. */
  private static long last(List<BackupManifest> chain, TableName table) {
    long last = chain.get(chain.size() - 1).endMillis();
    for (int i = 0; i < chain.size(); i++) {
      // A load of the first backup before its snapshot is in the snapshot.
      long from = i == 0 ? chain.get(0).beginMillis() : Long.MIN_VALUE;
      for (BackupManifest.Load load : chain.get(i).loads()) {
        if (load.table().equals(table) && load.millis() >= from) {
          last = Math.min(last, load.millis() - 1);
        }
      }
    }
    return last;
  }

  /** Returns the files that the changes loaded in bulk into a table. */
  public List<LogFile> loadedInto(TableName table) {
    List<LogFile> loaded = new ArrayList<>();
    for (BackupManifest backup : backups) {
      backup.files().stream()
          .filter(file -> file.isLoadedInto(table))
          .forEach(file -> loaded.add(new LogFile(backup, file)));
    }
    return loaded;
  }

  private static List<LogFile> logs(List<BackupManifest> chain) {
    List<LogFile> logs = new ArrayList<>();
    for (int i = 0; i < chain.size(); i++) {
      BackupManifest backup = chain.get(i);
      if (i > 0) {
        backup.files().stream()
            .filter(BackupFile::isBefore)
            .forEach(file -> logs.add(new LogFile(backup, file)));
      }
      backup.files().stream()
          .filter(BackupFile::isAfter)
          .forEach(file -> logs.add(new LogFile(backup, file)));
    }
    return logs;
  }
}
