package dev.cairn.server.regionserver.admin;

import dev.cairn.server.rpc.service.RpcMethod.BlockingHandler;
import java.io.IOException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Listens to events of a region server as a whole, and may refuse them. Called by handlers, which
 * it may block. Thread-safe.
 */
public interface ServerEvents {
  /** Ignores all events. */
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

  /** Tells whether it listens to an event. The answer must not change. */
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
   * @throws IOException the call fails with this exception, but its effect stands
   */
  default void after(Event event, Message answer) throws IOException {}

  /**
   * Called once before the server stops, unless it aborts.
   *
   * @throws IOException refuses a stop that a call asks for; other stops go on
   */
  default void beforeStop(String reason) throws IOException {}

  /**
   * Returns a handler that calls {@link #before} and {@link #after} around another one; the other
   * one itself if nothing listens to the event.
   */
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
