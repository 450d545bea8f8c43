package dev.cairn.server.process;

import dev.cairn.engine.storage.Storage.BytesRead;
import dev.cairn.server.metrics.Metric;
import dev.cairn.server.metrics.Metric.Unit;
import dev.cairn.server.metrics.MetricRecord;
import dev.cairn.server.rpc.RpcServer;
import java.util.Map;
import java.util.Optional;

/** Adds the calls and reads of a region server to its record, as HBase names them. Stateless. */
final class ServerTotals {
  private static final Map<String, String> METHODS =
      Map.of(
          "Get", "rpcGetRequestCount",
          "Multi", "rpcMultiRequestCount",
          "Mutate", "rpcMutateRequestCount",
          "Scan", "rpcScanRequestCount");

  private ServerTotals() {}

  /**
   * Adds the values.
   *
   * @param read the bytes read from HDFS; empty on a local disk
   */
  static void collect(RpcServer rpc, Optional<BytesRead> read, MetricRecord.Builder to) {
    to.add(Metric.counter("totalRequestCount", "Calls that came in."), rpc.snapshot().requests());
    Map<String, Long> calls = rpc.callCounts();
    METHODS.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            method ->
                to.add(
                    Metric.counter(
                        method.getValue(), "Calls of the method " + method.getKey() + "."),
                    calls.getOrDefault(method.getKey(), 0L)));
    BytesRead bytes = read.orElse(BytesRead.NONE);
    to.add(
            bytes("totalBytesRead", "Bytes read from HDFS.").as("hdfs_read"),
            bytes.local() + bytes.remote())
        .add(
            bytes("localBytesRead", "Bytes read from HDFS on this machine.").as("hdfs_local_read"),
            bytes.local())
        .add(
            bytes("shortCircuitBytesRead", "Bytes read from HDFS's files without its server.")
                .as("hdfs_short_circuit_read"),
            bytes.shortCircuit());
  }

  private static Metric bytes(String name, String help) {
    return Metric.counter(name, Unit.BYTES, help);
  }
}
