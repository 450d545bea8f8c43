package dev.cairn.bench.limit;

import static dev.cairn.bench.limit.ProtobufWire.readLength;
import static dev.cairn.bench.limit.ProtobufWire.readVarint;

import dev.cairn.engine.cell.Bytes;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection. The requests of one read are answered on the network thread before the
 * next read, with one flush. Malformed input ends the connection.
 */
final class LimitConnection extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(LimitConnection.class);
  private static final int PREAMBLE_LENGTH = 6;
  private static final long REGISTRY_WORD = word("Regist");
  private static final long SIMPLE_WORD = word("HBas\0P"); // version 0, authentication 80
  private static final int NO_CALL = -1;
  private static final int MAX_FRAME = 256 << 20;

  private enum Expecting {
    PREAMBLE,
    HEADER,
    CALL,
    NOTHING
  }

  private final CannedRows rows;
  private final CatalogCalls catalog;
  private final CallCounts counts;
  private Responses responses;
  private DataCalls data;
  private ByteBuf unread; // null if there is nothing
  private Expecting expecting = Expecting.PREAMBLE;

  LimitConnection(CannedRows rows, CatalogCalls catalog, CallCounts counts) {
    this.rows = rows;
    this.catalog = catalog;
    this.counts = counts;
  }

  private static long word(String text) {
    byte[] bytes = new byte[Long.BYTES];
    System.arraycopy(Bytes.utf8(text), 0, bytes, 2, PREAMBLE_LENGTH);
    return Bytes.getLong(bytes, 0);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    responses = new Responses(ctx);
    data = new DataCalls(rows, counts, responses);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws IOException {
    ByteBuf in = (ByteBuf) message;
    if (unread != null) {
      in = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), unread, in);
      unread = null;
    }
    try {
      while (readOne(ctx, in)) {
        // until a part of a frame is left, or nothing
      }
    } finally {
      if (in.isReadable()) {
        unread = in;
      } else {
        in.release();
      }
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    responses.flush();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    responses.release();
    if (unread != null) {
      unread.release();
      unread = null;
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    LOG.warn("The connection from {} is closed", ctx.channel().remoteAddress(), cause);
    ctx.close();
  }

  /** Reads a preamble or a frame, if it is there, and answers it. */
  private boolean readOne(ChannelHandlerContext ctx, ByteBuf in) throws IOException {
    switch (expecting) {
      case PREAMBLE -> {
        if (in.readableBytes() < PREAMBLE_LENGTH) {
          return false;
        }
        readPreamble(ctx, in);
      }
      case HEADER, CALL -> {
        if (in.readableBytes() < Integer.BYTES) {
          return false;
        }
        int length = in.getInt(in.readerIndex());
        if (length < 0 || length > MAX_FRAME) {
          throw new IOException("A frame of " + (length & 0xFFFFFFFFL) + " bytes");
        }
        if (in.readableBytes() - Integer.BYTES < length) {
          return false;
        }
        int end = in.readerIndex() + Integer.BYTES + length;
        in.skipBytes(Integer.BYTES);
        if (expecting == Expecting.CALL) {
          answer(in, end);
        }
        // The connection header says nothing that would change an answer.
        expecting = Expecting.CALL;
        in.readerIndex(end);
      }
      case NOTHING -> {
        in.skipBytes(in.readableBytes());
        return false;
      }
    }
    return in.isReadable();
  }

  private void readPreamble(ChannelHandlerContext ctx, ByteBuf in) throws IOException {
    long word = (long) in.readUnsignedShort() << Integer.SIZE | in.readUnsignedInt();
    if (word == REGISTRY_WORD) {
      responses.message(NO_CALL, catalog.clusterId());
      expecting = Expecting.NOTHING;
    } else if (word == SIMPLE_WORD) {
      expecting = Expecting.HEADER;
    } else {
      throw new IOException("A preamble that has no canned answer: " + Long.toHexString(word));
    }
  }

  /**
   * Answers the call whose header begins at {@code in}'s reader index and that ends at {@code end}.
   */
  private void answer(ByteBuf in, int end) {
    int headerEnd = readLength(in) + in.readerIndex();
    int callId = 0;
    int nameAt = 0;
    int nameLength = 0;
    while (in.readerIndex() < headerEnd) {
      int tag = (int) readVarint(in);
      switch (tag >>> 3) {
        case RequestHeader.CALL_ID_FIELD_NUMBER -> callId = (int) readVarint(in);
        case RequestHeader.METHOD_NAME_FIELD_NUMBER -> {
          nameLength = readLength(in);
          nameAt = in.readerIndex();
          in.skipBytes(nameLength);
        }
        default -> ProtobufWire.skip(in, tag);
      }
    }
    int length = in.readerIndex() < end ? readLength(in) : 0;
    ByteBuf message = in.slice(in.readerIndex(), length);
    // The methods' names, by what tells them from all others that a client calls.
    switch (nameLength > 1 ? in.getShort(nameAt) << 8 | nameLength : 0) {
      case ('G' << 8 | 'e') << 8 | 3 -> {
        if (!CatalogCalls.isForMeta(message)) {
          data.get(callId);
          return;
        }
      }
      case ('S' << 8 | 'c') << 8 | 4 -> {
        if (!CatalogCalls.isForMeta(message)) {
          data.scan(callId, message);
          return;
        }
      }
      case ('M' << 8 | 'u') << 8 | 6 -> {
        data.mutate(callId, message);
        return;
      }
      case ('M' << 8 | 'u') << 8 | 5 -> {
        data.multi(callId, message);
        return;
      }
      default -> {
        // No call about data.
      }
    }
    answerRareCall(callId, in.toString(nameAt, nameLength, StandardCharsets.US_ASCII), message);
  }

  private void answerRareCall(int callId, String method, ByteBuf message) {
    try {
      responses.message(callId, catalog.answer(method, message));
    } catch (IOException e) {
      responses.header(
          ResponseHeader.newBuilder()
              .setCallId(callId)
              .setException(
                  ExceptionResponse.newBuilder()
                      .setExceptionClassName(DoNotRetryIOException.class.getName())
                      .setStackTrace(e.toString())
                      .setDoNotRetry(true))
              .build());
    }
  }
}
