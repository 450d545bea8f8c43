package dev.cairn.server.regionserver.page;

import dev.cairn.server.regionserver.OpenScanners;
import dev.cairn.server.rpc.QueueState;
import dev.cairn.server.rpc.RunningCall;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerTask;
import org.apache.hadoop.hbase.shaded.protobuf.generated.TooSlowLog.SlowLogPayload;

/** A server's activity, for its pages. Thread-safe. */
public interface ServerActivity {
  /** Returns the calls that handlers are answering. */
  List<RunningCall> calls();

  /** Returns the queues of calls. */
  List<QueueState> queues();

  /** Returns the open scanners. */
  List<OpenScanners.State> scanners();

  /** Returns the kept slow and large calls, the latest first. */
  List<SlowLogPayload> slowCalls();

  /** Tells whether slow and large calls are kept at all. */
  boolean keepsSlowCalls();

  /** Returns the compactions that wait or run. */
  List<ServerTask> compactions();

  /** Returns the server's time, milliseconds since 1970. */
  long nowMillis();
}
