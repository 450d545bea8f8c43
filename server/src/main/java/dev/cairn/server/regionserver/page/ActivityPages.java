package dev.cairn.server.regionserver.page;

import dev.cairn.engine.store.CompactionProgress;
import dev.cairn.server.page.Kind;
import dev.cairn.server.page.Level;
import dev.cairn.server.page.Page;
import dev.cairn.server.page.PageInfo;
import dev.cairn.server.page.PageInfo.MenuGroup;
import dev.cairn.server.page.PageSource;
import dev.cairn.server.page.Section;
import dev.cairn.server.page.Section.Notice;
import dev.cairn.server.page.Table;
import dev.cairn.server.page.Value;
import dev.cairn.server.quota.Throttles.ThrottleInForce;
import dev.cairn.server.regionserver.client.OpenScanners;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.rpc.QueueState;
import dev.cairn.server.rpc.RunningCall;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerTask;

/** The pages of a region server's activity: calls, scanners, compactions. Thread-safe. */
final class ActivityPages {
  /** Stands below the calls. */
  private static final Notice ENDINGS =
      new Notice(
          Level.PLAIN,
          "A scan can be ended before its next row, and a batch before its next get; the writes of"
              + " a batch go on. Single gets, single writes and all other calls cannot be ended: a"
              + " get reads one row, and a write that is in the log cannot be taken back.");

  private final Supplier<Collection<HostedRegion>> regions;
  private final ServerActivity activity;

  ActivityPages(Supplier<Collection<HostedRegion>> regions, ServerActivity activity) {
    this.regions = regions;
    this.activity = activity;
  }

  List<PageSource> pages() {
    return List.of(
        PageSource.of(
            info(
                "calls",
                "Calls and scanners",
                "The running calls, the queues in which calls wait, and the open scanners."),
            request -> Page.of("Calls and scanners", queues(), calls(), ENDINGS, scanners())),
        PageSource.of(
            info(
                "slow",
                "Slow and large calls",
                "The kept slow and large calls with the parts of their time, latest first."),
            request -> new Page("Slow and large calls", slow())),
        PageSource.of(
            info(
                "compactions",
                "Compactions",
                "The compactions that run, with their progress, and those that wait."),
            request -> Page.of("Compactions", live(), compactions())),
        PageSource.of(
            info(
                "throttles",
                "Throttles",
                "The limits on requests that are in force on this server, and their remaining"
                    + " amounts."),
            request -> Page.of("Throttles", throttles())));
  }

  private static PageInfo info(String id, String title, String sentence) {
    return PageInfo.of(id, title, MenuGroup.SERVER, sentence);
  }

  private Table<QueueState> queues() {
    return Table.of("queues", "Call queues", activity.queues())
        .column("queue", "Queue", Kind.NAME, queue -> Value.name(queue.name()))
        .count("waiting", "Waiting", QueueState::waiting)
        .count("capacity", "May wait", QueueState::capacity)
        .count("active", "Running", QueueState::active)
        .count("handlers", "Handlers", QueueState::handlers)
        .count("handlersMax", "Most handlers", QueueState::handlersMax)
        .build();
  }

  private Table<RunningCall> calls() {
    return Table.of("calls", "Running calls", activity.calls())
        .text("method", "Method", RunningCall::method)
        .text("service", "Service", RunningCall::service)
        .text("user", "User", RunningCall::user)
        .column("client", "Client", Kind.NAME, call -> Value.name(call.client()))
        .count("id", "Number", RunningCall::id)
        .bytes("requestBytes", "Request", RunningCall::requestBytes)
        .millis("ageMillis", "For", RunningCall::ageMillis)
        .column(
            "end",
            "End it",
            Kind.TEXT,
            call ->
                call.canEnd()
                    ? new Value.Link(
                        Value.text("End"),
                        EndActions.CALL_ADDRESS,
                        Map.of("client", call.client(), "call", Integer.toString(call.id())))
                    : Value.text("not possible"))
        .sortedBy("-ageMillis")
        .whenEmpty("No handler is answering a call. Short calls do not need one.")
        .build();
  }

  private Table<OpenScanners.State> scanners() {
    return Table.of("scanners", "Open scanners", activity.scanners())
        .column("id", "Scanner", Kind.NAME, scanner -> Value.name(Long.toString(scanner.id())))
        .column(
            "table",
            "Table",
            Kind.NAME,
            scanner -> Value.name(scanner.region().info().table().toString()))
        .column(
            "region", "Region", Kind.NAME, scanner -> Value.name(scanner.region().encodedName()))
        .column(
            "state",
            "State",
            Kind.STATE,
            scanner -> Value.state(Level.PLAIN, scanner.isBusy() ? "in a call" : "waiting"))
        .count("calls", "Calls", OpenScanners.State::calls)
        .bytes("lastBytes", "Last response", OpenScanners.State::lastBytes)
        .column(
            "leaseLeftMillis",
            "Lease left",
            Kind.MILLIS,
            scanner -> scanner.isBusy() ? Value.NONE : Value.millis(scanner.leaseLeftMillis()))
        .column(
            "end",
            "End it",
            Kind.TEXT,
            scanner ->
                new Value.Link(
                    Value.text("End"),
                    EndActions.SCANNER_ADDRESS,
                    Map.of("scanner", Long.toString(scanner.id()))))
        .whenEmpty("No scanner is open.")
        .build();
  }

