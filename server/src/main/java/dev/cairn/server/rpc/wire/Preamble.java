package dev.cairn.server.rpc.wire;

import dev.cairn.engine.cell.Bytes;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.apache.hadoop.hbase.ipc.BadAuthException;
import org.apache.hadoop.hbase.ipc.FatalConnectionException;
import org.apache.hadoop.hbase.ipc.WrongVersionException;

/**
 * The first six bytes of a connection: {@code HBas}, version 0, and the client's authentication
 * method. Since 2.6, two other words of six bytes may come instead, which ask for one answer.
 *
 * <p>Format: the reference guide's chapter on RPC; the two words are {@code RpcClient}'s constants.
 */
public enum Preamble {
  /** A client that does not authenticate: the only kind that an open server serves. */
  SIMPLE,
  /** A client that wants to authenticate through SASL; the answer is that this is not needed. */
  SASL,
  /** Asks for the cluster's id; the connection ends with the answer. */
  REGISTRY,
  /** Asks for the server's Kerberos principal; the real preamble follows. */
  SECURITY;

  /** Bytes of every preamble. */
  public static final int LENGTH = 6;

  private static final byte[] MAGIC = Bytes.utf8("HBas");
  private static final byte[] REGISTRY_WORD = Bytes.utf8("Regist");
  private static final byte[] SECURITY_WORD = Bytes.utf8("Securi");
  private static final byte VERSION = 0;
  private static final byte AUTH_SIMPLE = 80;
  private static final byte AUTH_KERBEROS = 81;
  private static final byte AUTH_DIGEST = 82;

  /**
   * Reads a preamble.
   *
   * @throws FatalConnectionException if it is none of a client that this server understands
   */
  public static Preamble read(ByteBuf in) throws FatalConnectionException {
    byte[] bytes = new byte[LENGTH];
    in.readBytes(bytes);
    if (Arrays.equals(bytes, REGISTRY_WORD)) {
      return REGISTRY;
    }
    if (Arrays.equals(bytes, SECURITY_WORD)) {
      return SECURITY;
    }
    if (!Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw notHBase(bytes);
    }
    byte version = bytes[MAGIC.length];
    byte auth = bytes[MAGIC.length + 1];
    if (version != VERSION) {
      throw new WrongVersionException(
          "serverVersion=" + VERSION + ", clientVersion=" + version + ", authMethod=" + auth);
    }
    return switch (auth) {
      case AUTH_SIMPLE -> SIMPLE;
      case AUTH_KERBEROS, AUTH_DIGEST -> SASL;
      default ->
          throw new BadAuthException(
              "serverVersion=" + VERSION + ", clientVersion=" + version + ", authMethod=" + auth);
    };
  }

  /** Returns the error for a connection that does not begin as one of HBase's clients does. */
  static FatalConnectionException notHBase(byte[] received) {
    return new FatalConnectionException(
        "Expected HEADER=HBas but received HEADER="
            + Bytes.toStringBinary(received, 0, Math.min(MAGIC.length, received.length))
            + "; this port speaks HBase's RPC");
  }
}
