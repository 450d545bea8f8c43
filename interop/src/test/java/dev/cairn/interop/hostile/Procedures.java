package dev.cairn.interop.hostile;

import dev.cairn.server.process.Endpoints;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProcedureResultRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProcedureResultResponse;

/** Waits for what the master was asked to do. */
final class Procedures {
  private static final long LIMIT_NANOS = 30_000_000_000L;

  private Procedures() {}

  /** Returns once the procedure has ended, well or not; fails if it does not. */
  static void await(CairnServer server, long id) throws IOException {
    Endpoints endpoints = server.endpoints();
    byte[] request = GetProcedureResultRequest.newBuilder().setProcId(id).build().toByteArray();
    long end = System.nanoTime() + LIMIT_NANOS;
    try (WireConnection connection =
        new WireConnection(endpoints.master().host(), endpoints.master().port(), "MasterService")) {
      while (GetProcedureResultResponse.parseFrom(
                  connection.call("getProcedureResult", request, new byte[0]).message())
              .getState()
          == GetProcedureResultResponse.State.RUNNING) {
        if (System.nanoTime() > end) {
          throw new AssertionError("Procedure " + id + " does not end");
        }
        LockSupport.parkNanos(1_000_000);
      }
    }
  }
}
