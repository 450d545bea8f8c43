package dev.cairn.server.regionserver.page;

import dev.cairn.server.quota.Throttles.ThrottleInForce;
import dev.cairn.server.regionserver.client.OpenScanners;
import dev.cairn.server.rpc.QueueState;
import dev.cairn.server.rpc.RunningCall;
import dev.cairn.server.slowlog.SlowLog.KeptCall;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerTask;

/** A server's activity, for its pages. Thread-safe. */
public interface ServerActivity {
  /** Returns the calls that handlers are answering. */
  List<RunningCall> calls();

  /** Returns the queues of calls. */
  List<QueueState> queues();

  /** Returns the open scanners. */
  List<OpenScanners.State> scanners();

  /**
   * Ends an open scanner.
   *
   * @return whether there is one of that id
   */
  boolean endScanner(long id);

  /**
   * Ends a running call.
   *
   * @param client its client's address and port
   * @return whether there is such a call that can be ended
   */
  boolean endCall(String client, int id);

  /** Returns the kept slow and large calls, the latest first. */
  List<KeptCall> slowCalls();

  /** Tells whether slow and large calls are kept. */
  boolean keepsSlowCalls();

  /** Returns the compactions that wait or run. */
  List<ServerTask> compactions();

  /** Returns the limits on requests that are in force. */
  List<ThrottleInForce> throttles();

  /** Returns the server's time, milliseconds since 1970. */
  long nowMillis();
}
