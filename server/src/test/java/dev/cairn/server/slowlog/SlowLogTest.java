package dev.cairn.server.slowlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.PhaseTimes;
import dev.cairn.engine.time.PhaseTimes.Phase;
import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.slowlog.SlowLog.KeptCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponseRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponseRequest.FilterByOperator;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponseRequest.LogType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.TooSlowLog.SlowLogPayload;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.Test;

class SlowLogTest {
  private static final String REGION = "t1,,1.abc.";
  private static final String CLIENT = "10.0.0.1:4711";
  private static final long FAST = 0;

  private final Map<String, String> settings =
      new HashMap<>(Map.of("hbase.regionserver.slowlog.buffer.enabled", "true"));
  private final List<Runnable> work = new ArrayList<>();

  private SlowLog log() {
    SlowLogSettings read = SlowLogSettings.of(new SiteConfig(settings));
    return new SlowLog("HRegionServer", () -> read, Runnable::run);
  }

  private static SlowLogResponseRequest.Builder all(LogType type) {
    return SlowLogResponseRequest.newBuilder().setLogType(type).setLimit(1000);
  }

  private static List<String> slow(SlowLog log) {
    return names(log.find(all(LogType.SLOW_LOG).build()));
  }

  private static List<String> large(SlowLog log) {
    return names(log.find(all(LogType.LARGE_LOG).build()));
  }

  private static List<String> names(List<SlowLogPayload> calls) {
    return calls.stream().map(SlowLogPayload::getMethodName).toList();
  }

  private static FinishedCall call(String method, Message message, long millis, long bytes) {
    return call(method, message, millis, bytes, "ann", CLIENT);
  }

  private static FinishedCall call(
      String method, Message message, long millis, long bytes, String user, String client) {
    return new FinishedCall(
        "ClientService",
        method,
        Optional.of(message.toByteArray()),
        Optional.empty(),
        user,
        client,
        1000,
        3,
        TimeUnit.MILLISECONDS.toNanos(millis),
        bytes,
        new PhaseTimes());
  }

  private static RegionSpecifier region(String name) {
    return RegionSpecifier.newBuilder()
        .setType(RegionSpecifierType.REGION_NAME)
        .setValue(ByteString.copyFromUtf8(name))
        .build();
  }

  private static GetRequest get(String region) {
    return GetRequest.newBuilder()
        .setRegion(region(region))
        .setGet(Get.newBuilder().setRow(ByteString.copyFromUtf8("row1")))
        .build();
  }

  private static ScanRequest scan() {
    return ScanRequest.newBuilder()
        .setRegion(region(REGION))
        .setScan(ClientProtos.Scan.newBuilder().setStartRow(ByteString.copyFromUtf8("a")))
        .build();
  }

  @Test
  void aCallIsNotableAboveEitherLimit() {
    settings.put("hbase.ipc.warn.response.time", "10");
    settings.put("hbase.ipc.warn.response.size", "1000");
    SlowLog log = log();
    assertThat(log.isNotable(TimeUnit.MILLISECONDS.toNanos(11) - 1, 1000)).isFalse();
    assertThat(log.isNotable(TimeUnit.MILLISECONDS.toNanos(11), 0)).isTrue();
    assertThat(log.isNotable(0, 1001)).isTrue();
  }

  @Test
  void theDefaultsAreTenSecondsAndAHundredMegabytes() {
    SlowLog log = log();
    assertThat(log.isNotable(TimeUnit.MILLISECONDS.toNanos(10_000), 100 << 20)).isFalse();
    assertThat(log.isNotable(TimeUnit.MILLISECONDS.toNanos(10_001), 0)).isTrue();
    assertThat(log.isNotable(0, (100 << 20) + 1)).isTrue();
  }

  @Test
  void minusOneMeansNoLimit() {
    settings.put("hbase.ipc.warn.response.time", "-1");
    settings.put("hbase.ipc.warn.response.size", "-1");
    assertThat(log().isNotable(TimeUnit.DAYS.toNanos(1), Integer.MAX_VALUE)).isFalse();
  }

  @Test
  void scansHaveTheirOwnLimitsIfTheseAreSet() {
    settings.put("hbase.ipc.warn.response.time", "10");
    settings.put("hbase.ipc.warn.response.size", "100");
    settings.put("hbase.ipc.warn.response.time.scan", "50");
    SlowLog log = log();
    log.record(call("Scan", scan(), 40, 0));
    assertThat(slow(log)).isEmpty();
    log.record(call("Scan", scan(), 51, 0));
    log.record(call("Get", get(REGION), 40, 0));
    assertThat(slow(log)).containsExactly("Get", "Scan");
    log.record(call("Scan", scan(), FAST, 101));
    assertThat(large(log)).containsExactly("Scan");
  }