  private List<Section> slow() {
    List<Section> sections = new ArrayList<>();
    if (!activity.keepsSlowCalls()) {
      sections.add(
          new Notice(
              Level.PLAIN,
              "Slow and large calls are in the server's log only. To keep them here, set"
                  + " hbase.regionserver.slowlog.buffer.enabled to true."));
    }
    sections.add(
        Table.of("slow", "Slow and large calls", activity.slowCalls())
            .text("method", "Method", call -> call.payload().getMethodName())
            .time("startMillis", "Began", call -> call.payload().getStartTime())
            .millis("queueMillis", "In queue", call -> (long) call.payload().getQueueTime())
            .millis(
                "processingMillis", "Processing", call -> (long) call.payload().getProcessingTime())
            .millis("lockMillis", "Row locks", call -> call.phases().lockMillis())
            .millis("logMillis", "Log", call -> call.phases().logMillis())
            .millis("blocksMillis", "Blocks", call -> call.phases().blocksMillis())
            .millis("hooksMillis", "Hooks", call -> call.phases().hooksMillis())
            .millis("restMillis", "Rest", call -> call.phases().restMillis())
            .count("diskBlocks", "Blocks from disk", call -> call.phases().diskBlocks())
            .bytes("diskBytes", "From disk", call -> call.phases().diskBytes())
            .count("cachedBlocks", "Blocks from cache", call -> call.phases().cachedBlocks())
            .bytes("cachedBytes", "From cache", call -> call.phases().cachedBytes())
            .bytes("responseBytes", "Response", call -> call.payload().getResponseSize())
            .text("type", "Kind", call -> call.payload().getType().name())
            .text("user", "User", call -> call.payload().getUserName())
            .column(
                "client",
                "Client",
                Kind.NAME,
                call -> Value.name(call.payload().getClientAddress()))
            .column(
                "region", "Region", Kind.NAME, call -> Value.name(call.payload().getRegionName()))
            .column("details", "Request", Kind.NAME, call -> Value.name(call.payload().getParam()))
            .sortedBy("-startMillis")
            .whenEmpty("No call has been slow or large.")
            .build());
    return sections;
  }

  /** A running compaction of one family. */
  private record Live(HostedRegion region, CompactionProgress progress) {}

  private Table<Live> live() {
    List<Live> rows =
        regions.get().stream()
            .flatMap(
                region ->
                    region.compactions().compactionProgress().stream()
                        .map(one -> new Live(region, one)))
            .toList();
    return Table.of("live", "Running now", rows)
        .column(
            "table", "Table", Kind.NAME, one -> Value.name(one.region().info().table().toString()))
        .column("region", "Region", Kind.NAME, one -> Value.name(one.region().encodedName()))
        .column("family", "Family", Kind.NAME, one -> Value.name(one.progress().family()))
        .text("kind", "Kind", one -> one.progress().major() ? "major" : "minor")
        .count("files", "Files", one -> one.progress().files())
        .column("share", "Done", Kind.RATIO, one -> Value.ratio(one.progress().share()))
        .count("readCells", "Cells read", one -> one.progress().readCells())
        .count("inputCells", "of about", one -> one.progress().inputCells())
        .count("writtenCells", "Cells written", one -> one.progress().writtenCells())
        .bytes("inputBytes", "Input", one -> one.progress().inputBytes())
        .bytes("writtenBytes", "Cells written, bytes", one -> one.progress().writtenBytes())
        .millis("ageMillis", "For", one -> TimeUnit.NANOSECONDS.toMillis(one.progress().nanos()))
        .column("remainingMillis", "Still about", Kind.MILLIS, one -> remaining(one.progress()))
        .sortedBy("-ageMillis")
        .whenEmpty("No compaction is merging files at this moment.")
        .build();
  }

  private static Value remaining(CompactionProgress progress) {
    long nanos = progress.remainingNanos();
    return nanos < 0 ? Value.NONE : Value.millis(TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  private Table<ThrottleInForce> throttles() {
    return Table.of("throttles", "Limits on requests", activity.throttles())
        .column("limited", "Limited", Kind.NAME, one -> Value.name(one.limited()))
        .text("kind", "What", one -> one.kind().toLowerCase(Locale.ROOT).replace('_', ' '))
        .count("limit", "Limit", ThrottleInForce::limit)
        .text("unit", "In a", one -> one.unit().replaceAll("s$", ""))
        .column(
            "state",
            "State",
            Kind.STATE,
            one ->
                one.available() > 0
                    ? Value.state(Level.GOOD, "free")
                    : Value.state(Level.WARN, "calls wait"))
        .count("available", "Left now", ThrottleInForce::available)
        .whenEmpty("No limit on requests is in force here.")
        .build();
  }

  private Table<ServerTask> compactions() {
    long now = activity.nowMillis();
    return Table.of("compactions", "Requested", activity.compactions())
        .text("what", "Compaction", ServerTask::getDescription)
        .column(
            "state",
            "State",
            Kind.STATE,
            task ->
                Value.state(
                    task.getState() == ServerTask.State.RUNNING ? Level.GOOD : Level.PLAIN,
                    task.getState() == ServerTask.State.RUNNING ? "running" : "waiting"))
        .text("status", "Status", ServerTask::getStatus)
        .time("sinceMillis", "Requested", ServerTask::getStartTime)
        .millis("ageMillis", "For", task -> Math.max(0, now - task.getStartTime()))
        .sortedBy("-ageMillis")
        .whenEmpty("No compaction waits or runs.")
        .build();
  }
}
