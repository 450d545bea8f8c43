package dev.cairn.server.rpc;

import dev.cairn.server.rpc.wire.Varint;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;

/** The answer to a call of a caller in the same process. */
public sealed interface CallAnswer {
  /**
   * The method has answered.
   *
   * @param message the encoded response message
   * @param cells the cell block that belongs to it
   */
  record Response(byte[] message, byte[] cells) implements CallAnswer {}

  /** The method has failed. */
  record Failure(ExceptionResponse error) implements CallAnswer {}

  /** Reads the frame that a server sends. */
  static CallAnswer decode(ByteBuf frame) {
    try {
      frame.skipBytes(Integer.BYTES);
      ResponseHeader header = ResponseHeader.parseFrom(delimited(frame));
      if (header.hasException()) {
        return new Failure(header.getException());
      }
      byte[] message = delimited(frame);
      byte[] cells = new byte[frame.readableBytes()];
      frame.readBytes(cells);
      return new Response(message, cells);
    } catch (IOException e) {
      throw new AssertionError("The server has sent something else than a response", e);
    }
  }

  private static byte[] delimited(ByteBuf frame) {
    byte[] bytes = new byte[Varint.read(frame)];
    frame.readBytes(bytes);
    return bytes;
  }
}
