package dev.cairn.server.regionserver;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.quota.Throttles;
import dev.cairn.server.quota.Usage;
import dev.cairn.server.request.GetMessage;
import dev.cairn.server.request.MultiMessage;
import dev.cairn.server.request.MutateMessage;
import dev.cairn.server.request.ScanMessage;
import dev.cairn.server.rpc.CallInterceptor;
import dev.cairn.server.rpc.CallOutcome;
import dev.cairn.server.rpc.MethodPolicy;
import dev.cairn.server.rpc.MethodPolicy.Quota;
import dev.cairn.server.rpc.RpcCall;
import dev.cairn.server.rpc.RpcMethod;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Throttles reads and writes while there are quotas. Refuses a call that exceeds its quota before
 * it does anything, and counts the results of other calls. Refuses a batch as a whole if a part of
 * it exceeds a quota; clients repeat it as a whole. Asks for all requests of a batch to one table
 * together, because a batch over many regions would otherwise never get all of them. Any number of
 * threads.
 */
record ThrottledCalls(OnlineRegions regions, OpenScanners scanners, Throttles throttles)
    implements CallInterceptor {
  @Override
  public <Q, R> RpcMethod.Handler<Q, R> around(MethodPolicy method, RpcMethod.Handler<Q, R> next) {
    if (method.quota() == Quota.NONE) {
      return next;
    }
    return (call, request) -> {
      if (!throttles.isActive()) {
        return next.handle(call, request);
      }
      return call.budget().mayWait()
          ? run(next, call, request, admit(call, asked(method.quota(), call, request)))
          : CallOutcome.declined();
    };
  }

  /** Returns the usage of a call for each table; none for a call that its handler refuses. */
  private Map<TableName, Usage> asked(Quota quota, RpcCall call, Object request)
      throws IOException {
    return switch (quota) {
      case NONE -> Map.of();
      case GET -> Map.of(table(((GetMessage) request).region()), new Usage(1, 0, 0, 0));
      case SCAN -> asked((ScanMessage) request);
      case MUTATE -> {
        MutateMessage message = (MutateMessage) request;
        int atomics = message.isAtomic() ? 1 : 0;
        long bytes = call.requestCells().byteSize() + message.mutationBytes();
        yield Map.of(table(message.region()), new Usage(atomics, 1, atomics, bytes));
      }
      case BATCH -> asked(call, groups((MultiMessage) request));
    };
  }

  private TableName table(RegionSpecifier region) throws IOException {
    return regions.find(region).info().table();
  }

  private Map<TableName, Usage> asked(ScanMessage message) throws IOException {
    Usage one = new Usage(1, 0, 0, 0);
    if (message.closes()) {
      return Map.of();
    }
    if (message.subject() instanceof ScanMessage.Opening opening) {
      return Map.of(table(opening.region()), one);
    }
    return message.subject() instanceof ScanMessage.Known known
        ? scanners
            .regionOf(known.scannerId())
            .map(region -> Map.of(region.info().table(), one))
            .orElseGet(Map::of)
        : Map.of();
  }

  private Map<TableName, Usage> asked(RpcCall call, List<Group> groups) {
    long actions = Math.max(1, groups.stream().mapToLong(Group::actions).sum());
    Map<TableName, Usage> asked = new LinkedHashMap<>();
    for (Group group : groups) {
      // The cells of all groups lie together; each group is taken to have its share of them.
      long share = call.requestCells().byteSize() * (long) group.actions() / actions;
      try {
        asked.merge(table(group.region()), group.asked(share), Usage::plus);
      } catch (IOException e) {
        // The handler refuses the actions of a region that is not on this server.
      }
    }
    return asked;
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

  /** The usage of the actions of one region; {@code bytes} without their cells. */
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

  private <Q, R> CallOutcome<R> run(
      RpcMethod.Handler<Q, R> handler, RpcCall call, Q request, List<Throttles.Permit> permits)
      throws IOException {
    long bytes = 0;
    try {
      CallOutcome<R> outcome = handler.handle(call, request);
      if (outcome instanceof CallOutcome.Answered<R> answered) {
        bytes = call.responseCellBytes() + size(answered.response());
      }
      return outcome;
    } finally {
      for (Throttles.Permit permit : permits) {
        throttles.done(permit, bytes / permits.size());
      }
    }
  }

  private static int size(Object response) {
    return response instanceof ScanAnswer scan
        ? scan.size()
        : ((Message) response).getSerializedSize();
  }
}
