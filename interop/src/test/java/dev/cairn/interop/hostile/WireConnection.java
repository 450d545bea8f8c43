package dev.cairn.interop.hostile;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.UserInformation;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;

/**
 * A connection to one service that sends what it is given, right or wrong, one call at a time. Not
 * thread-safe.
 */
final class WireConnection implements AutoCloseable {
  static final String CODEC = "org.apache.hadoop.hbase.codec.KeyValueCodec";
  private static final int TIMEOUT_MILLIS = 30_000;

  private final Socket socket;
  private final DataOutputStream out;
  private final DataInputStream in;
  private int callId;

  /** What came back: an error, or a message and the cells beside it. */
  record Answer(int callId, Optional<ExceptionResponse> error, byte[] message, byte[] cells) {}

  /** Connects to {@code service} on a port of this machine. */
  WireConnection(String host, int port, String service) throws IOException {
    socket = new Socket(host, port);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
    out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    in = new DataInputStream(socket.getInputStream());
    out.write("HBas".getBytes(StandardCharsets.US_ASCII));
    out.write(new byte[] {0, 80});
    byte[] header =
        ConnectionHeader.newBuilder()
            .setUserInfo(UserInformation.newBuilder().setEffectiveUser("mallory"))
            .setServiceName(service)
            .setCellBlockCodecClass(CODEC)
            .build()
            .toByteArray();
    out.writeInt(header.length);
    out.write(header);
    out.flush();
  }

  /**
   * Calls a method with a message and cells beside it.
   *
   * @throws IOException if the connection ends, or nothing comes back in time
   */
  Answer call(String method, byte[] message, byte[] cells) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    varint(message.length, body);
    body.writeBytes(message);
    body.writeBytes(cells);
    return call(method, cells.length, body.toByteArray());
  }

  /**
   * Calls a method with a body as it is.
   *
   * @param cellLength how many bytes of the body the header says are cells
   */
  Answer call(String method, int cellLength, byte[] body) throws IOException {
    int id = send(method, cellLength, body);
    out.flush();
    Answer answer = read();
    if (answer.callId() != id && answer.error().isEmpty()) {
      throw new EOFException("An answer to call " + answer.callId() + ", not to " + id);
    }
    return answer;
  }

  /** Sends a message, with the next {@link #flush} at the latest, and returns the call's number. */
  int send(String method, byte[] message) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    varint(message.length, body);
    body.writeBytes(message);
    return send(method, 0, body.toByteArray());
  }

  /** Sends what waits. */
  void flush() throws IOException {
    out.flush();
  }

  private int send(String method, int cellLength, byte[] body) throws IOException {
    RequestHeader.Builder header =
        RequestHeader.newBuilder()
            .setCallId(++callId)
            .setMethodName(method)
            .setRequestParam(true)
            .setTimeout(TIMEOUT_MILLIS);
    if (cellLength != 0) {
      header.setCellBlockMeta(CellBlockMeta.newBuilder().setLength(cellLength));
    }
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    header.build().writeDelimitedTo(frame);
    frame.writeBytes(body);
    out.writeInt(frame.size());
    frame.writeTo(out);
    return callId;
  }

  /** Reads the next answer. */
  Answer read() throws IOException {
    byte[] frame = new byte[in.readInt()];
    in.readFully(frame);
    CodedInputStream coded = CodedInputStream.newInstance(frame);
    ResponseHeader header = ResponseHeader.parseFrom(coded.readByteArray());
    if (header.hasException()) {
      return new Answer(
          header.getCallId(), Optional.of(header.getException()), new byte[0], new byte[0]);
    }
    byte[] message = coded.readByteArray();
    byte[] cells = coded.readRawBytes(frame.length - coded.getTotalBytesRead());
    return new Answer(header.getCallId(), Optional.empty(), message, cells);
  }

  private static void varint(int value, ByteArrayOutputStream out) {
    int left = value;
    while ((left & ~0x7F) != 0) {
      out.write(left & 0x7F | 0x80);
      left >>>= 7;
    }
    out.write(left);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
