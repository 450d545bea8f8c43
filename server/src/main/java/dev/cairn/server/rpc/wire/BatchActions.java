package dev.cairn.server.rpc.wire;

import io.netty.buffer.ByteBuf;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;

/**
 * Finds mutations in the unparsed message of a {@code Multi}. Runs on the network thread, so it
 * allocates nothing, skips the contents of all actions, and ends after {@value #STEPS_MAX} actions.
 */
public final class BatchActions {
  /** The maximum number of actions and groups of actions that are examined. */
  public static final int STEPS_MAX = 1_000;

  /** Returned in place of the steps that are left. */
  private static final int FOUND = -1;

  private static final int TYPE_BITS = 3;
  private static final int TYPE_MASK = (1 << TYPE_BITS) - 1;

  // The types of fields that protobuf encodes.
  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int DELIMITED = 2;
  private static final int FIXED_32 = 5;

  /** The fields on the way from the message to an action's mutation. */
  private static final int[] PATH = {
    MultiRequest.REGIONACTION_FIELD_NUMBER,
    RegionAction.ACTION_FIELD_NUMBER,
    Action.MUTATION_FIELD_NUMBER
  };

  private BatchActions() {}

  /**
   * Tells whether the {@code MultiRequest} at the position of {@code frame} has a mutation among
   * its first {@value #STEPS_MAX} actions and groups of actions. Later mutations are not found. The
   * search ends where a message is malformed.
   *
   * @param frame positioned at the message, which its length precedes; the position does not change
   */
  public static boolean hasMutation(ByteBuf frame) {
    int begin = frame.readerIndex();
    int limit = frame.writerIndex();
    try {
      int length = Varint.read(frame);
      return length >= 0
          && length <= frame.readableBytes()
          && search(frame, length, 0, STEPS_MAX) == FOUND;
    } finally {
      frame.setIndex(begin, limit);
    }
  }

  /**
   * Searches a message of {@code length} bytes, {@code depth} fields down the path.
   *
   * @return how many of {@code steps} are left, or {@link #FOUND}
   */
  private static int search(ByteBuf in, int length, int depth, int steps) {
    int end = in.readerIndex() + length;
    int left = steps;
    while (in.readerIndex() < end) {
      int tag = Varint.read(in);
      if (tag < 0) {
        return left;
      }
      int type = tag & TYPE_MASK;
      if (type != DELIMITED) {
        if (!skip(in, type)) {
          return left;
        }
        continue;
      }
      int size = Varint.read(in);
      if (size < 0 || size > end - in.readerIndex()) {
        return left;
      }
      int next = in.readerIndex() + size;
      if (tag >>> TYPE_BITS == PATH[depth]) {
        if (depth == PATH.length - 1) {
          return FOUND;
        }
        if (left == 0) {
          return 0;
        }
        left = search(in, size, depth + 1, left - 1);
        if (left == FOUND) {
          return FOUND;
        }
      }
      in.readerIndex(next);
    }
    return left;
  }

  /** Skips a field of a type without a length; false if there is no such field. */
  private static boolean skip(ByteBuf in, int type) {
    switch (type) {
      case VARINT -> {
        while (in.isReadable()) {
          if (in.readByte() >= 0) {
            return true;
          }
        }
        return false;
      }
      case FIXED_64 -> {
        return skipBytes(in, Long.BYTES);
      }
      case FIXED_32 -> {
        return skipBytes(in, Integer.BYTES);
      }
      default -> {
        return false;
      }
    }
  }

  private static boolean skipBytes(ByteBuf in, int bytes) {
    if (in.readableBytes() < bytes) {
      return false;
    }
    in.skipBytes(bytes);
    return true;
  }
}
