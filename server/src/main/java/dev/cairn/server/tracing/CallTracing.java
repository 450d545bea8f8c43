package dev.cairn.server.tracing;

import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** Decides which calls are traced. Thread-safe. Runs on network threads, so it must not block. */
public interface CallTracing {
  /** Traces nothing. */
  CallTracing OFF = traceInfo -> CallTrace.NONE;

  /**
   * Returns the trace of a call that has just come in; {@link CallTrace#NONE} if it is not traced.
   *
   * @param traceInfo the bytes of the caller's {@code RPCTInfo} message, unchecked; may be empty
   */
  CallTrace begin(ByteString traceInfo);
}
