package dev.cairn.server.regionserver;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.quota.Throttles;
import dev.cairn.server.quota.Usage;
import dev.cairn.server.request.GetMessage;
import dev.cairn.server.request.MultiMessage;
import dev.cairn.server.request.MutateMessage;
import dev.cairn.server.request.PutGroup;
import dev.cairn.server.request.RegionActions;
import dev.cairn.server.request.RegionActions.Action;
import dev.cairn.server.request.RegionRequest;
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
      case GET -> Map.of(table((GetMessage) request), new Usage(1, 0, 0, 0));
      case SCAN -> asked((ScanMessage) request);
      case MUTATE -> {
        MutateMessage message = (MutateMessage) request;
        int atomics = message.isAtomic() ? 1 : 0;
        long bytes = call.requestCells().byteSize() + message.mutation().length();
        yield Map.of(table(message), new Usage(atomics, 1, atomics, bytes));
      }
      case BATCH -> asked(call, ((MultiMessage) request).groups());
    };
  }

  private TableName table(RegionRequest request) throws IOException {
    return regions.find(request).info().table();
  }

  private Map<TableName, Usage> asked(ScanMessage message) throws IOException {
    Usage one = new Usage(1, 0, 0, 0);
    if (message.closes()) {
      return Map.of();
    }
    if (message.subject() instanceof ScanMessage.Opening opening) {
      return Map.of(table(opening), one);
    }
    return message.subject() instanceof ScanMessage.Known known
        ? scanners
            .regionOf(known.scannerId())
            .map(region -> Map.of(region.info().table(), one))
            .orElseGet(Map::of)
        : Map.of();
  }

  private Map<TableName, Usage> asked(RpcCall call, List<RegionActions> groups) {
    long actions = Math.max(1, groups.stream().mapToLong(RegionActions::size).sum());
    Map<TableName, Usage> asked = new LinkedHashMap<>();
    for (RegionActions group : groups) {
      // The cells of all groups lie together; each group is taken to have its share of them.
      long share = call.requestCells().byteSize() * (long) group.size() / actions;
      Usage usage = usage(group, share);
      try {
        asked.merge(table(group), usage, Usage::plus);
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

  /** Returns the usage of the actions of one region. */
  private static Usage usage(RegionActions group, long cellBytes) {
    if (group.puts().isPresent()) {
      PutGroup puts = group.puts().get();
      return new Usage(0, puts.size(), 0, puts.mutationBytes() + cellBytes);
    }
    long writes = 0;
    long atomics = group.condition().isPresent() ? 1 : 0;
    long bytes = cellBytes;
    for (Action action : group.actions()) {
      if (action instanceof Action.Write write) {
        writes++;
        atomics += write.mutation().isComputed() ? 1 : 0;
        bytes += write.mutation().length();
      }
    }
    return new Usage(group.size() - writes, writes, atomics, writes == 0 ? 0 : bytes);
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
