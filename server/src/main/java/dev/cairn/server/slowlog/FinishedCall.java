package dev.cairn.server.slowlog;

import dev.cairn.engine.time.PhaseTimes;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * The facts about one finished call.
 *
 * @param service the service's name, for example {@code ClientService}
 * @param method the method's name, for example {@code Get}
 * @param message the request message as received; empty if it was too long to keep
 * @param region the name of the region, if the method set it; most requests name it themselves
 * @param user the user's name
 * @param client the client's address and port
 * @param startMillis when the processing began, milliseconds since 1970; if a queue interrupted the
 *     processing, later by the time in the queue
 * @param queueMillis the time in a queue, before the processing or between two parts of it
 * @param processingNanos the time of the processing, without the queue
 * @param responseBytes the length of the response message and its cells
 * @param phases the waits of the processing; no longer changed
 */
public record FinishedCall(
    String service,
    String method,
    Optional<byte[]> message,
    Optional<ByteString> region,
    String user,
    String client,
    long startMillis,
    long queueMillis,
    long processingNanos,
    long responseBytes,
    PhaseTimes phases) {
  /** Returns the name of the region that the call concerns; empty if there is none. Parses. */
  public String regionName() {
    return CallDescription.of(this).regionName();
  }
}
