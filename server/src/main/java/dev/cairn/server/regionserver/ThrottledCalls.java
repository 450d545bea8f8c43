package dev.cairn.server.regionserver;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.quota.Throttles;
import dev.cairn.server.quota.Usage;
import dev.cairn.server.rpc.Attempt;
import dev.cairn.server.rpc.RpcCall;
import dev.cairn.server.rpc.RpcMethod;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Stands before reads and writes while there are throttles: refuses what is too much before any of
 * it is done, and counts what came of the rest. A batch is refused as a whole if a part of it is
 * too much, which clients repeat as a whole; what it asks of one table is asked for at once, or a
 * batch over many regions would never get all it needs. Any number of threads.
 */
record ThrottledCalls(OnlineRegions regions, OpenScanners scanners, Throttles throttles) {
  /** Throttles {@code Get}. */
  RpcMethod.Handler<GetRequest, GetResponse> get(
      RpcMethod.Handler<GetRequest, GetResponse> handler) {
    return (call, request) -> {
      if (!throttles.isActive()) {
        return handler.handle(call, request);
      }
      HostedRegion region = regions.find(request.getRegion());
      return run(handler, call, request, List.of(admit(call, region, new Usage(1, 0, 0, 0))));
    };
  }

  /** Throttles {@code Mutate}. */
  RpcMethod.Handler<MutateRequest, MutateResponse> mutate(
      RpcMethod.Handler<MutateRequest, MutateResponse> handler) {
    return (call, request) -> {
      if (!throttles.isActive()) {
        return handler.handle(call, request);
      }
      HostedRegion region = regions.find(request.getRegion());
      boolean atomic = request.hasCondition() || isAtomic(request.getMutation());
      long bytes = call.requestCells().byteSize() + request.getMutation().getSerializedSize();
      Usage asked = new Usage(atomic ? 1 : 0, 1, atomic ? 1 : 0, bytes);
      return run(handler, call, request, List.of(admit(call, region, asked)));
    };
  }

  /** Leaves calls to their handlers while there are throttles. */
  <Q extends Message, R extends Message> RpcMethod.Quick<Q, R> unlessActive(
      RpcMethod.Quick<Q, R> quick) {
    return (call, request) ->
        throttles.isActive() ? Attempt.declined() : quick.attempt(call, request);
  }

  /** Throttles {@code Multi}. */
  RpcMethod.Handler<MultiRequest, MultiResponse> multi(
      RpcMethod.Handler<MultiRequest, MultiResponse> handler) {
    return (call, request) -> {
      if (!throttles.isActive()) {
        return handler.handle(call, request);
      }
      long actions = 0;
      for (RegionAction group : request.getRegionActionList()) {
        actions += group.getActionCount();
      }
      Map<TableName, Usage> asked = new LinkedHashMap<>();
      for (RegionAction group : request.getRegionActionList()) {
        // The cells of all groups lie together; each group is taken to have its share of them.
        long share = call.requestCells().byteSize() * group.getActionCount() / Math.max(1, actions);
        Optional<HostedRegion> region = find(group);
        if (region.isPresent()) {
          asked.merge(region.get().info().table(), asked(group, share), Usage::plus);
        }
      }
      return run(handler, call, request, admit(call, asked));
    };
  }

  /** Admits all or nothing. */
  private List<Throttles.Permit> admit(RpcCall call, Map<TableName, Usage> asked)
      throws IOException {
    List<Throttles.Permit> permits = new ArrayList<>(asked.size());
    boolean all = false;
    try {
      for (Map.Entry<TableName, Usage> one : asked.entrySet()) {
        permits.add(throttles.admit(call.user(), one.getKey(), one.getValue()));
      }
      all = true;
      return permits;
    } finally {
      if (!all) {
        permits.forEach(throttles::giveBack);
      }
    }
  }

  /** Throttles {@code Scan}. */
  RpcMethod.Handler<ScanRequest, ScanResponse> scan(
      RpcMethod.Handler<ScanRequest, ScanResponse> handler) {
    return (call, request) -> {
      if (!throttles.isActive() || request.getCloseScanner()) {
        return handler.handle(call, request);
      }
      Optional<HostedRegion> region =
          request.hasRegion()
              ? Optional.of(regions.find(request.getRegion()))
              : scanners.regionOf(request.getScannerId());
      return region.isEmpty()
          ? handler.handle(call, request)
          : run(handler, call, request, List.of(admit(call, region.get(), new Usage(1, 0, 0, 0))));
    };
  }

  /** A region that is not here is the handler's to refuse. */
  private Optional<HostedRegion> find(RegionAction group) {
    try {
      return Optional.of(regions.find(group.getRegion()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Usage asked(RegionAction group, long cellBytes) {
    long reads = 0;
    long writes = 0;
    long atomics = group.hasCondition() ? 1 : 0;
    long bytes = cellBytes;
    for (Action action : group.getActionList()) {
      if (action.hasMutation()) {
        writes++;
        atomics += isAtomic(action.getMutation()) ? 1 : 0;
        bytes += action.getMutation().getSerializedSize();
      } else {
        reads++;
      }
    }
    return new Usage(reads, writes, atomics, writes == 0 ? 0 : bytes);
  }

  private static boolean isAtomic(MutationProto mutation) {
    return mutation.getMutateType() == MutationType.INCREMENT
        || mutation.getMutateType() == MutationType.APPEND;
  }

  private Throttles.Permit admit(RpcCall call, HostedRegion region, Usage asked)
      throws IOException {
    return throttles.admit(call.user(), region.info().table(), asked);
  }

  private <Q extends Message, R extends Message> R run(
      RpcMethod.Handler<Q, R> handler, RpcCall call, Q request, List<Throttles.Permit> permits)
      throws IOException {
    Counting counting = new Counting(call);
    long bytes = 0;
    try {
      R response = handler.handle(counting, request);
      bytes = counting.bytes + response.getSerializedSize();
      return response;
    } finally {
      for (Throttles.Permit permit : permits) {
        throttles.done(permit, bytes / permits.size());
      }
    }
  }

  /** A call that remembers how many bytes of cells went beside its response. */
  private static final class Counting implements RpcCall {
    private final RpcCall call;
    private long bytes;

    Counting(RpcCall call) {
      this.call = call;
    }

    @Override
    public InetSocketAddress remoteAddress() {
      return call.remoteAddress();
    }

    @Override
    public String user() {
      return call.user();
    }

    @Override
    public long deadlineNanos() {
      return call.deadlineNanos();
    }

    @Override
    public long receivedNanos() {
      return call.receivedNanos();
    }

    @Override
    public CellBuffer requestCells() {
      return call.requestCells();
    }

    @Override
    public boolean acceptsCellBlock() {
      return call.acceptsCellBlock();
    }

    @Override
    public boolean acceptsTags() {
      return call.acceptsTags();
    }

    @Override
    public CellBuffer responseBuffer(int bytes) {
      return call.responseBuffer(bytes);
    }

    @Override
    public void setResponseCells(CellBuffer cells) {
      bytes = cells.byteSize();
      call.setResponseCells(cells);
    }
  }
}