  @Test
  void aCallThatIsSlowAndLargeIsInBothLists() {
    settings.put("hbase.ipc.warn.response.time", "10");
    settings.put("hbase.ipc.warn.response.size", "100");
    SlowLog log = log();
    log.record(call("Get", get(REGION), 11, 0));
    log.record(call("Multi", MultiRequest.getDefaultInstance(), FAST, 101));
    log.record(call("Scan", scan(), 11, 101));
    assertThat(slow(log)).containsExactly("Scan", "Get");
    assertThat(large(log)).containsExactly("Scan", "Multi");
  }

  @Test
  void onlyTheLatestCallsAreKept() {
    settings.put("hbase.ipc.warn.response.time", "0");
    settings.put("hbase.regionserver.slowlog.ringbuffer.size", "2");
    SlowLog log = log();
    log.record(call("Get", get(REGION), 1, 0));
    log.record(call("Scan", scan(), 1, 0));
    log.record(call("Multi", MultiRequest.getDefaultInstance(), 1, 0));
    assertThat(slow(log)).containsExactly("Multi", "Scan");
    assertThat(log.clear()).isTrue();
    assertThat(slow(log)).isEmpty();
  }

  @Test
  void withoutABufferNothingIsKept() {
    settings.clear();
    settings.put("hbase.ipc.warn.response.time", "0");
    SlowLog log = log();
    log.record(call("Get", get(REGION), 1, 0));
    assertThat(slow(log)).isEmpty();
    assertThat(log.clear()).isFalse();
  }

  @Test
  void aKeptGetHasHBasesFields() {
    settings.put("hbase.ipc.warn.response.time", "0");
    SlowLog log = log();
    log.record(call("Get", get(REGION), 11, 42));
    SlowLogPayload kept = log.find(all(LogType.SLOW_LOG).build()).get(0);
    assertThat(kept)
        .isEqualTo(
            SlowLogPayload.newBuilder()
                .setStartTime(1000)
                .setProcessingTime(11)
                .setQueueTime(3)
                .setResponseSize(42)
                .setFsReadTime(0)
                .setClientAddress(CLIENT)
                .setServerClass("HRegionServer")
                .setMethodName("Get")
                .setCallDetails("Get(" + GetRequest.class.getName() + ")")
                .setParam("region= t1,,1.abc., row= row1")
                .setUserName("ann")
                .setRegionName(REGION)
                .setMultiGets(0)
                .setMultiMutations(0)
                .setMultiServiceCalls(0)
                .setType(SlowLogPayload.Type.SLOW_LOG)
                .build());
  }

  @Test
  void aKeptCallHasThePartsOfItsTime() {
    settings.put("hbase.ipc.warn.response.time", "0");
    SlowLog log = log();
    FinishedCall call = call("Get", get(REGION), 100, 42);
    PhaseTimes.Operation operation = call::phases;
    try (PhaseTimes.Current current = PhaseTimes.enter(operation)) {
      PhaseTimes.readFromDisk(700, 0, TimeUnit.MILLISECONDS.toNanos(30));
      PhaseTimes.readFromDisk(300, 0, TimeUnit.MILLISECONDS.toNanos(3));
      PhaseTimes.readFromCache(5, 4_000);
    }
    call.phases().record(Phase.LOCK, 0, TimeUnit.MILLISECONDS.toNanos(20));
    call.phases().record(Phase.LOG, 0, TimeUnit.MILLISECONDS.toNanos(10));
    log.record(call);
    KeptCall kept = log.kept().get(0);
    assertThat(kept.phases()).isEqualTo(new CallPhases(20, 10, 33, 0, 37, 2, 1_000, 5, 4_000));
    assertThat(kept.payload().getFsReadTime()).isEqualTo(33);
    assertThat(SlowLogLine.of(call, CallDescription.of(call), "HRegionServer", true, false))
        .contains("\"fsreadtime\":\"33\"");
  }

