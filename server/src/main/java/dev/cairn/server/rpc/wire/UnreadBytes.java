package dev.cairn.server.rpc.wire;

import dev.cairn.engine.compile.CompiledApart;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.Optional;
import org.apache.hadoop.hbase.ipc.FatalConnectionException;

/**
 * The unread bytes of a connection, and the frames in them: {@code int length | bytes}. Nothing is
 * allocated for a length that is merely announced: memory grows with the bytes that arrive.
 * Confined to the network thread.
 */
public final class UnreadBytes {
  private final ByteBufAllocator allocator;
  private ByteBuf bytes = Unpooled.EMPTY_BUFFER;
  private int frameLength; // with the length itself, of the frame that is coming in; 0 if unknown

  public UnreadBytes(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  /** Returns the bytes; the caller moves the reader index. */
  public ByteBuf bytes() {
    return bytes;
  }

  /** Returns how many bytes there are. */
  public int size() {
    return bytes.readableBytes();
  }

  /**
   * Returns the buffer for the next bytes: after the present ones, if there are any, so that the
   * parts of a long request need not be put together. Then {@link #append} is given the same
   * buffer, or it is released. Grows by doubling, up to the size of the frame, so that earlier
   * bytes are copied about once.
   *
   * <p>The buffer is always writable: the network receives as many bytes as are writable, and takes
   * none at all for the end of the connection.
   *
   * @param usual how many bytes there should be room for at least, if a larger buffer is needed
   */
  public Optional<ByteBuf> room(int usual) {
    if (!bytes.isReadable()) {
      return Optional.empty();
    }
    int size = bytes.readableBytes();
    int missing = Math.max(1, frameLength - size);
    if (bytes.refCnt() > 1 || missing > bytes.maxFastWritableBytes()) {
      int needed = (int) Math.min(frameLength, size * 2L);
      moveTo(allocator.directBuffer(Math.max(needed, Math.addExact(size, usual))));
    } else {
      bytes.ensureWritable(missing); // in place: the pool's buffer may be larger than requested
    }
    return Optional.of(bytes.retain());
  }

  /**
   * Appends what arrived, and takes it over. Grows by doubling, up to what the frame needs, so that
   * a long request is copied about once.
   */
  @CompiledApart("passed once for all that arrives together")
  public void append(ByteBuf arrived) {
    if (arrived == bytes) {
      arrived.release(); // it was received where it belongs
      return;
    }
    if (!bytes.isReadable()) {
      bytes.release();
      bytes = arrived;
      return;
    }
    try {
      if (bytes.refCnt() > 1 || arrived.readableBytes() > bytes.maxFastWritableBytes()) {
        int total = bytes.readableBytes() + arrived.readableBytes();
        moveTo(allocator.buffer(Math.max(total, (int) Math.min(frameLength, total * 2L))));
      }
      bytes.writeBytes(arrived);
    } finally {
      arrived.release();
    }
  }

  private void moveTo(ByteBuf larger) {
    larger.writeBytes(bytes);
    bytes.release();
    bytes = larger;
  }

  /** Gives the buffer back if all of it is read. */
  public void settle() {
    if (!bytes.isReadable()) {
      release();
    }
  }

  /** Drops the unread bytes. */
  public void release() {
    bytes.release();
    bytes = Unpooled.EMPTY_BUFFER;
  }

  /** Tells whether the length of the next frame is there. */
  public boolean hasLength() {
    return bytes.readableBytes() >= Integer.BYTES;
  }

  /** Returns the length of the next frame, which has arrived. */
  public long length() {
    return bytes.getUnsignedInt(bytes.readerIndex());
  }

  /**
   * Reads the length of the next frame if the whole frame has arrived; otherwise makes room for the
   * rest.
   *
   * @return the length; -1 if the frame is not complete
   * @throws FatalConnectionException if the frame is, or will be, longer than {@code maxLength}
   */
  public int takeLength(int maxLength) throws FatalConnectionException {
    if (!hasLength()) {
      return -1;
    }
    long length = length();
    if (length > maxLength) {
      throw new FatalConnectionException(
          "A frame of " + length + " bytes; at most " + maxLength + " are allowed here");
    }
    frameLength = Integer.BYTES + (int) length;
    if (bytes.readableBytes() < frameLength) {
      return -1;
    }
    frameLength = 0;
    return bytes.readInt();
  }
}
