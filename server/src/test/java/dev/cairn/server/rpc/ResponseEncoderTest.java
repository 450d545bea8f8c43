package dev.cairn.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.rpc.wire.CellBlockCodec;
import dev.cairn.server.rpc.wire.ResponseBody;
import dev.cairn.server.rpc.wire.ResponseEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.reflect.Proxy;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.Test;

class ResponseEncoderTest {
  /** A message that says how long it is, but fails when it is written. */
  private static final Message FAILING =
      (Message)
          Proxy.newProxyInstance(
              ResponseEncoderTest.class.getClassLoader(),
              new Class<?>[] {Message.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("getSerializedSize")) {
                  return 10;
                }
                throw new IllegalStateException("fails in the middle");
              });

  @Test
  void aResponseThatCannotBeWrittenLeavesNoBufferBehind() {
    ByteBuf given = Unpooled.buffer();
    assertThatThrownBy(
            () ->
                ResponseEncoder.successAlone(
                    length -> given, 1, ResponseBody.of(FAILING), null, CellBlockCodec.NONE))
        .hasMessage("fails in the middle");
    assertThat(given.refCnt()).isZero();
  }

  @Test
  void aResponseThatCannotBeWrittenIsTakenFromBehindOthers() {
    ByteBuf shared = Unpooled.buffer().writeInt(7);
    assertThatThrownBy(
            () ->
                ResponseEncoder.success(
                    room -> shared, 1, ResponseBody.of(FAILING), null, CellBlockCodec.NONE))
        .hasMessage("fails in the middle");
    assertThat(shared.refCnt()).isEqualTo(1);
    assertThat(shared.readableBytes()).isEqualTo(Integer.BYTES);
    shared.release();
  }
}
