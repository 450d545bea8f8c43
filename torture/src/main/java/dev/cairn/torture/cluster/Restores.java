package dev.cairn.torture.cluster;

import dev.cairn.engine.schema.TableName;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.RestoreSnapshotRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.RestoreSnapshotResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;

/**
 * Changes a table that was cloned from a snapshot, and restores it to that snapshot, while another
 * thread reads it. Nobody else writes to the table, so each row has one of two known numbers:
 *
 * <ul>
 *   <li>before the table is disabled: the number that was written last
 *   <li>while it is disabled, restored and enabled: either number. After a reader has seen a number
 *       of the snapshot, no reader sees one that was written later
 *   <li>after that: the number of the snapshot
 * </ul>
 */
final class Restores {
  private static final int CHANGES_MAX = 5;
  private static final int RESTORES_MAX = 2;
  private static final String NEW_ROW = "50-new";
  private static final Duration READ_PATIENCE = Duration.ofSeconds(2);
  private static final long READ_PAUSE_MAX_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final ClusterClient client;
  private final ClusterClient reader;
  private final TableCalls calls;
  private final CopyScans scans;
  private final ClusterParts parts;
  private final RandomGenerator random;
  private long count;

  /** The last written number. Exceeds the numbers and timestamps of all clients. */
  private long written = 1L << 60;

  /** The values that readers may see. */
  private enum Phase {
    CHANGING,
    CHANGED,
    RESTORING,
    RESTORED
  }

  /** One restore. */
  private static final class Run {
    private final Map<String, OptionalLong> before = new TreeMap<>();
    private final Map<String, OptionalLong> changed = new TreeMap<>();
    private final List<String> rows;
    private Phase phase = Phase.CHANGING;
    private boolean restoredSeen;
    private boolean over;
    private boolean readerEnded;

    private Run(Map<String, OptionalLong> content) {
      before.putAll(content);
      before.put(NEW_ROW, OptionalLong.empty());
      this.rows = List.copyOf(before.keySet());
    }

    private OptionalLong changed(String row) {
      return changed.getOrDefault(row, before.get(row));
    }

    /** Tells whether a read with this begin and end may return {@code value}. */
    private boolean isPossible(
        String row, OptionalLong value, Phase begin, Phase end, boolean restoredSeenAtBegin) {
      boolean isRestored = value.equals(before.get(row));
      boolean isChanged = value.equals(changed(row));
      if (begin == Phase.RESTORED || restoredSeenAtBegin) {
        return isRestored;
      }
      return begin == Phase.CHANGED && end == Phase.CHANGED ? isChanged : isRestored || isChanged;
    }
  }

  /**
   * Creates it.
   *
   * @param reader reads during restores, on the machine of {@code client}
   */
  Restores(
      ClusterClient client,
      ClusterClient reader,
      TableCalls calls,
      CopyScans scans,
      ClusterParts parts,
      RandomGenerator random) {
    this.client = client;
    this.reader = reader;
    this.calls = calls;
    this.scans = scans;
    this.parts = parts;
    this.random = random;
  }

  /** Returns the number of restores that were checked. */
  long count() {
    return count;
  }

  /**
   * Changes, restores and checks a table, once or several times.
   *
   * @param snapshot its snapshot, with the table's name
   * @param content the rows of the snapshot; empty for rows that it does not have
   */
  void changeAndRestore(
      TableName table, SnapshotDescription snapshot, Map<String, OptionalLong> content) {
    for (int i = 1 + random.nextInt(RESTORES_MAX); i > 0; i--) {
      Run run = new Run(content);
      client.machine().spawn("reader of a restored table", () -> readUntilOver(table, run));
      change(table, run);
      restore(table, snapshot, run);
      check(table, run);
      run.over = true;
      while (!run.readerEnded) {
        client.machine().clock().park(READ_PAUSE_MAX_NANOS);
      }
      count++;
    }
  }

  private void change(TableName table, Run run) {
    RowCalls rows = new RowCalls(client, table);
    List<String> chosen = new ArrayList<>(List.of(NEW_ROW));
    for (int i = random.nextInt(CHANGES_MAX); i > 0; i--) {
      chosen.add(run.rows.get(random.nextInt(run.rows.size())));
    }
    for (String row : chosen) {
      long value = ++written;
      run.changed.put(row, OptionalLong.of(value));
      calls.until(() -> rows.put(row, value, TableCalls.PATIENCE));
    }
    run.phase = Phase.CHANGED;
  }

  private void restore(TableName table, SnapshotDescription snapshot, Run run) {
    client.machine().clock().park(random.nextLong(READ_PAUSE_MAX_NANOS));
    run.phase = Phase.RESTORING;
    calls.disable(table);
    calls.until(
        () ->
            calls.awaitSuccess(
                client
                    .callMaster(
                        "RestoreSnapshot",
                        RestoreSnapshotRequest.newBuilder()
                            .setSnapshot(snapshot)
                            .setNonceGroup(calls.nonceGroup())
                            .setNonce(calls.nextNonce())
                            .build(),
                        RestoreSnapshotResponse.getDefaultInstance(),
                        TableCalls.PATIENCE)
                    .getProcId()));
    calls.enable(table);
    run.phase = Phase.RESTORED;
  }

  private void check(TableName table, Run run) {
    RowCalls rows = new RowCalls(client, table);
    for (String row : run.rows) {
      OptionalLong[] found = new OptionalLong[1];
      calls.until(() -> found[0] = rows.get(row, TableCalls.PATIENCE));
      if (!found[0].equals(run.before.get(row))) {
        fail(table, run, row, found[0]);
      }
    }
    calls.until(() -> scans.check(table, run.before));
  }

  private void readUntilOver(TableName table, Run run) {
    RowCalls rows = new RowCalls(reader, table);
    while (!run.over) {
      client.machine().clock().park(random.nextLong(READ_PAUSE_MAX_NANOS));
      String row = run.rows.get(random.nextInt(run.rows.size()));
      Phase begin = run.phase;
      boolean restoredSeen = run.restoredSeen;
      try {
        OptionalLong found = rows.get(row, READ_PATIENCE);
        if (!run.isPossible(row, found, begin, run.phase, restoredSeen)) {
          fail(table, run, row, found);
        }
        run.restoredSeen |= begin.compareTo(Phase.CHANGED) >= 0 && !found.equals(run.changed(row));
      } catch (IOException e) {
        // Nothing was read.
      }
    }
    run.readerEnded = true;
  }

  private void fail(TableName table, Run run, String row, OptionalLong found) {
    parts
        .failures()
        .add(
            "Table %s, %s: row %s is %s, but the snapshot has %s, and %s was written"
                .formatted(table, run.phase, row, found, run.before.get(row), run.changed(row)));
  }
}
