package dev.cairn.server.rpc;

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

  private final SocketChannel channel;
  private final Queue<ByteBuf> responses = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean sending = new AtomicBoolean();
  private volatile boolean closeWhenSent;
  private ByteBuf gathered; // null if there is none; confined to the network thread
  private boolean unflushed; // confined to the network thread

  ResponseSender(SocketChannel channel) {
    this.channel = channel;
  }

  /**
   * Sends a response and takes it over.
   *
   * @param last whether to close the connection behind it
   */
  void send(ByteBuf response, boolean last) {
    responses.add(response);
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
      write(full);
    }
  }

  private void write(ByteBuf response) {
    channel.write(response, channel.voidPromise());
    unflushed = true;
  }

  /** Sends what was written; on the network thread. */
  void flush() {
    writeGathered();
    if (unflushed) {
      unflushed = false;
      channel.flush();
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
    for (ByteBuf next = responses.poll(); next != null; next = responses.poll()) {
      next.release();
    }
  }

  private void sendWaiting() {
    sending.set(false);
    if (!channel.isActive()) {
      releaseWaiting();
      return;
    }
    boolean last = closeWhenSent; // read first: then what was to be the last is among these
    for (ByteBuf next = responses.poll(); next != null; next = responses.poll()) {
      write(next);
    }
    if (last) {
      sendLast(Unpooled.EMPTY_BUFFER);
    } else {
      flush();
    }
  }
}
