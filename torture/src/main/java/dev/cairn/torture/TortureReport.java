package dev.cairn.torture;

import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.torture.model.TableModel;
import dev.cairn.torture.simulation.Machine;
import dev.cairn.torture.simulation.Tally;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The events in one world, or in many. Not thread-safe. */
public final class TortureReport {
  private final Map<String, Long> counts = new LinkedHashMap<>();
  private final Map<StorageOperation, Long> faults = new EnumMap<>(StorageOperation.class);
  private final List<Long> failedSeeds = new ArrayList<>();
  private long nanos;

  TortureReport() {}

  /** Adds to a count, under a name for people. */
  void count(String what, long number) {
    counts.merge(what, number, Long::sum);
  }

  /** Adds what a server has seen. */
  void add(Server server) {
    count("kills", server.kills());
    count("power cuts", server.powerCuts());
    count("restarts", server.restarts());
    count("splits", server.splits());
    count("comparisons", server.tables().stream().mapToLong(TableModel::comparisons).sum());
    add(server.machine());
  }

  /** Adds the events of a machine. */
  void add(Machine machine) {
    Tally tally = machine.tally();
    count("log entries replayed", tally.replayed());
    count("flushes", tally.flushes());
    count("compactions", tally.compactions());
    count("major compactions", tally.majorCompactions());
    count("log files rolled", tally.rolls());
    count("log files failed", tally.logFilesFailed());
    count("stalls on a full disk", tally.stalls());
    count("logs failed for good", tally.logFailures());
    machine.faults().injected().forEach((kind, n) -> faults.merge(kind, n, Long::sum));
  }

  /** Adds another report. */
  void add(TortureReport other) {
    other.counts.forEach(this::count);
    other.faults.forEach((kind, n) -> faults.merge(kind, n, Long::sum));
  }

  /** Takes note of a world that failed. */
  void failed(long seed) {
    failedSeeds.add(seed);
  }

  TortureReport copy(long afterNanos) {
    TortureReport copy = new TortureReport();
    copy.add(this);
    copy.failedSeeds.addAll(failedSeeds);
    copy.nanos = afterNanos;
    return copy;
  }

  /** Returns a number by its name, 0 if nothing was counted under it. */
  public long number(String what) {
    return counts.getOrDefault(what, 0L);
  }

  /** Returns the seeds of the worlds in which something was wrong. */
  public List<Long> failedSeeds() {
    return Collections.unmodifiableList(failedSeeds);
  }

  /** Returns one line: how far it is. */
  public String line() {
    return String.format(
        Locale.ROOT,
        "%5d s: %,d operations (%,.0f/s) in %d worlds, %,d crashes, %,d faults, %,d comparisons, %d differences",
        nanos / 1_000_000_000,
        number("operations"),
        perSecond(),
        number("worlds"),
        number("kills") + number("power cuts"),
        faultCount(),
        number("comparisons"),
        failedSeeds.size());
  }

  /** Returns all of it, in lines. */
  public String text() {
    StringBuilder text = new StringBuilder();
    row(text, "time", String.format(Locale.ROOT, "%,d s", nanos / 1_000_000_000));
    row(text, "operations per second", String.format(Locale.ROOT, "%,.0f", perSecond()));
    counts.forEach((what, number) -> row(text, what, String.format(Locale.ROOT, "%,d", number)));
    row(
        text,
        "faults",
        String.format(Locale.ROOT, "%,d", faultCount())
            + faults.entrySet().stream()
                .map(e -> e.getKey().name().toLowerCase(Locale.ROOT) + " " + e.getValue())
                .collect(Collectors.joining(", ", " (", ")")));
    row(text, "differences", "" + failedSeeds.size());
    return text.toString();
  }

  private static void row(StringBuilder text, String what, String number) {
    text.append(String.format(Locale.ROOT, "%-24s %s%n", what, number));
  }

  private double perSecond() {
    return number("operations") / Math.max(1e-9, nanos / 1e9);
  }

  private long faultCount() {
    return faults.values().stream().mapToLong(n -> n).sum();
  }
}
