package dev.cairn.server.rpc;

import dev.cairn.server.rpc.service.RpcServices;
import dev.cairn.server.rpc.wire.Preamble;
import dev.cairn.server.rpc.wire.UnreadBytes;
import io.netty.buffer.ByteBuf;
import org.apache.hadoop.hbase.ipc.FatalConnectionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * The beginning of a connection: a preamble, a token if the client wants to authenticate, and the
 * connection header. Confined to the network thread.
 */
final class Handshake {
  private static final int MAX_FRAME = 1 << 20;

  /** The next step after a part of it was read. */
  sealed interface Step {
    /** More bytes are needed. */
    record Incomplete() implements Step {}

    /** The client asks whether it may authenticate: tell it to go on without. */
    record SwitchToSimple() implements Step {}

    /** The client asks for the cluster's id, and nothing else. */
    record AskForRegistry() implements Step {}

    /** The client asks for the server's principal, and begins again. */
    record AskForSecurity() implements Step {}

    /** Another part follows. */
    record GoOn() implements Step {}

    /** Calls follow. */
    record Done(ConnectionInfo info, ConnectionHeader header) implements Step {}
  }

  private enum Expecting {
    PREAMBLE,
    SASL_TOKEN,
    HEADER
  }

  private final RpcServices services;
  private Expecting expecting = Expecting.PREAMBLE;

  Handshake(RpcServices services) {
    this.services = services;
  }

  /**
   * Reads the next part.
   *
   * @throws FatalConnectionException if it is none of a client that this server serves
   */
  Step read(UnreadBytes in) throws FatalConnectionException {
    return switch (expecting) {
      case PREAMBLE -> readPreamble(in.bytes());
      case SASL_TOKEN -> readSaslToken(in);
      case HEADER -> readHeader(in);
    };
  }

  private Step readPreamble(ByteBuf in) throws FatalConnectionException {
    if (in.readableBytes() < Preamble.LENGTH) {
      return new Step.Incomplete();
    }
    return switch (Preamble.read(in)) {
      case SIMPLE -> {
        expecting = Expecting.HEADER;
        yield new Step.GoOn();
      }
      case SASL -> {
        // The client continues without SASL if its configuration allows that, but has sent its
        // first token by then.
        expecting = Expecting.SASL_TOKEN;
        yield new Step.SwitchToSimple();
      }
      case REGISTRY -> new Step.AskForRegistry();
      case SECURITY -> new Step.AskForSecurity();
    };
  }

  private Step readSaslToken(UnreadBytes in) throws FatalConnectionException {
    int length = in.takeLength(MAX_FRAME);
    if (length < 0) {
      return new Step.Incomplete();
    }
    in.bytes().skipBytes(length);
    expecting = Expecting.HEADER;
    return new Step.GoOn();
  }

  private Step readHeader(UnreadBytes in) throws FatalConnectionException {
    int length = in.takeLength(MAX_FRAME);
    if (length < 0) {
      return new Step.Incomplete();
    }
    byte[] bytes = new byte[length];
    in.bytes().readBytes(bytes);
    try {
      ConnectionHeader header = ConnectionHeader.parseFrom(bytes);
      return new Step.Done(ConnectionInfo.of(header, services), header);
    } catch (InvalidProtocolBufferException e) {
      throw new FatalConnectionException(
          "The connection header cannot be parsed: " + e.getMessage(), e);
    }
  }
}
