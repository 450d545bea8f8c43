package dev.cairn.server.request;

import static dev.cairn.server.request.RegionActionsReader.ACTION;
import static dev.cairn.server.request.RegionActionsReader.ATOMIC;
import static dev.cairn.server.request.RegionActionsReader.INDEX;
import static dev.cairn.server.request.RegionActionsReader.MUTATION;
import static dev.cairn.server.request.RegionActionsReader.REGION;

import dev.cairn.engine.region.write.Mutation.Durability;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;

/**
 * Reads the actions of one region in a {@code Multi} into arrays, if all are puts with their cells
 * beside the message, as in clients' batches. The result is empty if the message has an unknown
 * field, a condition, an attribute or a value; {@link RegionActionsReader} then reads the actions.
 */
final class PutGroupReader extends MessageReader {
  private static final int ROW = bytes(MutationProto.ROW_FIELD_NUMBER);
  private static final int TYPE = number(MutationProto.MUTATE_TYPE_FIELD_NUMBER);
  private static final int TIMESTAMP = number(MutationProto.TIMESTAMP_FIELD_NUMBER);
  private static final int DURABILITY = number(MutationProto.DURABILITY_FIELD_NUMBER);
  private static final int CELLS = number(MutationProto.ASSOCIATED_CELL_COUNT_FIELD_NUMBER);
  private static final int NONCE = number(MutationProto.NONCE_FIELD_NUMBER);

  private final int offset;
  private final int length;
  private final PutArrays arrays;
  private int size;
  private int durability;
  private long mutationBytes;

  PutGroupReader(byte[] message, int offset, int length, PutArrays arrays) {
    super(message, offset, length);
    this.offset = offset;
    this.length = length;
    this.arrays = arrays;
  }

  Optional<RegionActions> message() throws IOException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == ACTION) {
        int limit = begin();
        if (!readPut()) {
          return Optional.empty();
        }
        in.popLimit(limit);
      } else if (tag == REGION) {
        region();
      } else if (tag != ATOMIC || in.readBool()) {
        return Optional.empty();
      }
    }
    MutationProto.Durability asked = MutationProto.Durability.forNumber(durability);
    return hasRegion() && size > 0 && asked != null
        ? Optional.of(group(MutationTerms.durability(asked)))
        : Optional.empty();
  }

  private RegionActions group(Durability asked) throws IOException {
    PutGroup puts =
        new PutGroup(
            message,
            offset,
            length,
            asked,
            Arrays.copyOf(arrays.indexes, size),
            Arrays.copyOf(arrays.ends, size),
            Arrays.copyOf(arrays.rowOffsets, size),
            Arrays.copyOf(arrays.rowLengths, size),
            mutationBytes);
    return new RegionActions(
        regionName(), hasEncodedName(), false, Optional.empty(), Optional.of(puts), List.of());
  }

  /** Reads an action into the arrays' next slots; false if it is not a plain put. */
  private boolean readPut() throws IOException {
    arrays.reserve(size);
    int index = 0;
    int mutations = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == INDEX) {
        index = in.readUInt32();
      } else if (tag == MUTATION) {
        int bytes = in.readRawVarint32();
        int limit = in.pushLimit(bytes);
        if (!readMutation()) {
          return false;
        }
        in.popLimit(limit);
        mutationBytes += bytes;
        mutations++;
      } else {
        return false;
      }
    }
    arrays.indexes[size++] = index;
    return mutations == 1;
  }

  private boolean readMutation() throws IOException {
    int row = -1;
    int rowLength = 0;
    int type = -1;
    int count = 0;
    int putDurability = MutationProto.Durability.USE_DEFAULT_VALUE;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == ROW) {
        rowLength = in.readRawVarint32();
        row = skip(rowLength);
      } else if (tag == TYPE) {
        type = in.readEnum();
      } else if (tag == CELLS) {
        count = in.readInt32();
      } else if (tag == DURABILITY) {
        putDurability = in.readEnum();
      } else if (tag == TIMESTAMP || tag == NONCE) {
        in.readUInt64(); // cells have timestamps of their own, and puts may be made twice
      } else {
        return false;
      }
    }
    long end = (size == 0 ? 0L : arrays.ends[size - 1]) + count;
    boolean isLikeOthers = size == 0 || putDurability == durability;
    durability = putDurability;
    arrays.ends[size] = (int) end;
    arrays.rowOffsets[size] = row;
    arrays.rowLengths[size] = rowLength;
    return row >= 0
        && type == MutationType.PUT_VALUE
        && count > 0
        && end <= Integer.MAX_VALUE
        && isLikeOthers;
  }

  /** Arrays that hold the puts of one group at a time. One thread. */
  static final class PutArrays {
    int[] indexes = new int[16];
    int[] ends = new int[16];
    int[] rowOffsets = new int[16];
    int[] rowLengths = new int[16];

    /** Makes room for a put after {@code size} others. */
    void reserve(int size) {
      if (size == indexes.length) {
        indexes = Arrays.copyOf(indexes, size * 2);
        ends = Arrays.copyOf(ends, size * 2);
        rowOffsets = Arrays.copyOf(rowOffsets, size * 2);
        rowLengths = Arrays.copyOf(rowLengths, size * 2);
      }
    }
  }
}
