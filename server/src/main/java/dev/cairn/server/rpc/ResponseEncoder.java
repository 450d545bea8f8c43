package dev.cairn.server.rpc;

import dev.cairn.engine.cell.CellBuffer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.util.function.IntFunction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Makes the frames of responses. An error has neither message nor cells. */
final class ResponseEncoder {
  /** The call id of what answers no call: an error of the connection, a preamble's answer. */
  static final int NO_CALL = -1;

  private ResponseEncoder() {}

  /**
   * Writes a successful response.
   *
   * @param room gives a buffer that has room for so many bytes more
   * @param cells null if there are none
   * @return the buffer, now with the response at its end
   * @throws IOException if it would be longer than a frame can be
   */
  static ByteBuf success(
      IntFunction<ByteBuf> room,
      int callId,
      Message message,
      CellBuffer cells,
      CellBlockCodec codec)
      throws IOException {
    ResponseHeader.Builder header = ResponseHeader.newBuilder().setCallId(callId);
    if (cells == null || cells.isEmpty()) {
      return FrameEncoder.frame(room, header.build(), message, 0);
    }
    int cellLength = FrameEncoder.cellLength(message, cells, codec);
    header.setCellBlockMeta(CellBlockMeta.newBuilder().setLength(cellLength));
    ByteBuf out = FrameEncoder.frame(room, header.build(), message, cellLength);
    codec.write(cells, out);
    return out;
  }

  /** Returns an error, as the answer to a call or, under {@link #NO_CALL}, to the connection. */
  static ByteBuf failure(ByteBufAllocator allocator, int callId, Throwable error) {
    return FrameEncoder.headerOnly(
        allocator,
        ResponseHeader.newBuilder()
            .setCallId(callId)
            .setException(RpcErrors.encode(error))
            .build());
  }
}
