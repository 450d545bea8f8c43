package dev.cairn.server.rpc;

import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.LogEntry;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.LogRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Implements {@code GetLogEntries}, which reads any log of a server in HBase's generic format:
 * request and response are serialized messages with the names of their classes, and the class of
 * the request names the log. Thread-safe if the logs are.
 *
 * @param server the kind of server, in the words of an error message
 * @param logs the logs of the server, each with its own class of requests
 */
public record NamedLogs(String server, List<Log<?>> logs) {

  /**
   * One log.
   *
   * @param request an instance of the request's class
   * @param answer returns the requested entries
   */
  public record Log<Q extends Message>(Q request, Function<Q, Message> answer) {
    String name() {
      return request.getClass().getName();
    }

    @SuppressWarnings("unchecked") // A parser creates messages of the class that it comes from.
    Message answer(LogRequest nested) throws DoNotRetryIOException {
      try {
        return answer.apply((Q) request.getParserForType().parseFrom(nested.getLogMessage()));
      } catch (InvalidProtocolBufferException e) {
        throw new DoNotRetryIOException("log_message is no " + name() + ": " + e.getMessage(), e);
      }
    }
  }

  /**
   * Returns the entries of the log that the request names.
   *
   * @throws DoNotRetryIOException if the server has no such log, or if the nested request cannot be
   *     parsed
   */
  public LogEntry find(LogRequest request) throws DoNotRetryIOException {
    Message found = named(request.getLogClassName()).answer(request);
    return LogEntry.newBuilder()
        .setLogClassName(found.getClass().getName())
        .setLogMessage(found.toByteString())
        .build();
  }

  private Log<?> named(String name) throws DoNotRetryIOException {
    return logs.stream()
        .filter(log -> log.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new DoNotRetryIOException(
                    server
                        + " has no log for requests of the class "
                        + name
                        + "; it has logs for "
                        + String.join(", ", logs.stream().map(Log::name).toList())));
  }
}
