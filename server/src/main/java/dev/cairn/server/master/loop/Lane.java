package dev.cairn.server.master.loop;

import dev.cairn.server.catalog.ServerName;

/**
 * A group of actions that share a few threads, and so may wait for each other. Actions of different
 * lanes never wait for each other. So a server or disk that hangs delays only the actions that need
 * it.
 *
 * @param name the work of its actions; unique among the lanes
 * @param threads how many of the lane's actions run at a time
 */
public record Lane(String name, int threads) {
  /** Changes of tables' files. */
  public static final Lane FILES = new Lane("files", 8);

  /** Searches for the logs of dead servers. */
  public static final Lane RECOVERY = new Lane("recovery", 4);

  /** Requests of administrators and chores that need answers of several region servers. */
  public static final Lane REQUESTS = new Lane("requests", 8);

  /** Reads and writes of the shared state of the cluster. */
  public static final Lane COORDINATION = new Lane("coordination", 4);

  /** Reads and writes of {@code hbase:namespace}. */
  public static final Lane SYSTEM_TABLES = new Lane("system tables", 4);

  /** Reads and writes of {@code hbase:quota}: one at a time. */
  public static final Lane QUOTAS = new Lane("quotas", 1);

  /** Reads and writes of {@code hbase:rsgroup}: one at a time. */
  public static final Lane GROUPS = new Lane("groups", 1);

  /** Hooks of coprocessors at moments that no client's call waits for. */
  public static final Lane HOOKS = new Lane("hooks of coprocessors", 16);

  /** Measurements of space in the root directory: one at a time. */
  public static final Lane SPACE = new Lane("space", 1);

  /** Reads and writes of {@code hbase:meta}: one at a time. */
  public static final Lane CATALOG = new Lane("catalog", 1);

  /** Writes of the master's own store: one at a time, in order. */
  public static final Lane STORE = new Lane("store", 1);

  private static final int THREADS_PER_SERVER = 4;

  /** A recovery seals and splits log files, and withdraws orders, at the same time. */
  private static final int THREADS_PER_RECOVERY = 6;

  /** Returns the lane of the orders to open and to close regions at {@code server}. */
  public static Lane orders(ServerName server) {
    return new Lane("orders to " + server, THREADS_PER_SERVER);
  }

  /** Returns the lane of the requests of administrators and chores to {@code server} alone. */
  public static Lane requests(ServerName server) {
    return new Lane("requests to " + server, THREADS_PER_SERVER);
  }

  /** Returns the lane of the requests that let {@code server} read files of regions to come. */
  public static Lane warmUps(ServerName server) {
    return new Lane("warm-ups by " + server, THREADS_PER_SERVER);
  }

  /**
   * Returns the lane of the requests that let {@code server} expect regions of a dead server. Moves
   * of regions to the server do not wait for these requests.
   */
  public static Lane takeovers(ServerName server) {
    return new Lane("takeovers by " + server, THREADS_PER_SERVER);
  }

  /** Returns the lane of the orders to {@code server} to split logs. */
  public static Lane splits(ServerName server) {
    return new Lane("splits by " + server, THREADS_PER_SERVER);
  }

  /** Returns the lane of the recovery of the log of {@code dead}. */
  public static Lane recovery(ServerName dead) {
    return new Lane("recovery of " + dead, THREADS_PER_RECOVERY);
  }

  /** Returns the lane of the checks whether {@code server} lives. */
  public static Lane probe(ServerName server) {
    return new Lane("probe of " + server, 1);
  }

  /** Checks the number of threads. */
  public Lane {
    if (threads < 1) {
      throw new IllegalArgumentException("A lane needs a thread: " + name);
    }
  }
}
