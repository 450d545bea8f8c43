package dev.cairn.server.regionserver.admin;

import dev.cairn.server.rpc.NamedLogs;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.slowlog.SlowLog;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ClearSlowLogResponseRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ClearSlowLogResponses;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponseRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponseRequest.LogType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponses;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.LogEntry;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.LogRequest;

/** Returns and clears the kept slow and large calls of this server. Any number of threads. */
public record SlowLogCalls(SlowLog slowLog) {
  SlowLogResponses slow(RpcCall call, SlowLogResponseRequest request) {
    return found(request.toBuilder().setLogType(LogType.SLOW_LOG).build());
  }

  SlowLogResponses large(RpcCall call, SlowLogResponseRequest request) {
    return found(request.toBuilder().setLogType(LogType.LARGE_LOG).build());
  }

  ClearSlowLogResponses clear(RpcCall call, ClearSlowLogResponseRequest request) {
    return ClearSlowLogResponses.newBuilder().setIsCleaned(slowLog.clear()).build();
  }

  /** Returns the kept calls in HBase's generic format. */
  LogEntry entries(RpcCall call, LogRequest request) throws DoNotRetryIOException {
    return new NamedLogs(
            "A region server",
            List.of(new NamedLogs.Log<>(SlowLogResponseRequest.getDefaultInstance(), this::found)))
        .find(request);
  }

  private SlowLogResponses found(SlowLogResponseRequest request) {
    return SlowLogResponses.newBuilder().addAllSlowLogPayloads(slowLog.find(request)).build();
  }
}
