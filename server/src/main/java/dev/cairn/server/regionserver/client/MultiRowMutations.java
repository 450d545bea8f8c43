package dev.cairn.server.regionserver.client;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.region.write.WriteRequest.Condition;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.request.AssociatedCells;
import dev.cairn.server.request.ConditionDecoder;
import dev.cairn.server.request.MutateRowsMessage;
import dev.cairn.server.request.MutationDecoder;
import dev.cairn.server.request.MutationMessage;
import dev.cairn.server.rpc.service.RpcCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.regionserver.WrongRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * {@code MultiRowMutationService}: changes several rows of one region all together or not at all,
 * perhaps under conditions on any of its rows. HBase has it as a coprocessor, {@code
 * MultiRowMutationEndpoint}; here every region has it. Unlike HBase's, a change with a nonce is
 * made only once. Any number of threads.
 */
final class MultiRowMutations {
  /** The name that clients call it by. */
  static final String SERVICE = "MultiRowMutationService";

  private static final String METHOD = "MutateRows";

  private final MutationDecoder mutations;
  private final ConditionDecoder conditions;
  private final NonceGuard changes;

  MultiRowMutations(MutationDecoder mutations, ConditionDecoder conditions, NonceGuard changes) {
    this.mutations = mutations;
    this.conditions = conditions;
    this.changes = changes;
  }

  /**
   * Answers one call.
   *
   * @param waitMillis how long to wait for the same change if it is running
   * @throws WrongRegionException if the first row is none of the region, which may have been split
   *     or merged since the client looked
   * @throws DoNotRetryIOException if another row is none of the region, or the request is malformed
   */
  ByteString call(
      RpcCall call, HostedRegion region, String method, ByteString request, long waitMillis)
      throws IOException {
    if (!method.equals(METHOD)) {
      throw new DoNotRetryIOException(
          "Unknown method "
              + method
              + " called on service "
              + SERVICE
              + " in region "
              + region
              + ": there is only "
              + METHOD);
    }
    MutateRowsMessage message = MutateRowsMessage.parse(request);
    List<Mutation> together = mutations(call, region, message);
    List<Condition> all = new ArrayList<>(message.conditions().size());
    for (ClientProtos.Condition condition : message.conditions()) {
      all.add(conditions.decodeOfAnyRow(condition));
    }
    if (all.isEmpty() && together.isEmpty()) {
      return MutateRowsMessage.response(true);
    }
    WriteRequest write = new WriteRequest.Atomic(all, together);
    NonceManager.Remembered outcome =
        changes.run(
            message.nonce().group(),
            message.nonce().number(),
            waitMillis,
            () -> MutateCalls.write(region.writes(together.size()), write),
            () -> new NonceManager.Remembered(true, new CellBuffer(0, 0)));
    return MutateRowsMessage.response(outcome.processed());
  }

  /** Returns the mutations that change something: HBase's client lets puts without columns pass. */
  private List<Mutation> mutations(RpcCall call, HostedRegion region, MutateRowsMessage message)
      throws IOException {
    List<Mutation> decoded = new ArrayList<>(message.mutations().size());
    boolean first = true;
    for (MutationMessage one : message.mutations()) {
      Mutation mutation =
          mutations.decode(one, 0, AssociatedCells.NONE, region.schema(), call::borrowForRequest);
      boolean changes = !mutation.cells().isEmpty() || mutation.kind() != Mutation.Kind.PUT;
      if (changes) {
        mutations.check(mutation, region.schema());
      }
      if (!region.info().contains(mutation.row())) {
        String problem =
            "Requested row out of range '"
                + Bytes.toStringBinary(mutation.row())
                + "' in "
                + region;
        throw first ? new WrongRegionException(problem) : new DoNotRetryIOException(problem);
      }
      first = false;
      if (changes) {
        decoded.add(mutation);
      }
    }
    if (!decoded.isEmpty()) {
      decoded.set(0, decoded.get(0).numbered(message.nonce()));
    }
    return decoded;
  }
}
