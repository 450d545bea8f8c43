package dev.cairn.server.regionserver.quota;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.quota.Throttles;
import dev.cairn.server.quota.Throttles.Usage;
import dev.cairn.server.regionserver.client.OpenScanners;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.rpc.service.Admission;
import dev.cairn.server.rpc.service.CallCheck;
import dev.cairn.server.rpc.service.CallEnd;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.CallSubject.RegionPart;
import dev.cairn.server.rpc.service.MethodPolicy;
import dev.cairn.server.rpc.service.MethodPolicy.Quota;
import dev.cairn.server.rpc.service.RowAccess;
import dev.cairn.server.rpc.service.RpcCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Throttles reads and writes while there are quotas. Refuses a call that exceeds its quota before
 * it does anything, and counts the results of other calls. Refuses a batch as a whole if a part of
 * it exceeds a quota; clients repeat it as a whole. Asks for all requests of a batch to one table
 * together, because a batch over many regions would otherwise never get all of them. Any number of
 * threads.
 */
public record ThrottledCalls(OnlineRegions regions, OpenScanners scanners, Throttles throttles)
    implements CallInterceptor {
  private static final Usage ONE_READ = new Usage(1, 0, 0, 0);

  @Override
  public <Q> Optional<CallCheck<Q>> check(MethodPolicy method, CallSubject.Reader<Q> subject) {
    if (method.quota() == Quota.NONE) {
      return Optional.empty();
    }
    return Optional.of(
        (call, request) -> {
          if (!throttles.isActive()) {
            return Admission.FREE;
          }
          return call.budget().mayWait()
              ? admit(call, asked(subject.read(call, request)))
              : Admission.ON_HANDLER;
        });
  }

  /** Returns the usage of a call for each table; none for a call that its method refuses. */
  private Map<TableName, Usage> asked(CallSubject subject) {
    Map<TableName, Usage> asked = new LinkedHashMap<>();
    if (subject instanceof CallSubject.Scanner scanner && scanner.reads()) {
      scanners
          .regionOf(scanner.id())
          .ifPresent(region -> asked.put(region.info().table(), ONE_READ));
    } else if (subject instanceof CallSubject.Regions parts) {
      for (RegionPart part : parts.regions()) {
        try {
          asked.merge(regions.find(part).info().table(), usage(part), Usage::plus);
        } catch (IOException e) {
          // The method refuses what concerns a region that is not on this server.
        }
      }
    }
    return asked;
  }

  private static Usage usage(RegionPart part) {
    long reads = 0;
    long writes = 0;
    long atomics = 0;
    long bytes = 0;
    for (RowAccess access : part.accesses()) {
      reads += access.kind() == RowAccess.Kind.WRITE ? 0 : 1;
      writes += isWrite(access.kind()) ? 1 : 0;
      atomics += access.kind() == RowAccess.Kind.READ_AND_WRITE ? 1 : 0;
      bytes += access.bytes();
    }
    return new Usage(reads, writes, atomics, bytes);
  }

  /** A service counts as a read. */
  private static boolean isWrite(RowAccess.Kind kind) {
    return kind == RowAccess.Kind.WRITE || kind == RowAccess.Kind.READ_AND_WRITE;
  }

  /** Admits all or nothing. */
  private Admission admit(RpcCall call, Map<TableName, Usage> asked) throws IOException {
    List<Throttles.Permit> permits = new ArrayList<>(asked.size());
    boolean all = false;
    try {
      for (Map.Entry<TableName, Usage> one : asked.entrySet()) {
        permits.add(throttles.admit(call.user(), one.getKey(), one.getValue()));
      }
      all = true;
      return new Permitted(permits);
    } finally {
      if (!all) {
        permits.forEach(throttles::giveBack);
      }
    }
  }

  private final class Permitted implements Admission {
    private final List<Throttles.Permit> permits;

    Permitted(List<Throttles.Permit> permits) {
      this.permits = permits;
    }

    @Override
    public void ended(RpcCall call, CallEnd end) {
      for (Throttles.Permit permit : permits) {
        throttles.done(permit, end.responseBytes() / permits.size());
      }
    }
  }
}
