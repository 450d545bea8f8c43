package dev.cairn.server.regionserver;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.quota.Throttles;
import dev.cairn.server.quota.Usage;
import dev.cairn.server.request.GetMessage;
import dev.cairn.server.request.MultiMessage;
import dev.cairn.server.request.MutateMessage;
import dev.cairn.server.request.ScanMessage;
import dev.cairn.server.rpc.Attempt;
import dev.cairn.server.rpc.CallMemory;
import dev.cairn.server.rpc.ClientVersion;
import dev.cairn.server.rpc.RpcCall;
import dev.cairn.server.rpc.RpcMethod;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Stands before reads and writes while there are throttles: refuses what is too much before any of
 * it is done, and counts what came of the rest. A batch is refused as a whole if a part of it is
 * too much, which clients repeat as a whole; what it asks of one table is asked for at once, or a
 * batch over many regions would never get all it needs. Any number of threads.
 */
record ThrottledCalls(OnlineRegions regions, OpenScanners scanners, Throttles throttles) {
  /** Throttles {@code Get}. */
  RpcMethod.Handler<GetMessage, GetResponse> get(
      RpcMethod.Handler<GetMessage, GetResponse> handler) {
    return (call, request) -> {
      if (!throttles.isActive()) {
        return handler.handle(call, request);
      }
      HostedRegion region = regions.find(request.region());
      return run(handler, call, request, List.of(admit(call, region, new Usage(1, 0, 0, 0))));
    };
  }

  /** Throttles {@code Mutate}. */
  RpcMethod.Handler<MutateMessage, MutateResponse> mutate(
      RpcMethod.Handler<MutateMessage, MutateResponse> handler) {
    return (call, request) -> {
      if (!throttles.isActive()) {
        return handler.handle(call, request);
      }
      HostedRegion region = regions.find(request.region());
      boolean atomic = request.isAtomic();
      long bytes = call.requestCells().byteSize() + request.mutationBytes();
      Usage asked = new Usage(atomic ? 1 : 0, 1, atomic ? 1 : 0, bytes);
      return run(handler, call, request, List.of(admit(call, region, asked)));
    };
  }

  /** Leaves calls to their handlers while there are throttles. */
  <Q, R> RpcMethod.Quick<Q, R> unlessActive(RpcMethod.Quick<Q, R> quick) {
    return (call, request) ->
        throttles.isActive() ? Attempt.declined() : quick.attempt(call, request);
  }

  /** Throttles {@code Multi}. */
  RpcMethod.Handler<MultiMessage, MultiResponse> multi(
      RpcMethod.Handler<MultiMessage, MultiResponse> handler) {
    return (call, request) -> {
      if (!throttles.isActive()) {
        return handler.handle(call, request);
      }
      List<Group> groups = groups(request);
      long actions = Math.max(1, groups.stream().mapToLong(Group::actions).sum());
      Map<TableName, Usage> asked = new LinkedHashMap<>();
      for (Group group : groups) {
        // The cells of all groups lie together; each group is taken to have its share of them.
        long share = call.requestCells().byteSize() * (long) group.actions() / actions;
        Optional<HostedRegion> region = find(group.region());
        if (region.isPresent()) {
          asked.merge(region.get().info().table(), group.asked(share), Usage::plus);
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
  RpcMethod.Handler<ScanMessage, ScanAnswer> scan(
      RpcMethod.Handler<ScanMessage, ScanAnswer> handler) {
    return (call, request) -> {
      if (!throttles.isActive() || request.closes()) {
        return handler.handle(call, request);
      }
      Optional<HostedRegion> region = Optional.empty(); // then it is the handler's to refuse
      if (request.subject() instanceof ScanMessage.Opening opening) {
        region = Optional.of(regions.find(opening.region()));
      } else if (request.subject() instanceof ScanMessage.Known known) {
        region = scanners.regionOf(known.scannerId());
      }
      return region.isEmpty()
          ? handler.handle(call, request)
          : run(
              handler,
              call,
              request,
              List.of(admit(call, region.get(), new Usage(1, 0, 0, 0))),
              ScanAnswer::size);
    };
  }

  /** A region that is not here is the handler's to refuse. */
  private Optional<HostedRegion> find(RegionSpecifier region) {
    try {
      return Optional.of(regions.find(region));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** What the actions of one region ask for; {@code bytes} without their cells. */
  private record Group(
      RegionSpecifier region, int actions, long reads, long writes, long atomics, long bytes) {
    Usage asked(long cellBytes) {
      return new Usage(reads, writes, atomics, writes == 0 ? 0 : bytes + cellBytes);
    }
  }

  private static List<Group> groups(MultiMessage message) {
    if (message instanceof MultiMessage.Puts puts) {
      return puts.groups().stream()
          .map(
              group ->
                  new Group(
                      group.region(), group.size(), 0, group.size(), 0, group.mutationBytes()))
          .toList();
    }
    MultiRequest request = ((MultiMessage.Actions) message).request();
    return request.getRegionActionList().stream().map(ThrottledCalls::group).toList();
  }

  private static Group group(RegionAction group) {
    long reads = 0;
    long writes = 0;
    long atomics = group.hasCondition() ? 1 : 0;
    long bytes = 0;
    for (Action action : group.getActionList()) {
      if (action.hasMutation()) {
        writes++;
        atomics += MutateMessage.isCountOrAppend(action.getMutation()) ? 1 : 0;
        bytes += action.getMutation().getSerializedSize();
      } else {
        reads++;
      }
    }
    return new Group(group.getRegion(), group.getActionCount(), reads, writes, atomics, bytes);
  }

  private Throttles.Permit admit(RpcCall call, HostedRegion region, Usage asked)
      throws IOException {
    return throttles.admit(call.user(), region.info().table(), asked);
  }

  private <Q, R extends Message> R run(
      RpcMethod.Handler<Q, R> handler, RpcCall call, Q request, List<Throttles.Permit> permits)
      throws IOException {
    return run(handler, call, request, permits, Message::getSerializedSize);
  }

  private <Q, R> R run(
      RpcMethod.Handler<Q, R> handler,
      RpcCall call,
      Q request,
      List<Throttles.Permit> permits,
      ToIntFunction<R> size)
      throws IOException {
    Counting counting = new Counting(call);
    long bytes = 0;
    try {
      R response = handler.handle(counting, request);
      bytes = counting.bytes + size.applyAsInt(response);
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
    public boolean isAbandoned() {
      return call.isAbandoned();
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
    public ClientVersion clientVersion() {
      return call.clientVersion();
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
    public CallMemory memory() {
      return call.memory();
    }

    @Override
    public void setResponseCells(CellBuffer cells) {
      bytes = cells.byteSize();
      call.setResponseCells(cells);
    }
  }
}
