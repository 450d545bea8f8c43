package dev.cairn.server.rpc;

import dev.cairn.engine.memory.MemoryAccount;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.SocketChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sends the responses of one connection. Handlers hand them over without waiting; the network
 * thread is woken once for all that are ready by then, and sends them together. Thread-safe.
 */
final class ResponseSender {
  private static final long LINGER_SECONDS = 1;
  private static final int GATHERED_BYTES = 16 << 10; // ten rows of 1 KB; pools hold such buffers

  /**
   * A response that waits to be written.
   *
   * @param loan the bytes that are borrowed for it until the operating system has taken it
   */
  private record Waiting(ByteBuf frame, long loan) {}

  private final SocketChannel channel;
  private final MemoryAccount account;
  private final UnreadResponses unread;
  private final Queue<Waiting> responses = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean sending = new AtomicBoolean();
  private volatile boolean closeWhenSent;
  private ByteBuf gathered; // null if there is none; confined to the network thread
  private boolean unflushed; // confined to the network thread

  ResponseSender(SocketChannel channel, MemoryAccount account, int unreadMillis) {
    this.channel = channel;
    this.account = account;
    this.unread = new UnreadResponses(channel, account, unreadMillis);
  }

  /**
   * Sends a response and takes it over.
   *
   * @param last whether to close the connection after it
   * @param loan the bytes that are borrowed for it; given back when it is sent
   */
  void send(ByteBuf response, boolean last, long loan) {
    responses.add(new Waiting(response, loan));
    if (last) {
      closeWhenSent = true;
    }
    if (sending.compareAndSet(false, true)) {
      try {
        channel.eventLoop().execute(this::sendWaiting);
      } catch (RejectedExecutionException e) { // the network threads have ended
        releaseWaiting();
      }
    }
  }

  /**
   * Returns a buffer for one more response of so many bytes, which {@link #flush} sends; on the
   * network thread. Short responses between two flushes share one buffer, and so cost one write to
   * the system together.
   */
  ByteBuf room(int bytes) {
    if (gathered == null || gathered.writableBytes() < bytes) {
      writeGathered();
      gathered = channel.alloc().directBuffer(Math.max(bytes, GATHERED_BYTES));
    }
    return gathered;
  }

  private void writeGathered() {
    if (gathered != null) {
      ByteBuf full = gathered;
      gathered = null;
      write(full, 0);
    }
  }

  private void write(ByteBuf response, long loan) {
    if (loan == 0) {
      channel.write(response, channel.voidPromise());
    } else {
      channel.write(response).addListener(sent -> account.giveBack(loan));
    }
    unread.written();
    unflushed = true;
  }

  /** Sends the written responses; on the network thread. */
  void flush() {
    writeGathered();
    if (unflushed) {
      unflushed = false;
      channel.flush();
      unread.flushed();
    }
  }

  /**
   * Sends the last response and closes the connection; on the network thread. Further bytes of the
   * client are read and dropped for a moment: if the socket were closed with unread bytes, the
   * system would discard the response.
   */
  void sendLast(ByteBuf response) {
    writeGathered(); // nothing could be sent after the last response
    channel
        .writeAndFlush(response)
        .addListener(
            (ChannelFutureListener)
                sent -> {
                  if (sent.isSuccess()) {
                    channel.shutdownOutput();
                    channel
                        .eventLoop()
                        .schedule(() -> channel.close(), LINGER_SECONDS, TimeUnit.SECONDS);
                  } else {
                    channel.close();
                  }
                });
  }

  /** Gives back the responses that will not be sent, because the connection has ended. */
  void releaseWaiting() {
    for (Waiting next = responses.poll(); next != null; next = responses.poll()) {
      next.frame().release();
      account.giveBack(next.loan());
    }
  }

  /** Gives back all loans, when the connection has ended. On the network thread. */
  void close() {
    flush(); // releases the gathered responses
    releaseWaiting();
    unread.close();
  }

  private void sendWaiting() {
    sending.set(false);
    if (!channel.isActive()) {
      releaseWaiting();
      return;
    }
    boolean last = closeWhenSent; // read first: then the former last one is among these
    for (Waiting next = responses.poll(); next != null; next = responses.poll()) {
      write(next.frame(), next.loan());
    }
    if (last) {
      sendLast(Unpooled.EMPTY_BUFFER);
    } else {
      flush();
    }
  }
}
