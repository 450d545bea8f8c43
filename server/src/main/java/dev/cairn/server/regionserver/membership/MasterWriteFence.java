package dev.cairn.server.regionserver.membership;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Catalog;
import dev.cairn.server.request.MultiMessage;
import dev.cairn.server.request.RegionActions;
import dev.cairn.server.rpc.service.Admission;
import dev.cairn.server.rpc.service.CallCheck;
import dev.cairn.server.rpc.service.CallEnd;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.MethodPolicy;
import dev.cairn.server.rpc.service.RpcCall;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * Refuses writes of {@code hbase:meta}, {@code hbase:namespace} and {@code hbase:quota} by a master
 * that has been replaced. A master names its epoch in an attribute of its mutations ({@link
 * Catalog#EPOCH}); writes without it pass, because those of HBase's tools have none.
 */
public record MasterWriteFence(MasterEpochs epochs) implements CallInterceptor {
  /** The prefix of the names of all regions of system tables. */
  private static final ByteString SYSTEM =
      ByteString.copyFromUtf8(TableName.SYSTEM_NAMESPACE + ":");

  @Override
  public <Q> Optional<CallCheck<Q>> check(MethodPolicy method, CallSubject.Reader<Q> subject) {
    if (method.quota() != MethodPolicy.Quota.BATCH) {
      return Optional.empty();
    }
    return Optional.of(
        (call, request) -> {
          OptionalLong epoch = epoch((MultiMessage) request);
          if (epoch.isEmpty()) {
            return Admission.FREE;
          }
          return call.budget().mayWait()
              ? fenced(epochs.beginWrite(epoch.getAsLong()))
              : Admission.ON_HANDLER;
        });
  }

  private static Admission fenced(MasterEpochs.Write write) {
    return new Admission() {
      @Override
      public void ended(RpcCall call, CallEnd end) {
        write.close();
      }
    };
  }

  /** Returns the lowest epoch that a mutation of a system table names; empty if none does. */
  private static OptionalLong epoch(MultiMessage request) throws IOException {
    OptionalLong lowest = OptionalLong.empty();
    for (RegionActions group : request.groups()) {
      if (group.puts().isPresent() || !group.regionName().startsWith(SYSTEM)) {
        continue; // puts in a group have no attributes
      }
      for (RegionActions.Action action : group.actions()) {
        if (action instanceof RegionActions.Action.Write write) {
          OptionalLong own = epoch(write.mutation().attribute(Catalog.EPOCH));
          if (own.isPresent() && own.getAsLong() < lowest.orElse(Long.MAX_VALUE)) {
            lowest = own;
          }
        }
      }
    }
    return lowest;
  }

  private static OptionalLong epoch(Optional<ByteString> value) throws IOException {
    if (value.isEmpty()) {
      return OptionalLong.empty();
    }
    if (value.get().size() != Long.BYTES) {
      throw new DoNotRetryIOException("The attribute " + Catalog.EPOCH + " must have 8 bytes");
    }
    return OptionalLong.of(value.get().asReadOnlyByteBuffer().getLong());
  }
}
