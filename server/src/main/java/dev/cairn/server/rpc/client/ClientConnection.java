package dev.cairn.server.rpc.client;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.rpc.wire.CellBlockCodec;
import dev.cairn.server.rpc.wire.ResponseEncoder;
import dev.cairn.server.rpc.wire.RpcErrors;
import dev.cairn.server.rpc.wire.Varint;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.exceptions.ConnectionClosedException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.UserInformation;

/**
 * A client's connection to one service of one server. Calls made before it is open wait for it;
 * when it ends, all unanswered calls fail. Thread-safe.
 */
public final class ClientConnection extends SimpleChannelInboundHandler<ByteBuf> {
  private static final byte[] PREAMBLE = Bytes.utf8("HBas\0P"); // version 0, no authentication

  private final String server;
  private final String service;
  private final CellBlockCodec codec;
  private final String user;
  private Runnable onClose = () -> {};

  // The fields below are guarded by this.
  /**
   * The calls without an answer, by id, in the order of the calls; none is sent before {@link
   * #context} is set.
   */
  private final Map<Integer, ClientCall<?>> pending = new LinkedHashMap<>();

  private volatile ChannelHandlerContext context; // set once; null until connected
  private IOException ended; // null while alive
  private int lastCallId;
  private boolean retired;

  public ClientConnection(String server, String service, CellBlockCodec codec, String user) {
    this.server = server;
    this.service = service;
    this.codec = codec;
    this.user = user;
  }

  /** Sets the action to run when the connection has ended; before the first call. */
  void onClose(Runnable action) {
    this.onClose = action;
  }

  /**
   * Sends a call, at once or when the connection is open. Returns false if the connection takes no
   * more calls.
   */
  public boolean send(ClientCall<?> call) {
    int callId;
    boolean stands;
    synchronized (this) {
      if (ended != null || retired) {
        return false;
      }
      lastCallId = (lastCallId + 1) & Integer.MAX_VALUE;
      callId = lastCallId;
      pending.put(callId, call);
      stands = context != null;
    }
    call.reply().whenComplete((reply, error) -> remove(callId));
    if (stands) {
      write(callId, call);
      context.flush();
    }
    return true;
  }

  /** Ends the connection, connected or not. */
  void close() {
    ChannelHandlerContext open;
    synchronized (this) {
      open = context;
    }
    end(new ConnectionClosedException("The connection to " + server + " was closed"));
    if (open != null) {
      open.close();
    }
  }

  /** Refuses new calls, and ends the connection as soon as no call is pending, connected or not. */
  public void retire() {
    synchronized (this) {
      retired = true;
      if (!pending.isEmpty()) {
        return;
      }
    }
    close();
  }

  /** Tells that no connection could be made. */
  void failed(String why) {
    end(new ConnectException("Cannot connect to " + server + ": " + why));
  }

  /** Ends the connection, because the host answered that no process listens there. */
  void refused(String why) {
    end(new ConnectionRefusedException("Cannot connect to " + server + ": " + why));
  }

  /** Tells whether the connection was ever established. */
  boolean wasConnected() {
    return context != null;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) throws Exception {
    ConnectionHeader.Builder header =
        ConnectionHeader.newBuilder()
            .setUserInfo(UserInformation.newBuilder().setEffectiveUser(user))
            .setServiceName(service);
    if (codec != CellBlockCodec.NONE) {
      header.setCellBlockCodecClass(codec.className());
    }
    byte[] bytes = header.build().toByteArray();
    ctx.write(
        ctx.alloc()
            .buffer(PREAMBLE.length + Integer.BYTES + bytes.length)
            .writeBytes(PREAMBLE)
            .writeInt(bytes.length)
            .writeBytes(bytes));
    Map<Integer, ClientCall<?>> waiting;
    boolean alive;
    synchronized (this) {
      alive = ended == null;
      context = ctx;
      waiting = new LinkedHashMap<>(pending);
    }
    if (!alive) {
      ctx.close();
      return;
    }
    waiting.forEach(this::write);
    ctx.flush();
    super.channelActive(ctx);
  }

  private void write(int callId, ClientCall<?> call) {
    if (call.reply().isDone()) {
      return; // its time was over before the connection stood
    }
    try {
      context.write(call.encode(context.alloc(), callId, codec), context.voidPromise());
    } catch (IOException e) {
      call.fail(e);
    }
  }

  private ClientCall<?> remove(int callId) {
    ClientCall<?> removed;
    boolean last;
    synchronized (this) {
      removed = pending.remove(callId);
      last = retired && removed != null && pending.isEmpty();
    }
    if (last) {
      close();
    }
    return removed;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, ByteBuf frame) throws IOException {
    int length = Varint.read(frame);
    if (length < 0 || length > frame.readableBytes()) {
      throw new IOException("A response header of " + length + " bytes does not fit its frame");
    }
    byte[] bytes = new byte[length];
    frame.readBytes(bytes);
    ResponseHeader header = ResponseHeader.parseFrom(bytes);
    ClientCall<?> answered = remove(header.getCallId());
    if (header.hasException()) {
      IOException error = RpcErrors.decode(header.getException());
      if (answered != null) {
        answered.fail(error);
      } else if (header.getCallId() == ResponseEncoder.NO_CALL) {
        end(error);
        ctx.close();
      }
    } else if (answered != null) {
      answered.succeed(frame, header.getCellBlockMeta().getLength(), codec);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    end(new ConnectionClosedException(server + " closed the connection"));
    super.channelInactive(ctx);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    end(
        new ConnectionClosedException(
            "The connection to " + server + " broke: " + cause.getMessage()));
    ctx.close();
  }

  private void end(IOException error) {
    List<ClientCall<?>> failed = new ArrayList<>();
    synchronized (this) {
      if (ended != null) {
        return;
      }
      ended = error;
      failed.addAll(pending.values());
      pending.clear();
    }
    onClose.run();
    failed.forEach(call -> call.fail(error));
  }
}
