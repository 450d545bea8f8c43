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
   * @param last whether to close the connection behind it
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
   * network thread. Responses that are made between two flushes lie in one buffer, if they are
   * short: so they cost one write to the system, and one buffer, together.
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

  /** Sends what was written; on the network thread. */
  void flush() {
    writeGathered();
    if (unflushed) {
      unflushed = false;
      channel.flush();
      unread.flushed();
    }
  }

  /**
   * Sends the last response and closes the connection; on the network thread. What the client still
   * sends has to be read and forgotten for a moment: were the socket closed with bytes unread, the
   * system would throw the response away.
   */
  void sendLast(ByteBuf response) {
    writeGathered(); // behind the last response nothing could be sent
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
    boolean last = closeWhenSent; // read first: then what was to be the last is among these
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
