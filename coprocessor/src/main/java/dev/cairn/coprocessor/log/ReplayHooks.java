package dev.cairn.coprocessor.log;

import dev.cairn.coprocessor.facade.StoragePaths;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.ReplayHook;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKeyImpl;

/**
 * Calls the hooks around the recovered edits of a region that opens: {@code preReplayWALs} for each
 * file, then {@code preWALRestore} and {@code postWALRestore} for each entry, then {@code
 * postReplayWALs} for each file. Entries without cells are not shown: hooks expect a first cell.
 * Such an entry has a nonce alone, or its cells are in store files. Used by the thread that opens
 * the region.
 */
public final class ReplayHooks implements ReplayHook {
  private final TableSchema schema;
  private final RegionInfo info;
  private Optional<Running> running = Optional.empty();

  /** Creates hooks that are not called before {@link #started}. */
  public ReplayHooks(RegionInfo info, TableSchema schema) {
    this.info = info;
    this.schema = schema;
  }

  /** The hooks while the region opens, with the edit of the current entry. */
  private static final class Running {
    final RegionCoprocessorHost host;
    final org.apache.hadoop.hbase.client.RegionInfo region;
    final StoragePaths paths;
    final Set<String> overridden;
    WALKeyImpl key;
    WALEdit edit;

    Running(
        RegionCoprocessorHost host,
        org.apache.hadoop.hbase.client.RegionInfo region,
        StoragePaths paths,
        Set<String> overridden) {
      this.host = host;
      this.region = region;
      this.paths = paths;
      this.overridden = overridden;
    }

    boolean seesEntries() {
      return overridden.contains("preWALRestore") || overridden.contains("postWALRestore");
    }
  }

  /**
   * Begins to call hooks.
   *
   * @param paths where the files of recovered edits are
   * @param overridden the names of the hooks to call
   */
  public void started(
      RegionCoprocessorHost host,
      org.apache.hadoop.hbase.client.RegionInfo region,
      StoragePaths paths,
      Set<String> overridden) {
    running = Optional.of(new Running(host, region, paths, overridden));
  }

  @Override
  public void begins(RegionInfo opening, List<String> files) throws IOException {
    if (running.isPresent() && running.get().overridden.contains("preReplayWALs")) {
      for (String file : files) {
        running.get().host.preReplayWALs(running.get().region, path(file));
      }
    }
  }

  private Path path(String file) {
    return running.orElseThrow().paths.of(file);
  }

  @Override
  public Optional<CellBuffer> restores(WalEntry entry) throws IOException {
    if (running.isEmpty() || !running.get().seesEntries() || entry.cells().isEmpty()) {
      return Optional.of(entry.cells());
    }
    Running hooks = running.get();
    hooks.key = LogEdits.key(entry);
    hooks.edit = LogEdits.edit(entry.cells());
    List<Cell> shown = List.copyOf(hooks.edit.getCells());
    if (hooks.overridden.contains("preWALRestore")
        && hooks.host.preWALRestore(hooks.region, hooks.key, hooks.edit)) {
      return Optional.empty();
    }
    return Optional.of(
        LogEdits.isSame(shown, hooks.edit.getCells())
            ? entry.cells()
            : LogEdits.checked(info, schema, hooks.edit.getCells()));
  }

  @Override
  public void restored(WalEntry entry, CellBuffer cells) throws IOException {
    if (running.isPresent()
        && running.get().overridden.contains("postWALRestore")
        && !entry.cells().isEmpty()) {
      Running hooks = running.get();
      hooks.host.postWALRestore(hooks.region, hooks.key, hooks.edit);
    }
  }

  @Override
  public void ends(RegionInfo opening, List<String> files) throws IOException {
    if (running.isPresent() && running.get().overridden.contains("postReplayWALs")) {
      for (String file : files) {
        running.get().host.postReplayWALs(running.get().region, path(file));
      }
    }
  }
}
