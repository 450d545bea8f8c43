package dev.cairn.torture.cluster;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.StorageOperation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Simulates the DataNodes of HDFS: each file is one block with replicas on three of four nodes. The
 * bytes themselves are in the shared file system.
 *
 * <ul>
 *   <li>A write to a file with a dead node pauses for the recovery of the pipeline, which replaces
 *       the node. From then on, the node's replica is stale.
 *   <li>A write fails if all nodes of the pipeline are dead. A read or the recovery of a file's
 *       lease fails if all nodes with a replica are dead.
 *   <li>A power cut takes the unsynced bytes of a node, so its replicas of the logs are stale.
 * </ul>
 */
final class DataNodes {
  static final int COUNT = 4;
  private static final int REPLICAS = 3;
  private static final long RECOVERY_MAX = 500_000_000;

  /** The length of a store file's name, which a file keeps when it is renamed. */
  private static final int NAME_LENGTH = 32;

  private final RandomGenerator random;
  private final Set<Integer> dead = new HashSet<>(); // never iterated
  private final Map<Integer, Long> slow = new HashMap<>(); // never iterated

  /** The names of files whose replicas are all lost. */
  private final Set<String> lost = new HashSet<>(); // never iterated

  /** The nodes of files whose replicas have moved, by name. */
  private final Map<String, List<Integer>> changed = new HashMap<>(); // never iterated

  DataNodes(RandomGenerator random) {
    this.random = random;
  }

  /** Kills a node; its replicas are unavailable until it returns. */
  void kill(int node) {
    dead.add(node);
  }

  /** Starts a node again. */
  void restart(int node) {
    dead.remove(node);
  }

  /** Tells whether all nodes run. */
  boolean areAllUp() {
    return dead.isEmpty();
  }

  /** Lets each write to a file with a replica on {@code node} take {@code nanos}. */
  void slowDown(int node, long nanos) {
    slow.put(node, nanos);
  }

  /** Ends {@link #slowDown}. */
  void speedUp(int node) {
    slow.remove(node);
  }

  /** Makes all replicas of a file unavailable. */
  void lose(String path) {
    lost.add(name(path));
  }

  /** Ends {@link #lose}. */
  void find(String path) {
    lost.remove(name(path));
  }

  /** Ends all faults. */
  void heal() {
    dead.clear();
    slow.clear();
    lost.clear();
  }

  /**
   * Kills a node, which also loses its unsynced bytes: those of {@code unsynced} files.
   *
   * @return false if the node was not killed, because a file would lose its last replica
   */
  boolean cutPower(int node, List<String> unsynced) {
    if (!areAllUp() || unsynced.stream().anyMatch(path -> nodes(path).equals(List.of(node)))) {
      return false;
    }
    for (String path : unsynced) {
      List<Integer> left = new ArrayList<>(nodes(path));
      if (left.remove((Integer) node)) {
        changed.put(name(path), left);
      }
    }
    kill(node);
    return true;
  }

  /**
   * Simulates an operation on the nodes of a file.
   *
   * @return how long it takes, nanoseconds
   * @throws IOException if no node can serve it; names the file and its block
   */
  long before(StorageOperation operation, String path) throws IOException {
    if (dead.isEmpty() && slow.isEmpty() && lost.isEmpty()) {
      return 0;
    }
    return switch (operation) {
      case WRITE, FLUSH, SYNC, CLOSE -> write(path);
      case READ, SEAL -> {
        if (lost.contains(name(path)) || dead.containsAll(nodes(path))) {
          throw new IOException("Could not obtain block " + block(path) + " of " + path);
        }
        yield 0;
      }
      default -> 0;
    };
  }

  private long write(String path) throws IOException {
    List<Integer> nodes = nodes(path);
    List<Integer> left = new ArrayList<>(nodes);
    left.removeIf(dead::contains);
    if (left.isEmpty()) {
      throw new IOException("All DataNodes of block " + block(path) + " of " + path + " are bad");
    }
    if (left.size() < nodes.size()) {
      for (int node = 0; node < COUNT && left.size() < REPLICAS; node++) {
        if (!left.contains(node) && !dead.contains(node)) {
          left.add(node);
        }
      }
      changed.put(name(path), left);
      return random.nextLong(RECOVERY_MAX);
    }
    return nodes.stream().mapToLong(node -> slow.getOrDefault(node, 0L)).max().orElse(0);
  }

  private List<Integer> nodes(String path) {
    List<Integer> known = changed.get(name(path));
    if (known != null) {
      return known;
    }
    int first = Math.floorMod(block(path), COUNT);
    List<Integer> nodes = new ArrayList<>();
    for (int i = 0; i < REPLICAS; i++) {
      nodes.add((first + i) % COUNT);
    }
    return nodes;
  }

  private static int block(String path) {
    return name(path).hashCode() & Integer.MAX_VALUE;
  }

  private static String name(String path) {
    String name = Storage.name(path);
    return name.substring(Math.max(0, name.length() - NAME_LENGTH));
  }
}
