package dev.cairn.server.master.recovery;

import dev.cairn.engine.storage.FencedStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.wal.split.FlushedEdits;
import dev.cairn.engine.wal.split.LogSplitter;
import dev.cairn.engine.wal.split.LogSplitter.LeftLog;
import dev.cairn.engine.wal.split.SealProgress;
import dev.cairn.engine.wal.split.SplitProgress.LogKind;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.walsplit.PartProgress;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs under {@code WALs}: one directory per server, named after it, with the suffix {@code
 * -splitting} while it is being recovered.
 */
public final class WalDirectories implements DeadServerLogs {
  private static final Logger LOG = LoggerFactory.getLogger(WalDirectories.class);
  private static final String ROOT = "WALs";
  private static final String CHECK = "check";

  private final Storage storage;
  private final FencedStorage fenced;
  private final LogSplitter splitter;

  /**
   * Creates a view of the logs in the root directory {@code storage}.
   *
   * @param fenced the same storage, whose owner lends the scratch directories
   */
  public WalDirectories(Storage storage, FencedStorage fenced, LogSplitter splitter) {
    this.storage = storage;
    this.fenced = fenced;
    this.splitter = splitter;
  }

  @Override
  public List<ServerName> servers() throws IOException {
    return servers(storage);
  }

  /** Returns the servers, living or dead, that have a log in the root directory {@code storage}. */
  public static List<ServerName> servers(Storage storage) throws IOException {
    Set<ServerName> servers = new LinkedHashSet<>();
    for (Storage.FileInfo entry : storage.list(ROOT)) {
      String name = entry.name();
      if (name.endsWith(LogSplitter.SPLITTING_SUFFIX)) {
        name = name.substring(0, name.length() - LogSplitter.SPLITTING_SUFFIX.length());
      }
      try {
        servers.add(ServerName.parse(name));
      } catch (IllegalArgumentException e) {
        LOG.warn("{} is not a server's log and stays as it is", entry.path());
      }
    }
    return List.copyOf(servers);
  }

  @Override
  public Optional<LeftLog> take(ServerName dead) throws IOException {
    String directory = ROOT + "/" + dead;
    return storage.exists(directory) || storage.exists(directory + LogSplitter.SPLITTING_SUFFIX)
        ? Optional.of(splitter.takeOver(directory))
        : Optional.empty();
  }

  @Override
  public void check() throws IOException {
    String path = Storage.join(fenced.staging(), CHECK);
    fenced.discard(path); // An earlier check may have failed to delete it.
    fenced.create(path).close();
    fenced.discard(path);
  }

  @Override
  public void sealEarly(ServerName server) throws IOException {
    splitter.sealEarly(ROOT + "/" + server);
  }

  @Override
  public void seal(LeftLog log, SealProgress progress) throws IOException {
    splitter.seal(log, progress);
  }

  @Override
  public void lend(long number) throws IOException {
    fenced.lend(number);
  }

  @Override
  public void recall(long number) throws IOException {
    fenced.recall(number);
  }

  @Override
  public Set<String> split(LeftLog log, LogKind kind, PartProgress parts, long scratch)
      throws IOException {
    LogSplitter.Share share =
        splitter.splitShare(
            log.directory(), kind, parts::includes, FlushedEdits.NONE, fenced.lent(scratch), parts);
    LOG.info("{}", share.summary());
    return share.damaged();
  }

  @Override
  public void archive(LeftLog log, LogKind kind, Set<String> damaged) throws IOException {
    splitter.archive(log, kind, damaged);
  }

  @Override
  public void remove(LeftLog log) throws IOException {
    splitter.remove(log);
  }
}
