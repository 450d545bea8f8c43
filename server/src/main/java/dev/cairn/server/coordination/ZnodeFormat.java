package dev.cairn.server.coordination;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.catalog.Messages;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * The bytes of HBase's znodes.
 *
 * <pre>
 *   0xFF | int idLength | id (idLength bytes) | PBUF | protobuf message
 * </pre>
 *
 * The id names the writer of the znode; readers skip it. A znode may also hold the prefix and
 * message alone. Source: the contents that HBase's {@code RecoverableZooKeeper} leaves in
 * ZooKeeper.
 */
final class ZnodeFormat {
  private static final byte MARK = (byte) 0xFF;

  private ZnodeFormat() {}

  /** Returns the bytes of a znode that {@code writer} wrote. */
  static byte[] encode(String writer, Message message) {
    byte[] id = Bytes.utf8(writer);
    byte[] head = new byte[1 + Integer.BYTES + id.length];
    head[0] = MARK;
    Bytes.putInt(head, 1, id.length);
    System.arraycopy(id, 0, head, 1 + Integer.BYTES, id.length);
    return Bytes.concat(head, Messages.prefixed(message));
  }

  /**
   * Returns the message's bytes.
   *
   * @throws IOException naming the znode, if the bytes have another form
   */
  static byte[] decode(byte[] bytes, String znode) throws IOException {
    if (bytes.length == 0 || bytes[0] != MARK) {
      return Messages.unprefixed(bytes, "The znode " + znode);
    }
    int idLength = bytes.length < 1 + Integer.BYTES ? -1 : Bytes.getInt(bytes, 1);
    int begin = 1 + Integer.BYTES + idLength;
    if (idLength < 0 || begin > bytes.length || begin < 0) {
      throw new IOException("The znode " + znode + " is cut off within its writer's id");
    }
    return Messages.unprefixed(
        Arrays.copyOfRange(bytes, begin, bytes.length), "The znode " + znode);
  }
}
