package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.filter.EvaluationGuard;
import dev.cairn.server.regionserver.client.CallLimits;
import dev.cairn.server.regionserver.client.CallTimes;
import dev.cairn.server.regionserver.client.ClientCalls;
import dev.cairn.server.regionserver.client.NonceManager;
import dev.cairn.server.regionserver.client.OpenScanners;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.RegionServices;
import dev.cairn.server.rpc.ManualClock;
import dev.cairn.server.rpc.service.Admission;
import dev.cairn.server.rpc.service.AnswerCheck;
import dev.cairn.server.rpc.service.CallCheck;
import dev.cairn.server.rpc.service.CallEnd;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.rpc.service.CallOutcome;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.CallWork;
import dev.cairn.server.rpc.service.MethodPolicy;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.service.RpcMethod;
import dev.cairn.server.rpc.service.RpcService;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.Test;

/** A new concern of reads and writes is one class ({@link AuditLog}) and one line of wiring. */
class AuditLogTest {
  private final ManualClock clock = new ManualClock();
  private final OnlineRegions regions =
      new OnlineRegions(new ServerName("localhost", 16020, 1), clock);
  private final FakeRegion region = new FakeRegion("");
  private final FakeCall call = new FakeCall();
  private final AuditLog audit = new AuditLog();
  private final RpcService service = service(List.of(audit)); // the line of wiring

  private RpcService service(List<CallInterceptor> before) {
    regions.beginOpening(region.info);
    regions.opened(region.hosted());
    return ClientCalls.service(
        regions,
        new OpenScanners(clock, 60_000, 1, MemoryAccount.unlimited()),
        new NonceManager(clock, 1_000, 1 << 20),
        getClass().getClassLoader(),
        new EvaluationGuard(clock),
        new CallTimes(clock, 1_000),
        () -> CallLimits.of(new SiteConfig(Map.of()), MemoryAccount.unlimited()),
        FakeRegion.noBulkLoads(regions, clock),
        RegionServices.NONE,
        before,
        AnswerCheck.NONE);
  }

  @Test
  void recordsWhatHandlersAnswer() throws IOException {
    byte[] name = region.info.regionName();
    handle("Mutate", RequestConverter.buildMutateRequest(name, put()));
    handle("Get", RequestConverter.buildGetRequest(name, new Get(Bytes.utf8("r"))));
    assertThat(audit.lines)
        .containsExactly(
            "test ClientService.Mutate of 1 region: done",
            "test ClientService.Get of 1 region: done");
  }

  @Test
  void recordsRefusals() {
    regions.beginClosing(region.info.encodedName());
    byte[] name = region.info.regionName();
    assertThatThrownBy(() -> handle("Mutate", RequestConverter.buildMutateRequest(name, put())))
        .isInstanceOf(NotServingRegionException.class);
    assertThat(audit.lines)
        .containsExactly("test ClientService.Mutate of 1 region: NotServingRegionException");
  }

  @Test
  void recordsOnceWhatANetworkThreadBegins() throws IOException {
    CompletableFuture<String> written = new CompletableFuture<>();
    CheckedMethod<String, String> writes =
        CheckedMethod.of(
            "Mutate",
            List.of(audit),
            CallSubject::cluster,
            (caller, request) -> {
              if (caller.budget().mayWait()) {
                return new CallOutcome.Answered<>("answer");
              }
              return switch (request) {
                case "later" -> new CallOutcome.Deferred<>(written);
                case "unfinished" -> CallOutcome.unfinished();
                default -> CallOutcome.declined();
              };
            });
    for (String request : List.of("declined", "unfinished")) {
      CallWork<String, String> work = new CallWork<>(writes.method());
      CheckedMethod.run(work, call.inline("Mutate"), request);
      assertThat(audit.lines).isEmpty();
      CheckedMethod.run(work, call.handled(), request);
      assertThat(audit.lines).containsExactly("test ClientService.Mutate of CLUSTER: done");
      audit.lines.clear();
    }
    writes.run(call.inline("Mutate"), "later");
    assertThat(audit.lines).isEmpty();
    written.complete("answer");
    assertThat(audit.lines).containsExactly("test ClientService.Mutate of CLUSTER: done");
  }

  @Test
  void anInterceptorThatFailsAtTheEndHarmsNeitherTheCallNorOthers() throws IOException {
    CallInterceptor failing =
        new CallInterceptor() {
          @Override
          public <Q> Optional<CallCheck<Q>> check(
              MethodPolicy method, CallSubject.Reader<Q> subject) {
            return Optional.of((caller, request) -> new FailingAdmission());
          }
        };
    CheckedMethod<String, String> gets =
        CheckedMethod.of(
            "Get",
            List.of(audit, failing),
            CallSubject::cluster,
            (caller, request) -> new CallOutcome.Answered<>("row"));
    assertThat(FakeCall.answer(gets.run(call, "r"))).isEqualTo("row");
    assertThat(audit.lines).containsExactly("test ClientService.Get of CLUSTER: done");
  }

  private static final class FailingAdmission implements Admission {
    @Override
    public void left() {
      throw new IllegalStateException("left");
    }

    @Override
    public void ended(RpcCall ended, CallEnd end) {
      throw new IllegalStateException("ended");
    }
  }

  private static Put put() {
    return new Put(Bytes.utf8("r")).addColumn(Bytes.utf8("f"), Bytes.utf8("q"), Bytes.EMPTY);
  }

  @SuppressWarnings("unchecked") // the method's own parser makes the request
  private void handle(String name, Message message) throws IOException {
    RpcMethod<Object, Object> method =
        (RpcMethod<Object, Object>) service.method(name).orElseThrow();
    new CheckedMethod<>(method).run(call, method.parser().parse(message.toByteArray()));
  }
}
