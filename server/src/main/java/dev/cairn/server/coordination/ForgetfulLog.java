package dev.cairn.server.coordination;

import java.io.File;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/** Keeps nothing: every start is the first. */
final class ForgetfulLog extends FileTxnSnapLog {
  ForgetfulLog(File directory) throws IOException {
    super(directory, directory);
  }

  @Override
  public long restore(DataTree tree, Map<Long, Integer> sessions, PlayBackListener listener) {
    return 0;
  }

  @Override
  public long fastForwardFromEdits(
      DataTree tree, Map<Long, Integer> sessions, PlayBackListener listener) {
    return 0;
  }

  @Override
  public File save(DataTree tree, ConcurrentHashMap<Long, Integer> sessions, boolean syncSnap) {
    return new File(getSnapDir(), "nothing");
  }

  @Override
  public boolean append(Request request) {
    return true;
  }

  @Override
  public void commit() {}

  @Override
  public void rollLog() {}
}
