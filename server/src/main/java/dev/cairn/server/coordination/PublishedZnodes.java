package dev.cairn.server.coordination;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.CreateMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the znodes that this session's master has written, with their data. While that master
 * leads, writes znodes again that another client deletes or changes. Thread-safe.
 */
final class PublishedZnodes {
  private static final Logger LOG = LoggerFactory.getLogger(PublishedZnodes.class);

  private final ZnodeAccess access;
  private final Map<String, byte[]> published = new ConcurrentHashMap<>();

  PublishedZnodes(ZnodeAccess access) {
    this.access = access;
  }

  /** Writes a znode; waits for the network. */
  void write(String path, byte[] data) throws Exception {
    published.put(path, data);
    access.write(path, data);
  }

  /** Takes over a znode that holds {@code data} already. */
  void take(String path, byte[] data) {
    published.put(path, data);
  }

  /** Deletes a znode for good; waits for the network. */
  void delete(String path) throws Exception {
    published.remove(path);
    access.delete(path);
  }

  /** Writes every znode that is missing. Does not wait. */
  void restore() {
    published.forEach(
        (path, data) ->
            access.createInBackground(
                path, CreateMode.PERSISTENT, data, () -> restored(path, data)));
  }

  /**
   * Writes a znode again if another client has changed it. Does not wait.
   *
   * @param data the content of the znode
   */
  void restore(String path, byte[] data) {
    byte[] own = published.get(path);
    if (own != null && !Arrays.equals(own, data)) {
      LOG.warn("Another client has changed the znode {}; it is written again", path);
      access.writeInBackground(path, own);
    }
  }

  /** Corrects a znode that was changed or deleted while {@link #restore} was creating it. */
  private void restored(String path, byte[] data) {
    LOG.warn("Another client has deleted the znode {}; it is written again", path);
    byte[] now = published.get(path);
    if (now == null) {
      access.deleteInBackground(path);
    } else if (!Arrays.equals(now, data)) {
      access.writeInBackground(path, now);
    }
  }
}
