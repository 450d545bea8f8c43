package dev.cairn.server.rpc;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.slowlog.SlowLog;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.net.InetSocketAddress;
import java.util.function.IntFunction;

/**
 * The connection of a {@link ServerCall}: where its response goes, and what all calls of a server
 * share. Thread-safe, except where a method says that only the network thread may call it.
 */
interface CallConnection {
  /** Counts the calls under way, so that a server limits them and can wait for their end. */
  interface UnderWay {
    /** Admits a call to be answered without a handler, until {@link #endInline}. */
    boolean tryBeginInline();

    /** Counts a deferred call until {@link #endInline}. */
    void beginDeferred();

    /** Ends a call that was admitted or counted. */
    void endInline();

    /** The {@code bytes} of one request are not held any more. */
    void finished(int bytes);
  }

  Clock clock();

  UnderWay underWay();

  InetSocketAddress remoteAddress();

  /** Tells whether the client is still connected. */
  boolean isOpen();

  RpcMetrics metrics();

  CallTimers timers();

  /** Hears of a call's failure before it is answered. May throw it again if it ends the server. */
  default void failing(Throwable failure) {}

  /** Returns the timers of the network thread. On the network thread. */
  CallTimers ownTimers();

  SlowLog slowLog();

  MemoryAccount memory();

  ResponseBuffers responseBuffers();

  ByteBufAllocator allocator();

  /**
   * Returns an allocator of a buffer for one more response. The connection sends the response after
   * it has handled all received bytes. On the network thread.
   */
  IntFunction<ByteBuf> roomAfterReading();

  /** Has a task run when all that came in is read, once. On the network thread. */
  void afterReading(Runnable task);

  /**
   * Sends a response and takes it over.
   *
   * @param last whether to close the connection behind it
   * @param lent the bytes that are borrowed from {@link #memory} for it
   */
  void send(ByteBuf response, boolean last, long lent);
}
