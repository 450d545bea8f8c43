package dev.cairn.server.rpc;

import dev.cairn.server.rpc.wire.Varint;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A connection in memory for one call of a caller in the same process. The calling thread does the
 * work of the handler.
 */
abstract class MemoryConnection implements CallConnection, CallConnection.UnderWay {
  /** Allocates buffers that are never released: the garbage collector frees them. */
  private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(false, true);

  private final CompletableFuture<Optional<ByteBuf>> response = new CompletableFuture<>();

  /** Returns a request as {@link ServerCall} reads it. */
  static ByteBuf frame(byte[] request, byte[] cells) {
    ByteBuf frame = Unpooled.buffer(Varint.size(request.length) + request.length + cells.length);
    Varint.write(frame, request.length);
    return frame.writeBytes(request).writeBytes(cells);
  }

  /** Returns the response when there is one; empty if the call ends without an answer. */
  final CompletableFuture<Optional<ByteBuf>> response() {
    return response;
  }

  @Override
  public UnderWay underWay() {
    return this;
  }

  @Override
  public boolean tryBeginInline() {
    return true;
  }

  @Override
  public void beginDeferred() {}

  @Override
  public void endInline() {}

  /** The call is over, perhaps without an answer. */
  @Override
  public void finished(int bytes) {
    response.complete(Optional.empty());
  }

  @Override
  public InetSocketAddress remoteAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
  }

  @Override
  public CallTimers ownTimers() {
    return timers();
  }

  @Override
  public ByteBufAllocator allocator() {
    return HEAP;
  }

  @Override
  public void send(ByteBuf frame, boolean last, long lent) {
    memory().giveBack(lent);
    response.complete(Optional.of(frame));
  }
}
