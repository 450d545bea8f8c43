package dev.cairn.server.rpc;

import dev.cairn.server.config.ConfigKey;
import java.util.List;

/** The keys of {@code hbase-site.xml} that the RPC server reads. */
public final class RpcKeys {
  /** {@code hbase.ipc.max.request.size}. */
  public static final ConfigKey<Long> MAX_REQUEST_SIZE =
      ConfigKey.number(
          "hbase.ipc.max.request.size",
          256L << 20,
          1024,
          Integer.MAX_VALUE / 2, // a frame has a length before it, and buffers grow by doubling
          "Maximum request size in bytes. The server refuses a longer request unread. The"
              + " effective limit is at most about a fifth of the memory for calls.");

  /** {@code hbase.table.max.rowsize}. */
  public static final ConfigKey<Long> MAX_ROW_SIZE =
      ConfigKey.number(
          "hbase.table.max.rowsize",
          1L << 30,
          1,
          Long.MAX_VALUE,
          "Maximum cell bytes of one row that a get, or a scan of whole rows, reads. A larger"
              + " row fails with RowTooBigException. The effective limit is at most about a"
              + " fifth of the memory for calls.");

  /** {@code cairn.ipc.unread.timeout}. */
  public static final ConfigKey<Long> UNREAD_TIMEOUT =
      ConfigKey.number(
          "cairn.ipc.unread.timeout",
          60_000,
          100,
          Integer.MAX_VALUE,
          "Time after which the server closes a connection whose client does not read its"
              + " responses, in milliseconds. While other calls wait for memory, a quarter of"
              + " it.");

  /** {@code hbase.regionserver.handler.count}. */
  public static final ConfigKey<Long> HANDLER_COUNT =
      ConfigKey.number(
          "hbase.regionserver.handler.count",
          30,
          1,
          10_000,
          "Maximum threads for ordinary calls; they start on demand.");

  /** {@code hbase.ipc.server.callqueue.handler.factor}. */
  public static final ConfigKey<Double> QUEUE_FACTOR =
      ConfigKey.fraction(
              "hbase.ipc.server.callqueue.handler.factor",
              "0.1",
              "Number of queues of ordinary calls per handler; there is at least one queue."
                  + " Queues of one kind of call share their length and their handlers, so a"
                  + " call waits only while all handlers of its kind are busy.")
          .formerly("ipc.server.callqueue.handler.factor");

  /** {@code hbase.ipc.server.callqueue.read.ratio}. */
  public static final ConfigKey<Double> READ_RATIO =
      ConfigKey.fraction(
              "hbase.ipc.server.callqueue.read.ratio",
              "0",
              "Share of the region server's queues and handlers that serves reads; the rest"
                  + " serves writes. A batch with a mutation is a write. 0: reads and writes"
                  + " share all of them.")
          .formerly("hbase.ipc.server.callqueue.read.share", "ipc.server.callqueue.read.share");

  /** {@code hbase.ipc.server.callqueue.scan.ratio}. */
  public static final ConfigKey<Double> SCAN_RATIO =
      ConfigKey.fraction(
          "hbase.ipc.server.callqueue.scan.ratio",
          "0",
          "Share of the reads' queues and handlers that serves scans. 0 or 1: scans share"
              + " those of the other reads. No effect if hbase.ipc.server.callqueue.read.ratio"
              + " is 0.");

  /** {@code hbase.regionserver.metahandler.count}. */
  public static final ConfigKey<Long> PRIORITY_HANDLER_COUNT =
      ConfigKey.number(
          "hbase.regionserver.metahandler.count",
          20,
          1,
          10_000,
          "Maximum threads for calls to system tables and between servers.");

  /** {@code phoenix.serverside.rpc.priority}. */
  public static final ConfigKey<Long> SERVER_SIDE_PRIORITY =
      ConfigKey.number(
          "phoenix.serverside.rpc.priority",
          500,
          11,
          Integer.MAX_VALUE,
          "Priority of the calls between Phoenix's coprocessors.");

  /** {@code phoenix.rpc.serverside.handler.count}. */
  public static final ConfigKey<Long> SERVER_SIDE_HANDLER_COUNT =
      ConfigKey.number(
          "phoenix.rpc.serverside.handler.count",
          30,
          1,
          10_000,
          "Maximum threads for calls with the priority phoenix.serverside.rpc.priority.");

  /** {@code phoenix.index.rpc.priority}. */
  public static final ConfigKey<Long> INDEX_PRIORITY =
      ConfigKey.number(
          "phoenix.index.rpc.priority",
          1000,
          11,
          Integer.MAX_VALUE,
          "Priority of the calls with which Phoenix writes indexes.");

  /** {@code phoenix.rpc.index.handler.count}. */
  public static final ConfigKey<Long> INDEX_HANDLER_COUNT =
      ConfigKey.number(
          "phoenix.rpc.index.handler.count",
          30,
          1,
          10_000,
          "Maximum threads for calls with the priority phoenix.index.rpc.priority.");

