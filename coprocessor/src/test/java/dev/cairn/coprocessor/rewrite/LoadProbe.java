package dev.cairn.coprocessor.rewrite;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.coprocessor.BulkLoadObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** A coprocessor that records the hooks of bulk loads. */
public class LoadProbe implements RegionCoprocessor, RegionObserver, BulkLoadObserver {
  static final List<String> CALLS = new CopyOnWriteArrayList<>();
  static volatile String failing = "";

  private static void called(String hook, Object... details) throws IOException {
    StringBuilder call = new StringBuilder(hook);
    for (Object detail : details) {
      call.append(' ').append(detail);
    }
    CALLS.add(call.toString());
    if (hook.equals(failing)) {
      throw new IOException(hook + " fails");
    }
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public Optional<BulkLoadObserver> getBulkLoadObserver() {
    return Optional.of(this);
  }

  @Override
  public void prePrepareBulkLoad(ObserverContext<RegionCoprocessorEnvironment> context)
      throws IOException {
    called("prePrepareBulkLoad", context.getCaller().map(User::getShortName).orElse("nobody"));
  }

  @Override
  public void preCleanupBulkLoad(ObserverContext<RegionCoprocessorEnvironment> context)
      throws IOException {
    called("preCleanupBulkLoad", context.getCaller().map(User::getShortName).orElse("nobody"));
  }

  @Override
  public void preBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> context, List<Pair<byte[], String>> files)
      throws IOException {
    called(
        "preBulkLoadHFile",
        files.stream()
            .map(pair -> Bytes.toString(pair.getFirst()) + "/" + name(pair.getSecond()))
            .sorted()
            .toList());
  }

  private static String name(String path) {
    return new Path(path).getName();
  }

  @Override
  public void preCommitStoreFile(
      ObserverContext<RegionCoprocessorEnvironment> context,
      byte[] family,
      List<Pair<Path, Path>> pairs)
      throws IOException {
    called("preCommitStoreFile", Bytes.toString(family), pairs.size());
  }

  @Override
  public void postCommitStoreFile(
      ObserverContext<RegionCoprocessorEnvironment> context, byte[] family, Path from, Path to)
      throws IOException {
    called("postCommitStoreFile", Bytes.toString(family), to.getParent().getName());
  }

  @Override
  public void postBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> context,
      List<Pair<byte[], String>> files,
      Map<byte[], List<Path>> loaded)
      throws IOException {
    StringBuilder all = new StringBuilder();
    if (loaded != null) {
      loaded.forEach((family, paths) -> all.append(Bytes.toString(family)).append(paths.size()));
    }
    called("postBulkLoadHFile", loaded == null ? "nothing" : all);
  }
}
