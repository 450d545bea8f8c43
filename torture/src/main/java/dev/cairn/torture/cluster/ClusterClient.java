package dev.cairn.torture.cluster;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Catalog;
import dev.cairn.server.catalog.RegionRow;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.rpc.client.RpcCaller;
import dev.cairn.torture.scheduler.Machine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Calls the cluster as Apache's client does: locates regions through {@code hbase:meta}, and
 * retries a call until a server answers or the call's time is over. For one thread at a time.
 */
final class ClusterClient {
  private static final long PAUSE_MIN = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long PAUSE_MAX = TimeUnit.MILLISECONDS.toNanos(500);

  private final Machine machine;
  private final ClusterParts parts;
  private final RpcCaller caller;
  private final Duration callTimeout;
  private List<RegionRow> regions = List.of();
  private Optional<Attempt> last = Optional.empty();
  private long failures;

  /**
   * Creates a client.
   *
   * @param callTimeout the timeout of one call
   */
  ClusterClient(Machine machine, ClusterParts parts, Duration callTimeout) {
    this.callTimeout = callTimeout;
    this.machine = machine;
    this.parts = parts;
    this.caller = parts.network().from(machine);
  }

  /**
   * A call to a server.
   *
   * @param error why it failed; empty while it waits for its answer and after it succeeded
   */
  private record Attempt(
      String method, ServerName server, long sinceNanos, Optional<IOException> error) {
    Attempt failed(IOException cause) {
      return new Attempt(method, server, sinceNanos, Optional.of(cause));
    }
  }

  /** A call to the server of one region. */
  interface RegionCall<T> {
    T run(RegionInfo region, ServerCaller server) throws IOException;
  }

  /** Calls methods of one server. */
  interface ServerCaller {
    <R extends Message> R call(String service, String method, Message request, R prototype)
        throws IOException;
  }

  Machine machine() {
    return machine;
  }

  /** Returns how often an attempt has failed, so that a call was repeated or given up. */
  long failures() {
    return failures;
  }

  /** Describes its last call, for messages. */
  String lastCall() {
    return last.map(
            call ->
                "%s at %s, sent %d ms ago%s"
                    .formatted(
                        call.method(),
                        call.server(),
                        TimeUnit.NANOSECONDS.toMillis(
                            machine.clock().nanoTime() - call.sinceNanos()),
                        call.error().map(error -> ", failed: " + error).orElse("")))
        .orElse("no call");
  }

  /** Calls the region of {@code row}; retries until it answers or {@code patience} is over. */
  <T> T call(TableName table, byte[] row, Duration patience, RegionCall<T> call)
      throws IOException {
    return retry(
        patience,
        () -> {
          RegionRow region = locate(table, row);
          return located(() -> call.run(region.region(), server(region.server().orElseThrow())));
        });
  }

  /**
   * Calls a replica of the region of {@code row}; retries until it answers or {@code patience} is
   * over.
   *
   * @param id the number of the replica, from 1
   */
  <T> T callReplica(TableName table, byte[] row, int id, Duration patience, RegionCall<T> call)
      throws IOException {
    return retry(
        patience,
        () ->
            located(
                () -> {
                  RegionRow region = locate(table, row);
                  RegionRow.Replica replica =
                      region.replicas().stream()
                          .filter(one -> one.id() == id && one.server().isPresent())
                          .findFirst()
                          .orElseThrow(() -> new IOException("No place of a replica is known"));
                  return call.run(
                      region.region().replica(id), server(replica.server().orElseThrow()));
                }));
  }

  /** A call to one server, for rows of some of its regions. */
  interface RowsCall<R> {
    /** Calls the server; {@code rows} is in the order of the regions. */
    void run(Map<RegionInfo, List<R>> rows, ServerCaller server) throws IOException;
  }

  /**
   * Calls each server of {@code rows} once; retries while {@code rows}, which shrinks with each
   * success, is not empty, until {@code patience} is over.
   *
   * @param key returns the key of a row
   */
  <R> void callAll(
      TableName table,
      Collection<R> rows,
      Function<R, byte[]> key,
      Duration patience,
      RowsCall<R> call)
      throws IOException {
    retry(
        patience,
        () -> {
          Map<ServerName, Map<RegionInfo, List<R>>> places = new TreeMap<>();
          for (R row : rows) {
            RegionRow region = locate(table, key.apply(row));
            places
                .computeIfAbsent(region.server().orElseThrow(), none -> new LinkedHashMap<>())
                .computeIfAbsent(region.region(), none -> new ArrayList<>())
                .add(row);
          }
          return located(
              () -> {
                for (Map.Entry<ServerName, Map<RegionInfo, List<R>>> place : places.entrySet()) {
                  call.run(place.getValue(), server(place.getKey()));
                }
                if (!rows.isEmpty()) {
                  throw new IOException(rows.size() + " rows of a batch failed");
                }
                return rows;
              });
        });
  }

