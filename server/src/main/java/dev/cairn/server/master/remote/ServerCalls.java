package dev.cairn.server.master.remote;

import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Calls other servers. Thread-safe; a call waits for its answer, but not forever. */
@FunctionalInterface
public interface ServerCalls {
  /**
   * Calls a method of a service.
   *
   * @throws IOException with which the server answered, or because it could not be reached
   */
  <R extends Message> R call(
      ServerName server, String service, String method, Message request, R responsePrototype)
      throws IOException;
}
