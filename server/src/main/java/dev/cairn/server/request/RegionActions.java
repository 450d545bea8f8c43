package dev.cairn.server.request;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * The actions of one region in a {@code Multi}.
 *
 * @param regionName the name of the region
 * @param hasEncodedName whether {@code regionName} is the encoded name
 * @param isAtomic whether all actions or none are done
 * @param condition the condition for all actions
 * @param puts the actions, if each is a put with its cells beside the message
 * @param listed the actions, if {@code puts} is empty
 */
public record RegionActions(
    ByteString regionName,
    boolean hasEncodedName,
    boolean isAtomic,
    Optional<Condition> condition,
    Optional<PutGroup> puts,
    List<Action> listed)
    implements RegionRequest {
  /** One of the actions. */
  public sealed interface Action {
    /** Returns the index of the result. */
    int index();

    /** Reads a row. */
    record Read(int index, GetMessage get) implements Action {}

    /** Changes a row. */
    record Write(int index, MutationMessage mutation) implements Action {}

    /** Calls a service of the region. The call has no names if the action is empty. */
    record Service(int index, CoprocessorServiceCall call) implements Action {}
  }

  /** Returns the number of actions. */
  public int size() {
    return puts.isPresent() ? puts.get().size() : listed.size();
  }

  /** Returns the actions as objects. */
  public List<Action> actions() {
    return puts.isPresent() ? puts.get().actions() : listed;
  }
}
