package dev.cairn.server.master.page;

import dev.cairn.server.master.assignment.RegionMoves.RegionMove;
import dev.cairn.server.master.chore.Switches.Switch;
import dev.cairn.server.master.members.ServerManager;
import dev.cairn.server.master.procedure.ProcedureRecord;
import dev.cairn.server.page.Kind;
import dev.cairn.server.page.Level;
import dev.cairn.server.page.Section;
import dev.cairn.server.page.Table;
import dev.cairn.server.page.Timeline;
import dev.cairn.server.page.Value;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ErrorHandlingProtos.ForeignExceptionMessage;

/** Tables of the master's work: procedures, recoveries, locks, switches. Stateless. */
final class ProcedureTables {
  private ProcedureTables() {}

  static List<Section> sections(ClusterView cluster) {
    return List.of(
        procedures(cluster.procedures()),
        recoveries(cluster.recoveries()),
        Table.of("locks", "Locks", cluster.locks())
            .column("resource", "Resource", Kind.NAME, lock -> Value.name(lock.resource()))
            .text("holder", "Held by", ClusterView.Lock::holder)
            .text("waiting", "Waiting", ClusterView.Lock::waiting)
            .whenEmpty("Nothing is locked.")
            .build(),
        Table.of("switches", "Switches", Arrays.asList(Switch.values()))
            .text("switch", "Switch", one -> one.name().toLowerCase(Locale.ROOT).replace('_', ' '))
            .column(
                "state",
                "State",
                Kind.STATE,
                one ->
                    cluster.switches().getOrDefault(one, false)
                        ? Value.state(Level.GOOD, "on")
                        : Value.state(Level.WARN, "off"))
            .build());
  }

  private static Table<ProcedureRecord> procedures(List<ProcedureRecord> procedures) {
    return Table.of("procedures", "Procedures", procedures)
        .column("id", "Procedure", Kind.NAME, one -> Value.name(Long.toString(one.id())))
        .text("kind", "Kind", one -> one.kind().simpleName())
        .column("state", "State", Kind.STATE, ProcedureTables::state)
        .count("steps", "Steps done", ProcedureRecord::step)
        .text("owner", "Owner", ProcedureRecord::owner)
        .time("submittedMillis", "Submitted", ProcedureRecord::submittedMillis)
        .time("updatedMillis", "Last step", ProcedureRecord::updatedMillis)
        .text("failure", "Failure", ProcedureTables::failure)
        .sortedBy("-submittedMillis")
        .whenEmpty("No procedure runs or has ended lately.")
        .build();
  }

  private static Value state(ProcedureRecord procedure) {
    return switch (procedure.state()) {
      case SUCCESS -> Value.state(Level.GOOD, "SUCCESS");
      case ROLLEDBACK, FAILED -> Value.state(Level.BAD, procedure.state().name());
      default -> Value.state(Level.WARN, "running");
    };
  }

  private static String failure(ProcedureRecord procedure) {
    return procedure
        .failure()
        .map(ForeignExceptionMessage::getGenericException)
        .map(cause -> cause.getClassName() + ": " + cause.getMessage())
        .orElse("");
  }

  private static Table<ServerManager.Recovery> recoveries(List<ServerManager.Recovery> all) {
    return Table.of("recoveries", "Recoveries of dead servers", all)
        .column("server", "Server", Kind.NAME, one -> Value.name(one.server().toString()))
        .column("id", "Procedure", Kind.NAME, one -> Value.name(Long.toString(one.id())))
        .time("sinceMillis", "Since", ServerManager.Recovery::sinceMillis)
        .whenEmpty("No log of a dead server is being recovered.")
        .build();
  }

  /** Returns the procedures, the moves of regions and the recoveries of dead servers as events. */
  static List<Timeline.Event> events(ClusterView cluster, long nowMillis) {
    Stream<Timeline.Event> running =
        cluster.recoveries().stream()
            .map(one -> recovery(one, nowMillis, Level.WARN, " is being recovered"));
    Stream<Timeline.Event> ended =
        cluster.recovered().stream()
            .map(one -> recovery(one.recovery(), one.endMillis(), Level.GOOD, " was recovered"));
    Stream<Timeline.Event> moves = cluster.moves().stream().map(ProcedureTables::move);
    return Stream.of(procedures(cluster), moves, running, ended)
        .flatMap(Function.identity())
        .toList();
  }

  private static Timeline.Event move(RegionMove move) {
    return new Timeline.Event(
        "move",
        move.sinceMillis(),
        Math.max(move.sinceMillis(), move.endMillis()),
        Level.PLAIN,
        "Region "
            + move.region().encodedName()
            + " of table "
            + move.region().table()
            + " moved from "
            + move.from().hostAndPort()
            + " to "
            + move.to().hostAndPort());
  }

  private static Timeline.Event recovery(
      ServerManager.Recovery recovery, long endMillis, Level level, String what) {
    return new Timeline.Event(
        "failover",
        recovery.sinceMillis(),
        Math.max(recovery.sinceMillis(), endMillis),
        level,
        "Dead region server " + recovery.server().hostAndPort() + what);
  }

  private static Stream<Timeline.Event> procedures(ClusterView cluster) {
    return cluster.procedures().stream()
        .map(
            one ->
                new Timeline.Event(
                    "procedure",
                    one.submittedMillis(),
                    Math.max(one.submittedMillis(), one.updatedMillis()),
                    one.failure().isPresent() ? Level.BAD : Level.PLAIN,
                    one.kind().simpleName()
                        + " "
                        + one.id()
                        + (one.failure().isPresent()
                            ? " failed: " + failure(one)
                            : one.isDone() ? "" : " runs")));
  }
}
