package dev.cairn.server.rpc.wire;

import io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * The message of a response as it is sent: protobuf's own, or one that is written for less. One
 * thread.
 */
public interface ResponseBody {
  /** Returns the size of the message in bytes; it does not change after the first call. */
  int size();

  /**
   * Appends the message, {@link #size} bytes.
   *
   * @param out has room for them
   */
  void write(ByteBuf out);

  /** Returns the body of a protobuf message. */
  static ResponseBody of(Message message) {
    return new ResponseBody() {
      @Override
      public int size() {
        return message.getSerializedSize();
      }

      @Override
      public void write(ByteBuf out) {
        FrameEncoder.write(message, size(), out);
      }
    };
  }
}
