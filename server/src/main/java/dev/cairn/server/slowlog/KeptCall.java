package dev.cairn.server.slowlog;

import org.apache.hadoop.hbase.shaded.protobuf.generated.TooSlowLog.SlowLogPayload;

/**
 * A slow or large call that is kept in memory.
 *
 * @param payload the call as clients get it
 * @param phases the parts of its processing
 */
public record KeptCall(SlowLogPayload payload, CallPhases phases) {}
