package dev.cairn.server.regionserver;

import dev.cairn.server.rpc.RpcCall;
import dev.cairn.server.slowlog.SlowLog;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ClearSlowLogResponseRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ClearSlowLogResponses;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponseRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponseRequest.LogType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponses;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.LogEntry;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.LogRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/** Returns and clears the kept slow and large calls of this server. Any number of threads. */
record SlowLogCalls(SlowLog slowLog) {
  SlowLogResponses slow(RpcCall call, SlowLogResponseRequest request) {
    return found(request.toBuilder().setLogType(LogType.SLOW_LOG).build());
  }

  SlowLogResponses large(RpcCall call, SlowLogResponseRequest request) {
    return found(request.toBuilder().setLogType(LogType.LARGE_LOG).build());
  }

  ClearSlowLogResponses clear(RpcCall call, ClearSlowLogResponseRequest request) {
    return ClearSlowLogResponses.newBuilder().setIsCleaned(slowLog.clear()).build();
  }

  /**
   * Returns the kept calls in HBase's generic log format, where request and response are nested
   * messages with the names of their classes.
   */
  LogEntry entries(RpcCall call, LogRequest request) throws DoNotRetryIOException {
    String expected = SlowLogResponseRequest.class.getName();
    if (!request.getLogClassName().equals(expected)) {
      throw new DoNotRetryIOException(
          "A region server has no log for requests of the class "
              + request.getLogClassName()
              + "; it has one for "
              + expected);
    }
    SlowLogResponseRequest wanted;
    try {
      wanted = SlowLogResponseRequest.parseFrom(request.getLogMessage());
    } catch (InvalidProtocolBufferException e) {
      throw new DoNotRetryIOException("log_message is no " + expected + ": " + e.getMessage(), e);
    }
    return LogEntry.newBuilder()
        .setLogClassName(SlowLogResponses.class.getName())
        .setLogMessage(found(wanted).toByteString())
        .build();
  }

  private SlowLogResponses found(SlowLogResponseRequest request) {
    return SlowLogResponses.newBuilder().addAllSlowLogPayloads(slowLog.find(request)).build();
  }
}
