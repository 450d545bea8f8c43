package dev.cairn.coprocessor.log;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;

/**
 * Records the hooks of recoveries. Adds an attribute to the log's entries of rows, leaves out the
 * row {@code dropped}, and restores another row for {@code changed}.
 */
public class ReplayProbe implements RegionCoprocessor, RegionObserver {
  static final List<String> CALLS = new CopyOnWriteArrayList<>();

  /** The file of recovered edits that was shown last. */
  static volatile Path file;

  /** Fails the hook of this name, once. */
  static volatile String failing = "";

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  private static String row(WALEdit edit) {
    return Bytes.toString(CellUtil.cloneRow(edit.getCells().get(0)));
  }

  private static void called(String hook, String what) throws IOException {
    CALLS.add(hook + " " + what);
    if (failing.equals(hook)) {
      failing = "";
      throw new IOException("not now");
    }
  }

  @Override
  public void preWALAppend(
      ObserverContext<RegionCoprocessorEnvironment> context, WALKey key, WALEdit edit) {
    key.addExtendedAttribute("row", Bytes.toBytes(row(edit)));
  }

  @Override
  public void preReplayWALs(
      ObserverContext<? extends RegionCoprocessorEnvironment> context, RegionInfo info, Path edits)
      throws IOException {
    file = edits;
    called("preReplayWALs", info.getTable().getNameAsString());
  }

  @Override
  public void postReplayWALs(
      ObserverContext<? extends RegionCoprocessorEnvironment> context, RegionInfo info, Path edits)
      throws IOException {
    called("postReplayWALs", info.getTable().getNameAsString());
  }

  @Override
  public void preWALRestore(
      ObserverContext<? extends RegionCoprocessorEnvironment> context,
      RegionInfo info,
      WALKey key,
      WALEdit edit)
      throws IOException {
    String row = row(edit);
    called(
        "preWALRestore",
        row
            + " "
            + Bytes.toString(key.getExtendedAttribute("row"))
            + " "
            + Bytes.toString(key.getEncodedRegionName()).equals(info.getEncodedName())
            + " "
            + (key.getSequenceId() > 0));
    if (row.equals("dropped")) {
      context.bypass();
    }
    if (row.equals("changed")) {
      Cell old = edit.getCells().get(0);
      edit.getCells().clear();
      edit.add(
          new KeyValue(
              Bytes.toBytes("other"),
              CellUtil.cloneFamily(old),
              CellUtil.cloneQualifier(old),
              old.getTimestamp(),
              CellUtil.cloneValue(old)));
    }
  }

  @Override
  public void postWALRestore(
      ObserverContext<? extends RegionCoprocessorEnvironment> context,
      RegionInfo info,
      WALKey key,
      WALEdit edit)
      throws IOException {
    called("postWALRestore", row(edit));
  }
}
