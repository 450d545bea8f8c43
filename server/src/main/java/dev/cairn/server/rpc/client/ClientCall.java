package dev.cairn.server.rpc.client;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.server.rpc.wire.CellBlockCodec;
import dev.cairn.server.rpc.wire.FrameEncoder;
import dev.cairn.server.rpc.wire.Varint;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** One call that a {@link RpcClient} makes: from the request to the reply. */
public final class ClientCall<R extends Message> {

  /**
   * An answer with the cells that came beside it.
   *
   * @param message the response message
   * @param cells the cells; empty if there were none
   */
  public record RpcReply<R>(R message, CellBuffer cells) {}

  /** The priority of calls between servers, above those of users: HBase's HIGH_QOS. */
  private static final int PRIORITY = 200;

  private final String method;
  private final Message request;
  private final CellBuffer cells; // null if the connection has no codec
  private final R responsePrototype;
  private final Duration timeout;
  private final CompletableFuture<RpcReply<R>> reply = new CompletableFuture<>();

  public ClientCall(
      String method, Message request, CellBuffer cells, R responsePrototype, Duration timeout) {
    this.method = method;
    this.request = request;
    this.cells = cells;
    this.responsePrototype = responsePrototype;
    this.timeout = timeout;
  }

  String method() {
    return method;
  }

  Duration timeout() {
    return timeout;
  }

  public CompletableFuture<RpcReply<R>> reply() {
    return reply;
  }

  /** Returns the request's frame. */
  ByteBuf encode(ByteBufAllocator allocator, int callId, CellBlockCodec codec) throws IOException {
    RequestHeader.Builder header =
        RequestHeader.newBuilder()
            .setCallId(callId)
            .setMethodName(method)
            .setRequestParam(true)
            .setPriority(PRIORITY)
            .setTimeout((int) Math.max(1, Math.min(Integer.MAX_VALUE, timeout.toMillis())));
    if (cells == null || cells.isEmpty()) {
      return FrameEncoder.frame(allocator::buffer, header.build(), request, 0);
    }
    int cellLength = FrameEncoder.cellLength(request.getSerializedSize(), cells, codec);
    header.setCellBlockMeta(CellBlockMeta.newBuilder().setLength(cellLength));
    ByteBuf out = FrameEncoder.frame(allocator::buffer, header.build(), request, cellLength);
    codec.write(cells, out);
    return out;
  }

  /** Completes with the message at {@code frame}'s position, and the cells after it. */
  void succeed(ByteBuf frame, int cellLength, CellBlockCodec codec) {
    try {
      int length = Varint.read(frame);
      if (length < 0 || cellLength < 0 || length > frame.readableBytes() - (long) cellLength) {
        throw new IOException("The response to " + method + " is malformed");
      }
      byte[] bytes = new byte[length];
      frame.readBytes(bytes);
      @SuppressWarnings("unchecked") // a message parses its own kind
      R message = (R) responsePrototype.getParserForType().parseFrom(bytes);
      CellBuffer replyCells = cellLength > 0 ? codec.read(frame, cellLength) : new CellBuffer(0, 0);
      reply.complete(new RpcReply<>(message, replyCells));
    } catch (IOException e) {
      fail(e);
    } catch (IllegalArgumentException e) {
      fail(new IOException("The response to " + method + " is malformed: " + e.getMessage(), e));
    }
  }

  public void fail(IOException error) {
    reply.completeExceptionally(error);
  }
}
