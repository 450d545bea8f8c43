package dev.cairn.coprocessor.server;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.WALCoprocessor;
import org.apache.hadoop.hbase.coprocessor.WALCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.WALObserver;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;

/** Records the hooks of the log for user tables, and acts as the row of an entry says. */
@SuppressWarnings("deprecation") // HBase still calls the hooks of entries
public class LogProbe implements WALCoprocessor, WALObserver {
  static final List<String> CALLS = new CopyOnWriteArrayList<>();
  static final Set<String> THREADS = ConcurrentHashMap.newKeySet();

  /** The most hooks of entries that ran at once. */
  static final AtomicInteger MOST = new AtomicInteger();

  private static final AtomicInteger RUNNING = new AtomicInteger();

  /** Whether the hook before a new file refuses it. */
  static volatile boolean refusesRolls;

  /** Whether the hook before an entry refuses those that hold markers. */
  static volatile boolean refusesMarkers;

  /** The hook before the entry of the row {@code held} waits for it. */
  static volatile CountDownLatch gate = new CountDownLatch(0);

  @Override
  public Optional<WALObserver> getWALObserver() {
    return Optional.of(this);
  }

  private static String row(WALEdit edit) {
    return Bytes.toString(CellUtil.cloneRow(edit.getCells().get(0)));
  }

  /** HBase calls the hooks for a log's first file, too, with null. */
  private static String name(Path file) {
    return file == null ? "none" : file.getName();
  }

  @Override
  public void preWALWrite(
      ObserverContext<? extends WALCoprocessorEnvironment> context,
      RegionInfo info,
      WALKey key,
      WALEdit edit)
      throws IOException {
    if (refusesMarkers && edit.isMetaEdit()) {
      CALLS.add("marker");
      throw new IOException("no markers");
    }
    if (info.getTable().isSystemTable() || edit.isMetaEdit()) {
      return;
    }
    MOST.accumulateAndGet(RUNNING.incrementAndGet(), Math::max);
    THREADS.add(Thread.currentThread().getName());
    String row = row(edit);
    CALLS.add("preWALWrite " + row + " " + key.getSequenceId());
    switch (row) {
      case "refused" -> {
        RUNNING.decrementAndGet();
        throw new IOException("not this row");
      }
      case "failing" -> {
        RUNNING.decrementAndGet();
        throw new IllegalStateException("a wrong row");
      }
      case "changed" -> {
        Cell old = edit.getCells().get(0);
        edit.getCells().clear();
        edit.add(
            new KeyValue(
                Bytes.toBytes("chosen"),
                CellUtil.cloneFamily(old),
                CellUtil.cloneQualifier(old),
                old.getTimestamp(),
                CellUtil.cloneValue(old)));
      }
      case "written" -> {
        Cell cell = edit.getCells().get(0);
        cell.getRowArray()[cell.getRowOffset() + cell.getRowLength() - 1] = 'N';
      }
      case "held" -> {
        try {
          gate.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      case "long" -> key.addExtendedAttribute("by", new byte[5000]);
      case "described" -> key.addExtendedAttribute("by", Bytes.toBytes("hook"));
      case "foreign" ->
          edit.add(
              new KeyValue(Bytes.toBytes(row), Bytes.toBytes("none"), null, Bytes.toBytes("v")));
      default -> Thread.yield();
    }
  }

  @Override
  public void postWALWrite(
      ObserverContext<? extends WALCoprocessorEnvironment> context,
      RegionInfo info,
      WALKey key,
      WALEdit edit)
      throws IOException {
    if (info.getTable().isSystemTable() || edit.isMetaEdit()) {
      return;
    }
    String row = row(edit);
    CALLS.add("postWALWrite " + row + " " + key.getSequenceId());
    RUNNING.decrementAndGet();
    if (row.equals("late")) {
      throw new IOException("too late");
    }
  }

  @Override
  public void preWALRoll(
      ObserverContext<? extends WALCoprocessorEnvironment> context, Path old, Path next)
      throws IOException {
    CALLS.add("preWALRoll " + name(old) + " " + next.getName());
    THREADS.add(Thread.currentThread().getName());
    if (refusesRolls) {
      throw new IOException("no other file");
    }
  }

  @Override
  public void postWALRoll(
      ObserverContext<? extends WALCoprocessorEnvironment> context, Path old, Path next) {
    CALLS.add("postWALRoll " + name(old) + " " + next.getName());
  }
}
