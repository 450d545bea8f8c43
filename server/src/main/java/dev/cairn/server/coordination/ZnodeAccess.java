package dev.cairn.server.coordination;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.api.CuratorWatcher;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads, writes and watches znodes in one session. Thread-safe.
 *
 * <p>A watch fires once, so each read sets it anew. The reads of watched znodes run in the
 * background, and their answers come on ZooKeeper's one event thread. Watches are lost with the
 * connection, and to be set again when it is back.
 */
final class ZnodeAccess {
  private static final Logger LOG = LoggerFactory.getLogger(ZnodeAccess.class);

  private static final String WATCHED = "watched";

  private final CuratorFramework client;

  /** Does something with ZooKeeper. */
  @FunctionalInterface
  interface Work {
    void run() throws Exception;
  }

  /** Takes the contents of a znode. */
  @FunctionalInterface
  interface Use<T> {
    void accept(T value) throws Exception;
  }

  ZnodeAccess(CuratorFramework client) {
    this.client = client;
  }

  /** Creates a znode, and its parents, unless it is there. */
  void create(String path, byte[] data) throws Exception {
    try {
      client.create().forPath(path, data);
    } catch (KeeperException.NodeExistsException e) {
      // Another server was first.
    } catch (KeeperException.NoNodeException e) {
      createWithParents(path, data);
    }
  }

  private void createWithParents(String path, byte[] data) throws Exception {
    try {
      client.create().creatingParentsIfNeeded().forPath(path, data);
    } catch (KeeperException.NodeExistsException e) {
      // Another server, which saw as well that the parents were not there, was first.
    }
  }

  /**
   * Begins to create a znode unless it exists; its parent exists or is being created. Operations of
   * this session are done in order, and many writes share one sync of ZooKeeper's log.
   */
  CompletableFuture<Void> beginCreate(String path, byte[] data) throws Exception {
    CompletableFuture<Void> created = new CompletableFuture<>();
    client
        .create()
        .inBackground(
            (c, event) -> {
              Code code = Code.get(event.getResultCode());
              if (code == Code.OK || code == Code.NODEEXISTS) { // another server was first
                created.complete(null);
              } else {
                created.completeExceptionally(KeeperException.create(code, path));
              }
            })
        .forPath(path, data);
    return created;
  }

  /** Begins to read the content of a znode, if there is one. */
  CompletableFuture<Optional<byte[]>> beginRead(String path) throws Exception {
    CompletableFuture<Optional<byte[]>> read = new CompletableFuture<>();
    client
        .getData()
        .inBackground(
            (c, event) -> {
              Code code = Code.get(event.getResultCode());
              if (code == Code.OK || code == Code.NONODE) {
                read.complete(Optional.ofNullable(event.getData()));
              } else {
                read.completeExceptionally(KeeperException.create(code, path));
              }
            })
        .forPath(path);
    return read;
  }

  /** Begins to read the names of a znode's children. */
  CompletableFuture<List<String>> beginChildren(String path) throws Exception {
    CompletableFuture<List<String>> read = new CompletableFuture<>();
    client
        .getChildren()
        .inBackground(
            (c, event) -> {
              Code code = Code.get(event.getResultCode());
              if (code == Code.OK) {
                read.complete(event.getChildren());
              } else {
                read.completeExceptionally(KeeperException.create(code, path));
              }
            })
        .forPath(path);
    return read;
  }

  /** Creates a znode that ends with this session, and its parents. */
  void createEphemeral(String path, byte[] data) throws Exception {
    try {
      client.create().withMode(CreateMode.EPHEMERAL).forPath(path, data);
    } catch (KeeperException.NoNodeException e) {
      client.create().creatingParentsIfNeeded().withMode(CreateMode.EPHEMERAL).forPath(path, data);
    }
  }

  /** Writes a znode. Creates it and its parents if they are missing. */
  void write(String path, byte[] data) throws Exception {
    try {
      client.setData().forPath(path, data);
    } catch (KeeperException.NoNodeException e) {
      create(path, data);
    }
  }