  @Test
  void aKeptBatchHasTheNumbersOfItsActions() {
    settings.put("hbase.ipc.warn.response.time", "0");
    SlowLog log = log();
    Action get =
        Action.newBuilder()
            .setGet(Get.getDefaultInstance().toBuilder().setRow(ByteString.EMPTY))
            .build();
    Action put = Action.newBuilder().setMutation(MutationProto.getDefaultInstance()).build();
    MultiRequest batch =
        MultiRequest.newBuilder()
            .addRegionAction(
                RegionAction.newBuilder()
                    .setRegion(region(REGION))
                    .addAction(get)
                    .addAction(put)
                    .addAction(put))
            .build();
    log.record(call("Multi", batch, 11, 0));
    SlowLogPayload kept = log.find(all(LogType.SLOW_LOG).build()).get(0);
    assertThat(kept.getMultiGets()).isEqualTo(1);
    assertThat(kept.getMultiMutations()).isEqualTo(2);
    assertThat(kept.getRegionName()).isEqualTo(REGION);
    assertThat(kept.getParam()).isEqualTo("region= t1,,1.abc., for 3 action(s)");
  }

  @Test
  void theDefinitionOfAScanIsKeptOnRequest() {
    settings.put("hbase.ipc.warn.response.time", "0");
    SlowLog without = log();
    without.record(call("Scan", scan(), 1, 0));
    assertThat(without.find(all(LogType.SLOW_LOG).build()).get(0).hasScan()).isFalse();
    settings.put("hbase.slowlog.scan.payload.enabled", "true");
    SlowLog with = log();
    with.record(call("Scan", scan(), 1, 0));
    assertThat(with.find(all(LogType.SLOW_LOG).build()).get(0).getScan())
        .isEqualTo(scan().getScan());
  }

  @Test
  void aCallWithoutItsMessageIsKeptWithTheRegionThatItsMethodTold() {
    settings.put("hbase.ipc.warn.response.time", "0");
    SlowLog log = log();
    log.record(
        new FinishedCall(
            "ClientService",
            "Scan",
            Optional.empty(),
            Optional.of(ByteString.copyFromUtf8(REGION)),
            "ann",
            CLIENT,
            1000,
            0,
            TimeUnit.SECONDS.toNanos(1),
            0,
            new PhaseTimes()));
    SlowLogPayload kept = log.find(all(LogType.SLOW_LOG).build()).get(0);
    assertThat(kept.getRegionName()).isEqualTo(REGION);
    assertThat(kept.getCallDetails()).isEqualTo("Scan(" + ScanRequest.class.getName() + ")");
  }

  @Test
  void filtersSelectCalls() {
    settings.put("hbase.ipc.warn.response.time", "0");
    SlowLog log = log();
    log.record(call("Get", get("t1,,1.abc."), 1, 0, "ann", "10.0.0.1:1"));
    log.record(call("Get", get("t10,,1.def."), 2, 0, "bob", "10.0.0.1:2"));
    log.record(call("Get", get("t1,m,1.ghi."), 3, 0, "bob", "10.0.0.2:1"));
    assertThat(found(log, all(LogType.SLOW_LOG).setTableName("t1"))).containsExactly(3, 1);
    assertThat(found(log, all(LogType.SLOW_LOG).setRegionName("t1,m,1.ghi."))).containsExactly(3);
    assertThat(found(log, all(LogType.SLOW_LOG).setUserName("bob"))).containsExactly(3, 2);
    assertThat(found(log, all(LogType.SLOW_LOG).setClientAddress("10.0.0.1")))
        .containsExactly(2, 1);
    assertThat(found(log, all(LogType.SLOW_LOG).setClientAddress("10.0.0.1:2"))).containsExactly(2);
    assertThat(found(log, all(LogType.SLOW_LOG).setTableName("t1").setUserName("bob")))
        .containsExactly(3, 2, 1);
    assertThat(
            found(
                log,
                all(LogType.SLOW_LOG)
                    .setTableName("t1")
                    .setUserName("bob")
                    .setFilterByOperator(FilterByOperator.AND)))
        .containsExactly(3);
    assertThat(found(log, all(LogType.SLOW_LOG).setLimit(2))).containsExactly(3, 2);
    assertThat(found(log, all(LogType.SLOW_LOG).setUserName("eve"))).isEmpty();
  }

  private static List<Integer> found(SlowLog log, SlowLogResponseRequest.Builder request) {
    return log.find(request.build()).stream().map(SlowLogPayload::getProcessingTime).toList();
  }

