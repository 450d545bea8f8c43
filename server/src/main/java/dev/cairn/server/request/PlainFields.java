package dev.cairn.server.request;

import java.io.IOException;
import org.apache.hbase.thirdparty.com.google.protobuf.WireFormat;

/**
 * What the readers of plain messages share: the tags of fields, and how a reader leaves a message
 * that is more than it can read to protobuf.
 *
 * <p>Source: the encoding of protocol buffers, where a tag is the field's number and its wire type.
 */
final class PlainFields {
  private PlainFields() {}

  /** The message is not a plain one. It has no stack, since it is no error. */
  static final class NotPlainException extends IOException {
    private static final long serialVersionUID = 1;

    @Override
    public synchronized Throwable fillInStackTrace() {
      return this;
    }
  }

  /** Returns the tag of a field that is a message, a text or bytes. */
  static int bytes(int field) {
    return field << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  }

  /** Returns the tag of a field that is a number, a truth value or one of several names. */
  static int number(int field) {
    return field << 3 | WireFormat.WIRETYPE_VARINT;
  }

  /**
   * Goes on with a message that is plain as far as this.
   *
   * @throws NotPlainException if it is not
   */
  static void check(boolean isPlain) throws NotPlainException {
    if (!isPlain) {
      throw new NotPlainException();
    }
  }
}
