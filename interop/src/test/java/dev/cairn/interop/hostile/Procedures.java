package dev.cairn.interop.hostile;

import dev.cairn.interop.waiting.Eventually;
import dev.cairn.server.process.Endpoints;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProcedureResultRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProcedureResultResponse;

/** Waits for what the master was asked to do. */
final class Procedures {
  private Procedures() {}

  /** Returns once the procedure has ended, well or not; fails if it does not. */
  static void await(CairnServer server, long id) throws IOException {
    Endpoints endpoints = server.endpoints();
    byte[] request = GetProcedureResultRequest.newBuilder().setProcId(id).build().toByteArray();
    try (WireConnection connection =
        new WireConnection(endpoints.master().host(), endpoints.master().port(), "MasterService")) {
      Eventually.holds(
          () ->
              GetProcedureResultResponse.parseFrom(
                          connection.call("getProcedureResult", request, new byte[0]).message())
                      .getState()
                  != GetProcedureResultResponse.State.RUNNING,
          "procedure " + id + " ends");
    }
  }
}