  /** {@code phoenix.metadata.rpc.priority}. */
  public static final ConfigKey<Long> METADATA_PRIORITY =
      ConfigKey.number(
          "phoenix.metadata.rpc.priority",
          2000,
          11,
          Integer.MAX_VALUE,
          "Priority of the calls to Phoenix's system tables.");

  /** {@code phoenix.rpc.metadata.handler.count}. */
  public static final ConfigKey<Long> METADATA_HANDLER_COUNT =
      ConfigKey.number(
          "phoenix.rpc.metadata.handler.count",
          30,
          1,
          10_000,
          "Maximum threads for calls with the priority phoenix.metadata.rpc.priority.");

  /** {@code hbase.regionserver.replication.handler.count}. */
  public static final ConfigKey<Long> REPLICATION_HANDLER_COUNT =
      ConfigKey.number(
          "hbase.regionserver.replication.handler.count",
          3,
          1,
          10_000,
          "Maximum threads for messages from the servers of regions to replicas.");

  /** {@code hbase.ipc.server.max.callqueue.length}; 0 stands for ten times the handlers. */
  public static final ConfigKey<Long> MAX_QUEUE_LENGTH =
      ConfigKey.number(
              "hbase.ipc.server.max.callqueue.length",
              0,
              0,
              10_000_000,
              "Maximum calls that wait in one queue of ordinary calls; 0 means ten times"
                  + " hbase.regionserver.handler.count.")
          .formerly("ipc.server.max.callqueue.length");

  /** {@code hbase.ipc.server.priority.max.callqueue.length}. */
  public static final ConfigKey<Long> PRIORITY_QUEUE_LENGTH =
      ConfigKey.number(
          "hbase.ipc.server.priority.max.callqueue.length",
          0,
          0,
          10_000_000,
          "Maximum waiting calls for system tables and between servers; 0 means ten times"
              + " hbase.regionserver.metahandler.count.");

  /** {@code hbase.ipc.server.replication.max.callqueue.length}. */
  public static final ConfigKey<Long> REPLICATION_QUEUE_LENGTH =
      ConfigKey.number(
          "hbase.ipc.server.replication.max.callqueue.length",
          0,
          0,
          10_000_000,
          "Maximum waiting calls with messages to replicas; 0 means ten times"
              + " hbase.regionserver.replication.handler.count.");

  /** {@code hbase.ipc.server.max.callqueue.size}. */
  public static final ConfigKey<Long> MAX_QUEUE_BYTES =
      ConfigKey.number(
              "hbase.ipc.server.max.callqueue.size",
              1L << 30,
              1 << 20,
              1L << 50,
              "Maximum bytes of waiting and running requests together. The effective limit is"
                  + " at most the memory for calls.")
          .formerly("ipc.server.max.callqueue.size");

  /** {@code hbase.ipc.min.client.request.timeout}. */
  public static final ConfigKey<Long> MIN_TIMEOUT =
      ConfigKey.number(
          "hbase.ipc.min.client.request.timeout",
          20,
          0,
          Integer.MAX_VALUE,
          "Minimum call timeout in milliseconds; a shorter timeout of a call is raised to it.");

  /** {@code hbase.ipc.server.tcpnodelay}. */
  public static final ConfigKey<Boolean> TCP_NO_DELAY =
      ConfigKey.flag(
              "hbase.ipc.server.tcpnodelay",
              true,
              "Whether responses are sent at once" + " (TCP_NODELAY).")
          .formerly("ipc.server.tcpnodelay");

  /** {@code hbase.ipc.server.tcpkeepalive}. */
  public static final ConfigKey<Boolean> TCP_KEEP_ALIVE =
      ConfigKey.flag(
              "hbase.ipc.server.tcpkeepalive",
              true,
              "Whether the system probes idle connections, to detect clients that are gone.")
          .formerly("ipc.server.tcpkeepalive");

  /** {@code hbase.ipc.server.listen.queue.size}. */
  public static final ConfigKey<Long> BACKLOG =
      ConfigKey.number(
              "hbase.ipc.server.listen.queue.size",
              128,
              1,
              65_535,
              "Maximum connections that wait to be accepted.")
          .formerly("ipc.server.listen.queue.size");

  private RpcKeys() {}

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> all() {
    return List.of(
        MAX_REQUEST_SIZE,
        MAX_ROW_SIZE,
        UNREAD_TIMEOUT,
        HANDLER_COUNT,
        QUEUE_FACTOR,
        READ_RATIO,
        SCAN_RATIO,
        PRIORITY_HANDLER_COUNT,
        SERVER_SIDE_PRIORITY,
        SERVER_SIDE_HANDLER_COUNT,
        INDEX_PRIORITY,
        INDEX_HANDLER_COUNT,
        METADATA_PRIORITY,
        METADATA_HANDLER_COUNT,
        REPLICATION_HANDLER_COUNT,
        MAX_QUEUE_LENGTH,
        PRIORITY_QUEUE_LENGTH,
        REPLICATION_QUEUE_LENGTH,
        MAX_QUEUE_BYTES,
        MIN_TIMEOUT,
        TCP_NO_DELAY,
        TCP_KEEP_ALIVE,
        BACKLOG);
  }
}
