package dev.cairn.server.rpc.service;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.server.metrics.Histogram;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** The call that a method answers, without the request message. One thread at a time. */
public interface RpcCall {
  /** Returns the caller's address. */
  InetSocketAddress remoteAddress();

  /**
   * Returns the name of the user that the connection header gave, for the log; not authenticated.
   */
  String user();

  /**
   * Returns the server's {@link dev.cairn.engine.time.Clock#nanoTime} at which the call came in.
   */
  long receivedNanos();

  /**
   * Returns the server's {@link dev.cairn.engine.time.Clock#nanoTime} after which the caller no
   * longer waits; {@link Long#MAX_VALUE} if unknown.
   */
  long deadlineNanos();

  /** Returns the handlers that answer the call; empty on network threads. */
  default Optional<HandlerPool> handlers() {
    return Optional.empty();
  }

  /** Returns the method's budget for the call. */
  CallBudget budget();

  /**
   * Tells whether the response is unwanted: the caller has disconnected, or an operator has ended
   * the call.
   */
  boolean isAbandoned();

  /**
   * Tells how to stop the work of the call. {@code stop} runs once or twice when the call is {@link
   * #isAbandoned abandoned}, on any thread, perhaps after the call's end; it must not wait.
   */
  default void onAbandoned(Runnable stop) {}

  /**
   * Returns the cells that came beside the message, all checked; empty if there were none. Messages
   * that count "associated cells" take them from here in order.
   */
  CellBuffer requestCells();

  /**
   * Borrows memory for what the method makes of the request, if that is far larger than the request
   * itself. Waits for the memory if the call holds little so far. It is given back with the
   * request's own memory. Must not be called on network threads.
   *
   * @throws IOException the error for the client, if the memory does not become free in time or
   *     exceeds the limit
   */
  default void borrowForRequest(long bytes) throws IOException {}

  /**
   * Gives back the memory of the request. A method calls this before it waits for the memory of its
   * response; it must not use the request afterwards.
   */
  default void releaseRequest() {}

  /**
   * Tells whether the caller reads cells beside the response message. If not, they must be put
   * inside it.
   */
  boolean acceptsCellBlock();

  /** Tells whether the caller's codec keeps tags; if not, {@link #setResponseCells} drops them. */
  boolean acceptsTags();

  /**
   * Tells the name of the region that the call concerns, for the record of slow calls. Only needed
   * if the request does not name it.
   */
  default void concerns(ByteString regionName) {}

  /**
   * Has the time of the call recorded when it ends, beside the server's own record of all calls:
   * from the begin of its work to its answer or failure. Replaces an earlier histogram.
   */
  default void timedBy(Histogram times) {}

  /** Returns the version of the caller's client. */
  ClientVersion clientVersion();

  /**
   * Returns an empty buffer for the response's cells; to be asked for once. Another call gets it
   * when this one is answered: what outlives the answer must not lie in it. The buffer borrows
   * memory as it grows; if none is available, appending throws {@link
   * dev.cairn.engine.memory.MemoryShortageException}.
   *
   * @param bytes how many bytes the cells are likely to take
   */
  CellBuffer responseBuffer(int bytes);

  /** Returns the memory of the call's response. */
  CallMemory memory();

  /**
   * Has a task run when all that came in together with this call was read, once however many calls
   * ask for the same one. For calls that are answered on the network thread, which runs it; it must
   * not wait for anything.
   */
  default void afterReading(Runnable task) {
    task.run();
  }

  /** Returns the bytes of the cells that go beside the response message, as set so far. */
  int responseCellBytes();

  /**
   * Runs a task once the answer is on its way. If the connection is closed from then on, it closes
   * after the answer. The task runs on the thread that answers, and must not wait.
   */
  default void afterAnswer(Runnable task) {
    task.run();
  }

  /** Sends {@code cells} beside the response message. Only if {@link #acceptsCellBlock}. */
  void setResponseCells(CellBuffer cells);
}
