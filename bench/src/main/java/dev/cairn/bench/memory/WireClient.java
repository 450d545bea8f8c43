package dev.cairn.bench.memory;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.UserInformation;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * A connection to {@code ClientService} that needs little memory: it discards the data that it
 * sends and receives. One call at a time; not thread-safe.
 */
final class WireClient implements AutoCloseable {
  private static final String CODEC = "org.apache.hadoop.hbase.codec.KeyValueCodec";
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final int MESSAGE_MAX = 1 << 20;

  private final Socket socket = new Socket();
  private final DataOutputStream out;
  private final DataInputStream in;
  private int callId;

  /**
   * A response.
   *
   * @param error the simple name of the exception's class, if any
   * @param message the response message, if it is short; else empty
   * @param bytes the length of the response
   */
  record Answer(Optional<String> error, byte[] message, int bytes) {}

  WireClient(InetSocketAddress address) throws IOException {
    socket.connect(address, TIMEOUT_MILLIS);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
    out = new DataOutputStream(socket.getOutputStream());
    in = new DataInputStream(socket.getInputStream());
    ByteArrayOutputStream hello = new ByteArrayOutputStream();
    hello.writeBytes("HBas".getBytes(StandardCharsets.US_ASCII));
    hello.writeBytes(new byte[] {0, 80});
    byte[] header =
        ConnectionHeader.newBuilder()
            .setUserInfo(UserInformation.newBuilder().setEffectiveUser("bench"))
            .setServiceName("ClientService")
            .setCellBlockCodecClass(CODEC)
            .build()
            .toByteArray();
    out.write(hello.toByteArray());
    out.writeInt(header.length);
    out.write(header);
  }

  /** Calls a method and waits for the response. */
  Answer call(String method, Message message, byte[] cells) throws IOException {
    send(method, message, cells);
    return read();
  }

  /** Calls a method without cells. */
  Answer call(String method, Message message) throws IOException {
    return call(method, message, new byte[0]);
  }

  /** Sends a call. */
  void send(String method, Message message, byte[] cells) throws IOException {
    RequestHeader.Builder header =
        RequestHeader.newBuilder()
            .setCallId(++callId)
            .setMethodName(method)
            .setRequestParam(true)
            .setTimeout(TIMEOUT_MILLIS);
    if (cells.length > 0) {
      header.setCellBlockMeta(CellBlockMeta.newBuilder().setLength(cells.length));
    }
    ByteArrayOutputStream begin = new ByteArrayOutputStream();
    header.build().writeDelimitedTo(begin);
    message.writeDelimitedTo(begin);
    out.writeInt(begin.size() + cells.length);
    begin.writeTo(out);
    out.write(cells);
  }

  /** Waits for the next response. */
  Answer read() throws IOException {
    int length = in.readInt();
    int headerLength = readVarint();
    byte[] bytes = in.readNBytes(headerLength);
    ResponseHeader header = ResponseHeader.parseFrom(bytes);
    int rest = length - headerLength - varintSize(headerLength);
    byte[] message = new byte[0];
    if (!header.hasException() && rest > 0) {
      int messageLength = readVarint();
      rest -= varintSize(messageLength);
      if (messageLength <= MESSAGE_MAX) {
        message = in.readNBytes(messageLength);
        rest -= messageLength;
      }
    }
    in.skipNBytes(rest);
    Optional<String> error = Optional.empty();
    if (header.hasException()) {
      String name = header.getException().getExceptionClassName();
      error = Optional.of(name.substring(name.lastIndexOf('.') + 1));
    }
    return new Answer(error, message, length);
  }

  private int readVarint() throws IOException {
    int value = 0;
    for (int shift = 0; ; shift += 7) {
      int next = in.readUnsignedByte();
      value |= (next & 0x7F) << shift;
      if (next < 0x80) {
        return value;
      }
    }
  }

  private static int varintSize(int value) {
    return (Integer.SIZE - Integer.numberOfLeadingZeros(value | 1) + 6) / 7;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