  @Test
  void callsThatComeTooFastAreSkipped() {
    settings.put("hbase.ipc.warn.response.time", "0");
    SlowLogSettings read = SlowLogSettings.of(new SiteConfig(settings));
    SlowLog log = new SlowLog("HRegionServer", () -> read, work::add);
    GetRequest longNamed = get("r".repeat(200_000));
    for (int i = 0; i < 1_000; i++) {
      log.record(call("Get", longNamed, 1, 0));
    }
    assertThat(work).hasSizeBetween(2, 100);
    work.forEach(Runnable::run);
    assertThat(slow(log)).hasSameSizeAs(work);
    work.clear();
    log.record(call("Get", get(REGION), 1, 0));
    assertThat(work).hasSize(1);
  }

  @Test
  void theOldestCallsLeaveWhenTheKeptOnesTakeTooManyBytes() {
    settings.put("hbase.ipc.warn.response.time", "0");
    settings.put("hbase.regionserver.slowlog.ringbuffer.size", "100000");
    SlowLog log = log();
    GetRequest longNamed = get("r".repeat(200_000));
    for (int i = 1; i <= 200; i++) {
      log.record(call("Get", longNamed, i, 0));
    }
    List<Integer> times = found(log, all(LogType.SLOW_LOG));
    assertThat(times).hasSizeBetween(70, 84).startsWith(200, 199);
    long bytes =
        log.find(all(LogType.SLOW_LOG).build()).stream()
            .mapToLong(SlowLogPayload::getSerializedSize)
            .sum();
    assertThat(bytes).isLessThanOrEqualTo(SlowLog.KEPT_BYTES_MAX);
    log.clear();
    log.record(call("Get", longNamed, 1, 0));
    assertThat(slow(log)).as("room after a clear").hasSize(1);
  }

  @Test
  void callsAreForgottenWhenTheSettingsAreTurnedDown() {
    settings.put("hbase.ipc.warn.response.time", "0");
    LiveConfig live =
        new LiveConfig(
            new SiteConfig(Map.copyOf(settings)),
            () -> new SiteConfig(Map.copyOf(settings)),
            SlowLogKeys.all(),
            read -> List.of());
    SlowLog log = new SlowLog("HRegionServer", live.derive(SlowLogSettings::of), Runnable::run);
    live.afterReload(log::trim);
    for (int i = 1; i <= 5; i++) {
      log.record(call("Get", get(REGION), i, 0));
    }
    settings.put("hbase.regionserver.slowlog.ringbuffer.size", "2");
    live.reload();
    assertThat(found(log, all(LogType.SLOW_LOG))).containsExactly(5, 4);
    settings.put("hbase.regionserver.slowlog.buffer.enabled", "false");
    live.reload();
    assertThat(slow(log)).isEmpty();
    settings.put("hbase.regionserver.slowlog.buffer.enabled", "true");
    live.reload();
    assertThat(slow(log)).as("they do not come back").isEmpty();
  }

  @Test
  void theLogsLineIsHBases() {
    FinishedCall call = call("Get", get(REGION), 11, 42);
    assertThat(SlowLogLine.of(call, CallDescription.of(call), "HRegionServer", true, false))
        .isEqualTo(
            "(responseTooSlow): {\"call\":\"Get("
                + "org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos$GetRequest)\","
                + "\"starttimems\":\"1000\",\"responsesize\":\"42\",\"fsreadtime\":\"0\",\"method\":\"Get\","
                + "\"param\":\"region= t1,,1.abc., row=row1\",\"processingtimems\":11,"
                + "\"client\":\"10.0.0.1:4711\",\"queuetimems\":3,\"class\":\"HRegionServer\"}");
    assertThat(SlowLogLine.of(call, CallDescription.of(call), "HRegionServer", false, true))
        .startsWith("(responseTooLarge): {");
    FinishedCall scan = call("Scan", scan(), 11, 42);
    assertThat(SlowLogLine.of(scan, CallDescription.of(scan), "HRegionServer", true, true))
        .startsWith("(responseTooLarge & TooSlow): {")
        .endsWith(",\"scandetails\":\"table: t1 region: t1,,1.abc.\"}");
    FinishedCall batch = call("Multi", MultiRequest.getDefaultInstance(), 11, 42);
    assertThat(SlowLogLine.of(batch, CallDescription.of(batch), "HRegionServer", true, false))
        .endsWith(",\"multi.gets\":0,\"multi.mutations\":0,\"multi.service_calls\":0}");
  }
}
