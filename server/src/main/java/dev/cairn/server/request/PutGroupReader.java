package dev.cairn.server.request;

import static dev.cairn.server.request.PlainFields.bytes;
import static dev.cairn.server.request.PlainFields.check;
import static dev.cairn.server.request.PlainFields.number;

import dev.cairn.engine.region.Mutation.Durability;
import dev.cairn.server.request.PlainFields.NotPlainException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * Reads the message of a {@code Multi} that has nothing but puts whose cells came beside it, as
 * clients send them in batches, into arrays. Any other message it leaves to protobuf: one with a
 * field that it does not know, with a condition, an attribute or a value inside, or one that is
 * malformed. Used once.
 *
 * <p>Format: the messages {@code MultiRequest}, {@code RegionAction}, {@code Action} and {@code
 * MutationProto} of HBase's {@code Client.proto}.
 */
final class PutGroupReader {
  private static final int GROUP = bytes(MultiRequest.REGIONACTION_FIELD_NUMBER);
  private static final int NONCE_GROUP = number(MultiRequest.NONCEGROUP_FIELD_NUMBER);
  private static final int REGION = bytes(RegionAction.REGION_FIELD_NUMBER);
  private static final int ATOMIC = number(RegionAction.ATOMIC_FIELD_NUMBER);
  private static final int ACTION = bytes(RegionAction.ACTION_FIELD_NUMBER);
  private static final int INDEX = number(Action.INDEX_FIELD_NUMBER);
  private static final int MUTATION = bytes(Action.MUTATION_FIELD_NUMBER);
  private static final int ROW = bytes(MutationProto.ROW_FIELD_NUMBER);
  private static final int TYPE = number(MutationProto.MUTATE_TYPE_FIELD_NUMBER);
  private static final int TIMESTAMP = number(MutationProto.TIMESTAMP_FIELD_NUMBER);
  private static final int DURABILITY = number(MutationProto.DURABILITY_FIELD_NUMBER);
  private static final int CELLS = number(MutationProto.ASSOCIATED_CELL_COUNT_FIELD_NUMBER);
  private static final int NONCE = number(MutationProto.NONCE_FIELD_NUMBER);

  private final byte[] message;
  private final CodedInputStream in;

  // Of the group that is being read.
  private int size;
  private int durability;
  private int[] indexes = new int[16];
  private int[] ends = new int[16];
  private int[] rowOffsets = new int[16];
  private int[] rowLengths = new int[16];
  private long mutationBytes;

  private PutGroupReader(byte[] message) {
    this.message = message;
    this.in = CodedInputStream.newInstance(message);
  }

  /** Reads a message; empty if it is not one of puts alone, or none at all. */
  static Optional<List<PutGroup>> read(byte[] message) {
    try {
      return Optional.of(new PutGroupReader(message).groups());
    } catch (NotPlainException | InvalidProtocolBufferException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new AssertionError("An array has no other errors", e);
    }
  }

  private List<PutGroup> groups() throws IOException {
    List<PutGroup> groups = new ArrayList<>();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == GROUP) {
        int limit = in.pushLimit(in.readRawVarint32());
        groups.add(group());
        in.popLimit(limit);
      } else if (tag == NONCE_GROUP) {
        in.readUInt64(); // only counters and appends have numbers
      } else {
        throw new NotPlainException();
      }
    }
    check(!groups.isEmpty());
    return groups;
  }

  private PutGroup group() throws IOException {
    int from = in.getTotalBytesRead();
    RegionSpecifier region = null;
    size = 0;
    mutationBytes = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == ACTION) {
        int limit = in.pushLimit(in.readRawVarint32());
        action();
        in.popLimit(limit);
      } else if (tag == REGION) {
        check(region == null);
        region = RegionSpecifier.parseFrom(in.readByteArray());
      } else if (tag == ATOMIC) {
        check(!in.readBool());
      } else {
        throw new NotPlainException();
      }
    }
    check(region != null && size > 0);
    return new PutGroup(
        message,
        from,
        in.getTotalBytesRead(),
        region,
        durability(),
        Arrays.copyOf(indexes, size),
        Arrays.copyOf(ends, size),
        Arrays.copyOf(rowOffsets, size),
        Arrays.copyOf(rowLengths, size),
        mutationBytes);
  }

  private Durability durability() throws NotPlainException {
    MutationProto.Durability asked = MutationProto.Durability.forNumber(durability);
    check(asked != null);
    return MutationTerms.durability(asked);
  }

  private void action() throws IOException {
    int index = 0;
    boolean found = false;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == INDEX) {
        index = in.readUInt32();
      } else if (tag == MUTATION) {
        check(!found);
        found = true;
        int length = in.readRawVarint32();
        int limit = in.pushLimit(length);
        put();
        in.popLimit(limit);
        mutationBytes += length;
      } else {
        throw new NotPlainException();
      }
    }
    check(found);
    indexes[size++] = index;
  }

  /** Reads a put into the arrays' next places. */
  private void put() throws IOException {
    makeRoom();
    int row = -1;
    int type = -1;
    int count = 0;
    int safety = MutationProto.Durability.USE_DEFAULT_VALUE;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == ROW) {
        int length = in.readRawVarint32();
        row = in.getTotalBytesRead();
        in.skipRawBytes(length);
        rowLengths[size] = length;
      } else if (tag == TYPE) {
        type = in.readEnum();
      } else if (tag == CELLS) {
        count = in.readInt32();
      } else if (tag == DURABILITY) {
        safety = in.readEnum();
      } else if (tag == TIMESTAMP || tag == NONCE) {
        in.readUInt64(); // cells have timestamps of their own, and puts may be made twice
      } else {
        throw new NotPlainException();
      }
    }
    long end = (size == 0 ? 0L : ends[size - 1]) + count;
    check(row >= 0 && type == MutationType.PUT_VALUE && count > 0 && end <= Integer.MAX_VALUE);
    check(size == 0 || safety == durability);
    durability = safety;
    rowOffsets[size] = row;
    ends[size] = (int) end;
  }

  private void makeRoom() {
    if (size == indexes.length) {
      indexes = Arrays.copyOf(indexes, size * 2);
      ends = Arrays.copyOf(ends, size * 2);
      rowOffsets = Arrays.copyOf(rowOffsets, size * 2);
      rowLengths = Arrays.copyOf(rowLengths, size * 2);
    }
  }
}
