package dev.cairn.server.master.procedure;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.rpc.service.ClientVersion;
import dev.cairn.server.rpc.wire.NamedException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ErrorHandlingProtos.ForeignExceptionMessage;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ErrorHandlingProtos.GenericExceptionMessage;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.ProcedureState;
import org.apache.hbase.thirdparty.com.google.protobuf.Any;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * The stored form of a procedure. Immutable.
 *
 * @param id its id, at least 1
 * @param kind its kind
 * @param data its input
 * @param step number of its completed steps
 * @param owner user who submitted it
 * @param nonce identifies a repeated request
 * @param state RUNNABLE, SUCCESS or, with a failure, ROLLEDBACK
 * @param failure reason of its failure
 * @param submittedMillis time of its submission, milliseconds since 1970
 * @param updatedMillis time of this record
 * @param awaitsHooks whether hooks of coprocessors may still refuse it: nothing of it has begun
 */
public record ProcedureRecord(
    long id,
    ProcedureKind kind,
    Message data,
    int step,
    String owner,
    Optional<Nonce> nonce,
    ProcedureState state,
    Optional<ForeignExceptionMessage> failure,
    long submittedMillis,
    long updatedMillis,
    boolean awaitsHooks) {
  /** The prefix of the type of all HBase messages. */
  private static final String TYPES = "type.googleapis.com/hbase.pb.";

  /**
   * A client's number for a request.
   *
   * @param group the client
   * @param number the request
   */
  public record Nonce(long group, long number) {
    /** Returns the nonce of a request; 0 means none. */
    public static Optional<Nonce> of(long group, long number) {
      return number == 0 ? Optional.empty() : Optional.of(new Nonce(group, number));
    }

    // Written out for quick starts; see ServerName.
    @Override
    public boolean equals(Object other) {
      return other instanceof Nonce that && number == that.number && group == that.group;
    }

    @Override
    public int hashCode() {
      return 31 * Long.hashCode(group) + Long.hashCode(number);
    }
  }

  /** Tells whether no step is left, after success or failure. */
  public boolean isDone() {
    return state != ProcedureState.RUNNABLE;
  }

  /** Returns the record after {@code next} steps. */
  ProcedureRecord atStep(int next, long nowMillis) {
    return new ProcedureRecord(
        id, kind, data, next, owner, nonce, state, failure, submittedMillis, nowMillis, false);
  }

  /** Returns the record after the hooks before the first step. */
  ProcedureRecord admitted(long nowMillis) {
    return atStep(step, nowMillis);
  }

  /** Returns the record after the last step. */
  ProcedureRecord succeeded(long nowMillis) {
    return ended(ProcedureState.SUCCESS, failure, nowMillis);
  }

  /** Returns the record after the rollback that {@code cause} required. */
  ProcedureRecord failed(IOException cause, long nowMillis) {
    return ended(ProcedureState.ROLLEDBACK, Optional.of(describe(cause)), nowMillis);
  }

  private ProcedureRecord ended(
      ProcedureState how, Optional<ForeignExceptionMessage> why, long nowMillis) {
    return new ProcedureRecord(
        id, kind, data, step, owner, nonce, how, why, submittedMillis, nowMillis, false);
  }

  /** Returns the row under which the record is stored. */
  byte[] row() {
    return Bytes.ofLong(id);
  }

  /**
   * Returns the record as HBase's message, for a client of a version. A client prints the
   * procedure's state data, and fails on a message type that it does not know. So the record omits
   * state data that the client does not know.
   */
  public ProcedureProtos.Procedure message(ClientVersion client) {
    return kind.isKnownTo(client) ? message() : message().toBuilder().removeStateMessage(1).build();
  }

  /** Returns the record as HBase's message. */
  ProcedureProtos.Procedure message() {
    ProcedureProtos.Procedure.Builder message =
        ProcedureProtos.Procedure.newBuilder()
            .setClassName(kind.className())
            .setProcId(id)
            .setSubmittedTime(submittedMillis)
            .setLastUpdate(updatedMillis)
            .setOwner(owner)
            .setState(state)
            .addStateMessage(
                pack(ProcedureProtos.StateMachineProcedureData.newBuilder().addState(step).build()))
            .addStateMessage(pack(data));
    nonce.ifPresent(n -> message.setNonceGroup(n.group()).setNonce(n.number()));
    failure.ifPresent(message::setException);
    if (awaitsHooks) {
      message.setExecuted(false);
    }
    return message.build();
  }

  /**
   * Packs a message of HBase's as {@link Any#pack(Message)} does, but without its descriptor:
   * building HBase's descriptors delays the first procedure by some 40 ms.
   */
  public static Any pack(Message message) {
    return Any.newBuilder()
        .setTypeUrl(TYPES + message.getClass().getSimpleName())
        .setValue(message.toByteString())
        .build();
  }

  /**
   * Parses a record that {@link #message} wrote.
   *
   * @throws IOException if it is of an unknown kind or incomplete
   */
  public static ProcedureRecord parse(byte[] bytes) throws IOException {
    ProcedureProtos.Procedure message = ProcedureProtos.Procedure.parseFrom(bytes);
    ProcedureKind kind =
        ProcedureKind.of(message.getClassName())
            .orElseThrow(
                () ->
                    new IOException(
                        "The master's store holds procedure "
                            + message.getProcId()
                            + " of the unknown kind "
                            + message.getClassName()));
    if (message.getStateMessageCount() != 2) {
      throw new IOException("Procedure " + message.getProcId() + " is stored incompletely");
    }
    ProcedureProtos.StateMachineProcedureData progress =
        message.getStateMessage(0).unpack(ProcedureProtos.StateMachineProcedureData.class);
    return new ProcedureRecord(
        message.getProcId(),
        kind,
        message.getStateMessage(1).unpack(kind.prototype().getClass()),
        progress.getState(0),
        message.getOwner(),
        Nonce.of(message.getNonceGroup(), message.getNonce()),
        message.getState(),
        message.hasException() ? Optional.of(message.getException()) : Optional.empty(),
        message.getSubmittedTime(),
        message.getLastUpdate(),
        message.hasExecuted() && !message.getExecuted());
  }

  private static ForeignExceptionMessage describe(IOException cause) {
    return ForeignExceptionMessage.newBuilder()
        .setSource("master")
        .setGenericException(
            GenericExceptionMessage.newBuilder()
                .setClassName(NamedException.nameOf(cause))
                .setMessage(String.valueOf(cause.getMessage())))
        .build();
  }
}
