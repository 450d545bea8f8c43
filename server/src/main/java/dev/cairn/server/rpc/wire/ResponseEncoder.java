package dev.cairn.server.rpc.wire;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.compile.CompiledApart;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.util.function.IntFunction;
import java.util.function.ObjIntConsumer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.WireFormat;

/** Makes the frames of responses. An error has neither message nor cells. */
public final class ResponseEncoder {
  /** The call id of what answers no call: an error of the connection, a preamble's answer. */
  public static final int NO_CALL = -1;

  // The fields of a ResponseHeader and its CellBlockMeta that successful responses have.
  private static final int CALL_ID = 1 << 3 | WireFormat.WIRETYPE_VARINT;
  private static final int CELL_BLOCK_META = 3 << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  private static final int CELL_BLOCK_LENGTH = 1 << 3 | WireFormat.WIRETYPE_VARINT;

  private ResponseEncoder() {}

  /**
   * Writes a successful response after others, with a header that does not use protobuf's objects,
   * like {@link CallHeader}.
   *
   * @param room gives a buffer that has room for so many bytes more
   * @param cells null if there are none
   * @return the buffer, now with the response at its end
   * @throws IOException if it would be longer than a frame can be
   */
  @CompiledApart("writes an answer")
  public static ByteBuf success(
      IntFunction<ByteBuf> room,
      int callId,
      ResponseBody message,
      CellBuffer cells,
      CellBlockCodec codec)
      throws IOException {
    return success(room, ByteBuf::writerIndex, callId, message, cells, codec);
  }

  /**
   * Returns a successful response in a buffer of its own.
   *
   * @param allocator allocates a buffer for the frame, whose length it receives; may throw to
   *     prevent that
   */
  public static ByteBuf successAlone(
      IntFunction<ByteBuf> allocator,
      int callId,
      ResponseBody message,
      CellBuffer cells,
      CellBlockCodec codec)
      throws IOException {
    return success(allocator, (out, start) -> out.release(), callId, message, cells, codec);
  }

  /**
   * Writes a successful response.
   *
   * @param undo receives the buffer, and where the response starts in it, if writing fails
   */
  private static ByteBuf success(
      IntFunction<ByteBuf> room,
      ObjIntConsumer<ByteBuf> undo,
      int callId,
      ResponseBody message,
      CellBuffer cells,
      CellBlockCodec codec)
      throws IOException {
    boolean beside = cells != null && !cells.isEmpty();
    int messageSize = message.size();
    int cellLength = beside ? FrameEncoder.cellLength(messageSize, cells, codec) : 0;
    int metaSize = beside ? 1 + Varint.size(cellLength) : 0;
    int headerSize = 1 + Varint.size(callId) + (beside ? 2 + metaSize : 0);
    long length =
        1L + headerSize + Varint.size(messageSize) + (long) messageSize + (long) cellLength;
    ByteBuf out = room.apply(FrameEncoder.frameLength(length));
    int start = out.writerIndex();
    boolean whole = false;
    try {
      out.writeInt((int) length);
      out.writeByte(headerSize); // 16 at most
      out.writeByte(CALL_ID);
      Varint.write(out, callId);
      if (beside) {
        out.writeByte(CELL_BLOCK_META);
        out.writeByte(metaSize);
        out.writeByte(CELL_BLOCK_LENGTH);
        Varint.write(out, cellLength);
      }
      Varint.write(out, messageSize);
      message.write(out);
      if (beside) {
        codec.write(cells, out);
      }
      whole = true;
    } finally {
      if (!whole) {
        undo.accept(out, start);
      }
    }
    return out;
  }

  /** Returns an error, as the answer to a call or, under {@link #NO_CALL}, to the connection. */
  public static ByteBuf failure(ByteBufAllocator allocator, int callId, Throwable error) {
    return FrameEncoder.headerOnly(
        allocator,
        ResponseHeader.newBuilder()
            .setCallId(callId)
            .setException(RpcErrors.encode(error))
            .build());
  }
}
