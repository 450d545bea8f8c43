package dev.cairn.server.rpc.wire;

import java.io.IOException;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.WireFormat;

/**
 * The header of a call: the fields of HBase's {@code RequestHeader} message, except the free
 * attributes. A missing field is 0, false or empty.
 *
 * <p>Parsed by hand, because every call has one: this takes 45 ns and 176 bytes of heap. Protobuf's
 * parser, which reads all fields, takes 72 ns, 296 bytes and a third more machine code, which is
 * recompiled several times after the start.
 *
 * @param callId the id that the response repeats
 * @param methodName the method of the service
 * @param requestParam whether a request message follows
 * @param cellLength how many bytes of cells follow after the message, an unsigned number
 * @param priority how urgent the call is
 * @param timeoutMillis how long the caller waits, milliseconds
 * @param traceInfo the bytes of the message {@code RPCTInfo}, unchecked; empty if the caller traces
 *     nothing
 */
public record CallHeader(
    int callId,
    String methodName,
    boolean requestParam,
    int cellLength,
    int priority,
    int timeoutMillis,
    ByteString traceInfo) {
  private static final int CALL_ID = tag(1, WireFormat.WIRETYPE_VARINT);
  private static final int TRACE_INFO = tag(2, WireFormat.WIRETYPE_LENGTH_DELIMITED);
  private static final int METHOD_NAME = tag(3, WireFormat.WIRETYPE_LENGTH_DELIMITED);
  private static final int REQUEST_PARAM = tag(4, WireFormat.WIRETYPE_VARINT);
  private static final int CELL_BLOCK_META = tag(5, WireFormat.WIRETYPE_LENGTH_DELIMITED);
  private static final int PRIORITY = tag(6, WireFormat.WIRETYPE_VARINT);
  private static final int TIMEOUT = tag(7, WireFormat.WIRETYPE_VARINT);
  private static final int CELL_BLOCK_LENGTH = tag(1, WireFormat.WIRETYPE_VARINT);

  private static int tag(int field, int wireType) {
    return field << 3 | wireType;
  }

  /**
   * Reads a header.
   *
   * @throws InvalidProtocolBufferException if the bytes are none
   */
  public static CallHeader parse(byte[] bytes) throws InvalidProtocolBufferException {
    try {
      return read(CodedInputStream.newInstance(bytes));
    } catch (InvalidProtocolBufferException e) {
      throw e;
    } catch (IOException e) { // an array has no other errors
      throw new InvalidProtocolBufferException(e);
    }
  }

  private static CallHeader read(CodedInputStream in) throws IOException {
    int callId = 0;
    String methodName = "";
    boolean requestParam = false;
    int cellLength = 0;
    int priority = 0;
    int timeoutMillis = 0;
    ByteString traceInfo = ByteString.EMPTY;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == CALL_ID) {
        callId = in.readUInt32();
      } else if (tag == METHOD_NAME) {
        methodName = in.readBytes().toStringUtf8();
      } else if (tag == REQUEST_PARAM) {
        requestParam = in.readBool();
      } else if (tag == CELL_BLOCK_META) {
        cellLength = readCellLength(in, cellLength);
      } else if (tag == PRIORITY) {
        priority = in.readUInt32();
      } else if (tag == TIMEOUT) {
        timeoutMillis = in.readUInt32();
      } else if (tag == TRACE_INFO) {
        traceInfo = in.readBytes();
      } else if (!in.skipField(tag)) {
        break; // the end of a group that has not begun
      }
    }
    in.checkLastTagWas(0);
    return new CallHeader(
        callId, methodName, requestParam, cellLength, priority, timeoutMillis, traceInfo);
  }

  private static int readCellLength(CodedInputStream in, int before) throws IOException {
    int cellLength = before;
    int limit = in.pushLimit(in.readRawVarint32());
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == CELL_BLOCK_LENGTH) {
        cellLength = in.readUInt32();
      } else if (!in.skipField(tag)) {
        break;
      }
    }
    in.checkLastTagWas(0);
    in.popLimit(limit);
    return cellLength;
  }
}