  /**
   * Creates a znode and its parents, unless it exists. Does not wait; logs errors.
   *
   * @param created run on ZooKeeper's event thread if this session has created it
   */
  void createInBackground(String path, CreateMode mode, byte[] data, Work created) {
    background(
        path,
        "created",
        () ->
            client
                .create()
                .creatingParentsIfNeeded()
                .withMode(mode)
                .inBackground(
                    (c, event) -> {
                      Code code = Code.get(event.getResultCode());
                      if (code == Code.OK) {
                        created.run();
                      } else if (code != Code.NODEEXISTS) {
                        LOG.warn("The znode {} could not be created: {}", path, code);
                      }
                    })
                .forPath(path, data));
  }

  /** Replaces the data of a znode. Does not wait. */
  void writeInBackground(String path, byte[] data) {
    background(path, "written", () -> client.setData().inBackground().forPath(path, data));
  }

  /** Deletes a znode if it exists. Does not wait. */
  void deleteInBackground(String path) {
    background(path, "deleted", () -> client.delete().quietly().inBackground().forPath(path));
  }

  /** Deletes a znode. Returns false if it does not exist. */
  boolean delete(String path) throws Exception {
    try {
      client.delete().forPath(path);
      return true;
    } catch (KeeperException.NoNodeException e) {
      return false;
    }
  }

  /** Returns the content of a znode; empty if there is none. */
  Optional<byte[]> read(String path) {
    try {
      return Optional.of(client.getData().forPath(path));
    } catch (KeeperException.NoNodeException e) {
      return Optional.empty();
    } catch (Exception e) {
      throw new IllegalStateException("cannot read " + path + ": " + e.getMessage(), e);
    }
  }

  /** Returns the status of a znode, which is created if it is missing. */
  Stat createdStat(String path) throws Exception {
    Stat stat = client.checkExists().forPath(path);
    if (stat == null) {
      create(path, new byte[0]);
      stat = client.checkExists().forPath(path);
    }
    if (stat == null) {
      throw new KeeperException.NoNodeException(path);
    }
    return stat;
  }

  /** Returns the names of a znode's children. */
  List<String> children(String path) {
    try {
      return new ArrayList<>(client.getChildren().forPath(path));
    } catch (Exception e) {
      throw new IllegalStateException("cannot list " + path + ": " + e.getMessage(), e);
    }
  }

  /** Reports the content of a znode, or its absence, now and after every change. */
  void watchData(String path, Use<byte[]> present, Work absent) {
    CuratorWatcher again = event -> watchData(path, present, absent);
    background(
        path,
        WATCHED,
        () ->
            client
                .getData()
                .usingWatcher(again)
                .inBackground(
                    (c, event) -> {
                      if (event.getResultCode() == Code.OK.intValue()) {
                        present.accept(event.getData());
                      } else if (event.getResultCode() == Code.NONODE.intValue()) {
                        watchCreation(path, () -> watchData(path, present, absent), absent);
                      }
                    })
                .forPath(path));
  }

  /**
   * Watches for the creation of a znode.
   *
   * @param created reads the znode, and watches it from then on
   */
  private void watchCreation(String path, Work created, Work absent) {
    CuratorWatcher again = event -> created.run();
    background(
        path,
        WATCHED,
        () ->
            client
                .checkExists()
                .usingWatcher(again)
                .inBackground(
                    (c, event) -> {
                      if (event.getResultCode() == Code.NONODE.intValue()) {
                        absent.run();
                      } else if (event.getResultCode() == Code.OK.intValue()) {
                        created.run();
                      }
                    })
                .forPath(path));
  }

  /** Reports a znode's children, or that it is absent, now and after every change. */
  void watchChildren(String path, Use<List<String>> present, Work absent) {
    CuratorWatcher again = event -> watchChildren(path, present, absent);
    background(
        path,
        WATCHED,
        () ->
            client
                .getChildren()
                .usingWatcher(again)
                .inBackground(
                    (CuratorFramework c, CuratorEvent event) -> {
                      if (event.getResultCode() == Code.OK.intValue()) {
                        present.accept(event.getChildren());
                      } else if (event.getResultCode() == Code.NONODE.intValue()) {
                        watchCreation(path, () -> watchChildren(path, present, absent), absent);
                      }
                    })
                .forPath(path));
  }

  private void background(String path, String what, Work work) {
    if (isClosed()) {
      return;
    }
    try {
      work.run();
    } catch (Exception e) {
      if (!isClosed()) {
        LOG.warn("The znode {} cannot be {} until the connection is back", path, what, e);
      }
    }
  }

  private boolean isClosed() {
    return client.getState() == CuratorFrameworkState.STOPPED;
  }
}
