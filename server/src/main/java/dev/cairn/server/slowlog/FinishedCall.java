package dev.cairn.server.slowlog;

import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * The facts of one call that was answered.
 *
 * @param service the service's name, for example {@code ClientService}
 * @param method the method's name, for example {@code Get}
 * @param message the request message as it came; empty if it is not kept, because it was long
 * @param region the name of the region, if the method has told it; most requests name it themselves
 * @param user the user's name
 * @param client the client's address and port
 * @param startMillis when the work on the call began, milliseconds since 1970
 * @param queueMillis the time before that, in a queue
 * @param processingNanos the time of the work
 * @param responseBytes the length of the response message and its cells
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
    long responseBytes) {}
