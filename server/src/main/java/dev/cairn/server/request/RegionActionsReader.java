package dev.cairn.server.request;

import dev.cairn.server.request.PutGroupReader.PutArrays;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * Reads the actions of one region in a {@code Multi} into objects. {@link PutGroupReader} reads
 * groups of puts into arrays instead.
 *
 * <p>Format: the messages {@code RegionAction} and {@code Action} of HBase's {@code Client.proto}.
 */
final class RegionActionsReader extends MessageReader {
  static final int REGION = bytes(RegionAction.REGION_FIELD_NUMBER);
  static final int ATOMIC = number(RegionAction.ATOMIC_FIELD_NUMBER);
  static final int ACTION = bytes(RegionAction.ACTION_FIELD_NUMBER);
  private static final int CONDITION = bytes(RegionAction.CONDITION_FIELD_NUMBER);
  static final int INDEX = number(Action.INDEX_FIELD_NUMBER);
  static final int MUTATION = bytes(Action.MUTATION_FIELD_NUMBER);
  private static final int GET = bytes(Action.GET_FIELD_NUMBER);
  private static final int SERVICE = bytes(Action.SERVICE_CALL_FIELD_NUMBER);

  private final List<RegionActions.Action> actions = new ArrayList<>();

  RegionActionsReader(byte[] message, int offset, int length) {
    super(message, offset, length);
  }

  /**
   * Reads the group in {@code length} bytes of an array.
   *
   * @param arrays temporary arrays, reused for each group
   * @throws InvalidProtocolBufferException if the bytes are not such a message
   */
  static RegionActions read(byte[] message, int offset, int length, PutArrays arrays)
      throws IOException {
    Optional<RegionActions> puts = new PutGroupReader(message, offset, length, arrays).message();
    return puts.isPresent()
        ? puts.get()
        : new RegionActionsReader(message, offset, length).message();
  }

  RegionActions message() throws IOException {
    boolean isAtomic = false;
    Condition.Builder condition = null;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == ACTION) {
        actions.add(action());
      } else if (tag == REGION) {
        region();
      } else if (tag == ATOMIC) {
        isAtomic = in.readBool();
      } else if (tag == CONDITION) {
        condition = part(condition == null ? Condition.newBuilder() : condition);
      } else if (!in.skipField(tag)) {
        break;
      }
    }
    in.checkLastTagWas(0);
    if (!hasRegion()) {
      throw missing("region");
    }
    return new RegionActions(
        regionName(), hasEncodedName(), isAtomic, condition(condition), Optional.empty(), actions);
  }

  private RegionActions.Action action() throws IOException {
    int limit = begin();
    int index = 0;
    GetReader get = null;
    MutationMessage mutation = null;
    CoprocessorServiceCall.Builder call = null;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == INDEX) {
        index = in.readUInt32();
      } else if (tag == MUTATION) {
        mutation = MutationReader.read(this, mutation);
      } else if (tag == GET) {
        get = get == null ? new GetReader(this) : get;
        get.readGet();
      } else if (tag == SERVICE) {
        call = part(call == null ? CoprocessorServiceCall.newBuilder() : call);
      } else if (!in.skipField(tag)) {
        break;
      }
    }
    end(limit);
    CoprocessorServiceCall service =
        call == null
            ? CoprocessorServiceCall.getDefaultInstance()
            : initialized(call.buildPartial());
    if (get != null) {
      return new RegionActions.Action.Read(index, get.get());
    }
    return mutation != null
        ? new RegionActions.Action.Write(index, MutationReader.merged(mutation))
        : new RegionActions.Action.Service(index, service);
  }
}
