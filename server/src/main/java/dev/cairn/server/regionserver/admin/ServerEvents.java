package dev.cairn.server.regionserver.admin;

import dev.cairn.server.rpc.service.RpcMethod.BlockingHandler;
import java.io.IOException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Hears of what happens to a region server as a whole, and may refuse it. Called by handlers, which
 * it may hold. Thread-safe.
 */
public interface ServerEvents {
  /** Hears of nothing. */
  ServerEvents NONE =
      new ServerEvents() {
        @Override
        public boolean hears(Event event) {
          return false;
        }
      };

  /** The calls of {@code AdminService} that are events. */
  enum Event {
    /** Another log file is requested. */
    ROLL_LOG,
    /** The queued compactions are dropped. */
    CLEAR_COMPACTIONS,
    /** The block cache of regions is emptied. */
    CLEAR_CACHE,
    /** The master orders the opening or closing of regions, or other work. */
    EXECUTE_PROCEDURES,
    /** The settings are read again. */
    UPDATE_SETTINGS
  }

  /** Tells whether it hears of an event; asked once. */
  boolean hears(Event event);

  /**
   * Called before an event.
   *
   * @throws IOException refuses the call; nothing has changed
   */
  default void before(Event event) throws IOException {}

  /**
   * Called after an event that has not failed.
   *
   * @param answer the answer to the caller
   * @throws IOException is the answer of the call, whose effect stands
   */
  default void after(Event event, Message answer) throws IOException {}

  /**
   * Called once before the server stops, unless it aborts.
   *
   * @throws IOException refuses a stop that a call asks for; other stops go on
   */
  default void beforeStop(String reason) throws IOException {}

  /** Returns a handler that is called between the two calls of an event, if it is heard. */
  default <Q, R extends Message> BlockingHandler<Q, R> around(
      Event event, BlockingHandler<Q, R> handler) {
    if (!hears(event)) {
      return handler;
    }
    return (call, request) -> {
      before(event);
      R answer = handler.handle(call, request);
      after(event, answer);
      return answer;
    };
  }
}