  /** Runs {@code work}; forgets the regions' locations if it fails. */
  private <T> T located(Try<T> work) throws IOException {
    try {
      return work.run();
    } catch (IOException e) {
      regions = List.of();
      throw e;
    }
  }

  /** Calls the active master; retries until it answers or {@code patience} is over. */
  <R extends Message> R callMaster(String method, Message request, R prototype, Duration patience)
      throws IOException {
    return retry(
        patience,
        () -> {
          ServerName master =
              zooKeeper().activeMaster().orElseThrow(() -> new IOException("No master is active"));
          return server(master).call("MasterService", method, request, prototype);
        });
  }

  /** Calls a method of a region server's AdminService, once. */
  <R extends Message> R callServer(ServerName server, String method, Message request, R prototype)
      throws IOException {
    return server(server).call("AdminService", method, request, prototype);
  }

  /** Calls a method of a region server's ClientService, once. */
  <R extends Message> R callRegions(ServerName server, String method, Message request, R prototype)
      throws IOException {
    return server(server).call("ClientService", method, request, prototype);
  }

  /** Reads {@code hbase:meta}; retries until it answers or {@code patience} is over. */
  List<RegionRow> readMeta(Duration patience) throws IOException {
    return retry(patience, this::readMeta);
  }

  /** Work that may be repeated. */
  interface Try<T> {
    T run() throws IOException;
  }

  private <T> T retry(Duration patience, Try<T> work) throws IOException {
    long end = machine.clock().nanoTime() + patience.toNanos();
    long pause = PAUSE_MIN;
    while (true) {
      try {
        return work.run();
      } catch (DoNotRetryIOException e) {
        if (!isAboutPlace(e)) {
          failures++;
          throw e;
        }
        later(e, end, pause);
      } catch (IOException e) {
        later(e, end, pause);
      }
      pause = Math.min(PAUSE_MAX, 2 * pause);
    }
  }

  /** Tells whether an error means that another server has the region, as for Apache's client. */
  private static boolean isAboutPlace(IOException e) {
    String name = e.getClass().getSimpleName();
    return e instanceof NotServingRegionException
        || name.contains("RegionServerStopped")
        || name.contains("RegionServerAborted");
  }

  private void later(IOException cause, long end, long pause) throws IOException {
    failures++;
    if (machine.clock().nanoTime() >= end) {
      throw cause;
    }
    machine.clock().park(pause);
  }

  private ClusterState zooKeeper() throws IOException {
    if (parts.zooKeeper().isAway()) {
      throw new IOException("ZooKeeper is away");
    }
    return parts.zooKeeper().state();
  }

  private RegionRow locate(TableName table, byte[] row) throws IOException {
    Optional<RegionRow> known = find(table, row);
    if (known.isEmpty()) {
      regions = readMeta();
      known = find(table, row);
    }
    return known.orElseThrow(
        () ->
            new NotServingRegionException(
                "No region of " + table + " for " + Bytes.toStringBinary(row)));
  }

  private Optional<RegionRow> find(TableName table, byte[] row) {
    return regions.stream()
        .filter(one -> one.region().table().equals(table))
        .filter(one -> !one.region().split() && !one.region().offline())
        .filter(one -> one.region().contains(row))
        .filter(one -> one.server().isPresent())
        .findFirst();
  }

  private List<RegionRow> readMeta() throws IOException {
    ServerName meta =
        zooKeeper().metaLocation().orElseThrow(() -> new IOException("hbase:meta is nowhere"));
    ServerCaller server = server(meta);
    Catalog catalog =
        new Catalog(
            new Catalog.MetaClient() {
              @Override
              public <R extends Message> R call(String method, Message request, R prototype)
                  throws IOException {
                return server.call("ClientService", method, request, prototype);
              }
            },
            machine.clock());
    return new ArrayList<>(catalog.read().regions());
  }

  private ServerCaller server(ServerName name) {
    return new ServerCaller() {
      @Override
      public <R extends Message> R call(String service, String method, Message request, R prototype)
          throws IOException {
        Attempt attempt = new Attempt(method, name, machine.clock().nanoTime(), Optional.empty());
        last = Optional.of(attempt);
        try {
          return caller.call(name.address(), service, method, request, prototype, callTimeout);
        } catch (IOException e) {
          last = Optional.of(attempt.failed(e));
          throw e;
        }
      }
    };
  }
}
