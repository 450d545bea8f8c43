package dev.cairn.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.UserInformation;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** A client that writes the protocol byte by byte, right or wrong. */
final class RawConnection implements AutoCloseable {
  static final String KEY_VALUE = "org.apache.hadoop.hbase.codec.KeyValueCodec";
  static final String WITH_TAGS = "org.apache.hadoop.hbase.codec.KeyValueCodecWithTags";

  static final String FATAL = "org.apache.hadoop.hbase.ipc.FatalConnectionException";

  private final Socket socket;
  final DataOutputStream out;
  final DataInputStream in;

  /** A response, as it came. */
  record Response(ResponseHeader header, byte[] message, byte[] cells) {}

  RawConnection(InetSocketAddress address) throws IOException {
    socket = new Socket("localhost", address.getPort());
    socket.setSoTimeout(20_000);
    socket.setTcpNoDelay(true);
    out = new DataOutputStream(socket.getOutputStream());
    in = new DataInputStream(socket.getInputStream());
  }

  RawConnection preamble(String magic, int version, int auth) throws IOException {
    out.write(Bytes.utf8(magic));
    out.write(version);
    out.write(auth);
    return this;
  }

  RawConnection header(String service, String codec) throws IOException {
    ConnectionHeader.Builder header =
        ConnectionHeader.newBuilder()
            .setUserInfo(UserInformation.newBuilder().setEffectiveUser("alice"))
            .setServiceName(service);
    if (!codec.isEmpty()) {
      header.setCellBlockCodecClass(codec);
    }
    return header(header.build());
  }

  RawConnection header(ConnectionHeader header) throws IOException {
    byte[] bytes = header.toByteArray();
    out.writeInt(bytes.length);
    out.write(bytes);
    return this;
  }

  /** A connection that has said hello. */
  static RawConnection open(InetSocketAddress address, String service, String codec)
      throws IOException {
    return new RawConnection(address).preamble("HBas", 0, 80).header(service, codec);
  }

  static RequestHeader.Builder call(int id, String method) {
    return RequestHeader.newBuilder().setCallId(id).setMethodName(method).setRequestParam(true);
  }

  void send(RequestHeader.Builder header, Message message, byte[] cells) throws IOException {
    if (cells.length > 0) {
      header.setCellBlockMeta(CellBlockMeta.newBuilder().setLength(cells.length));
    }
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    header.build().writeDelimitedTo(frame);
    message.writeDelimitedTo(frame);
    frame.write(cells);
    sendFrame(frame.toByteArray());
  }

  void send(RequestHeader.Builder header, Message message) throws IOException {
    send(header, message, Bytes.EMPTY);
  }

  void sendFrame(byte[] frame) throws IOException {
    out.writeInt(frame.length);
    out.write(frame);
    out.flush();
  }

  Response read() throws IOException {
    byte[] frame = new byte[in.readInt()];
    in.readFully(frame);
    CodedInputStream coded = CodedInputStream.newInstance(frame);
    ResponseHeader header = ResponseHeader.parseFrom(ByteString.copyFrom(coded.readByteArray()));
    byte[] message = header.hasException() ? Bytes.EMPTY : coded.readByteArray();
    byte[] cells = coded.readRawBytes(frame.length - coded.getTotalBytesRead());
    return new Response(header, message, cells);
  }

  /** Waits for the server to close the connection; true if it sent nothing more before. */
  boolean ended() throws IOException {
    return in.read() < 0;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** Fails unless the server names an error next, and ends the connection. */
  void assertFatal(String className, String text) throws IOException {
    ExceptionResponse error = read().header().getException();
    assertThat(error.getExceptionClassName()).isEqualTo(className);
    assertThat(error.getStackTrace()).contains(text);
    assertThat(error.getDoNotRetry()).isTrue();
    assertThat(ended()).isTrue();
  }

  /** Returns the bytes of a cell block. */
  static byte[] block(List<Cell> cells, boolean withTags) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(bytes);
    for (Cell cell : cells) {
      byte[] laid = new byte[cell.serializedLength(withTags)];
      cell.writeTo(laid, 0, withTags);
      data.writeInt(laid.length);
      data.write(laid);
    }
    return bytes.toByteArray();
  }
}
