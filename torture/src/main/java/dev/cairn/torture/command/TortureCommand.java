package dev.cairn.torture.command;

import com.sun.management.OperatingSystemMXBean;
import dev.cairn.engine.time.Clock;
import dev.cairn.torture.IndexUses;
import dev.cairn.torture.Torture;
import dev.cairn.torture.TortureReport;
import dev.cairn.torture.WorldFailure;
import dev.cairn.torture.cluster.ClusterTorture;
import dev.cairn.torture.cluster.Guard;
import dev.cairn.torture.history.RecordedHistory;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bin/cairn torture}: looks for lost writes and wrong answers. Part of a checkout only. */
@Command(
    name = "cairn torture",
    description = {
      "Looks for lost writes and wrong answers.",
      "Runs the storage engine on simulated machines that are killed, lose power and have"
          + " failing disks, and compares every answer with that of a model. Touches no data."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:nothing was found",
      "1:a write was lost, or an answer was wrong",
      "2:it could not run"
    })
public final class TortureCommand implements Callable<Integer> {
  private static final int SOUND = 0;
  private static final int FOUND = 1;
  private static final int NOT_RUN = 2;
  private static final long LINE_MILLIS = 10_000;

  /** The names of Logback's and SLF4J's properties. */
  private static final String LOGBACK = "logback.configurationFile";

  private static final String PROVIDER = "slf4j.provider";

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "1",
      description = "Duration (default: ${DEFAULT-VALUE}).")
  private double minutes;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Runs the one world that begins from this number, instead of many.")
  private Long seed;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Number of concurrent worlds (default: the number of processors).")
  private Integer threads;

  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "1500",
      description = "Operations in each world (default: ${DEFAULT-VALUE}).")
  private int steps;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Folder for the traces of failures (default: here).")
  private Path output;

  @Option(
      names = "--cluster",
      description = {
        "Runs whole clusters instead, each for a simulated day: kills, freezes and partitions",
        "masters and region servers, on a simulated ZooKeeper and HDFS. --steps does not apply."
      })
  private boolean cluster;

  @Option(
      names = "--days",
      paramLabel = "N",
      defaultValue = "1",
      description = "With --cluster and --seed: the number of days, each from the next seed.")
  private int days;

  @Option(
      names = "--without",
      paramLabel = "GUARD",
      split = ",",
      description = {
        "With --cluster: disables guards, to show that the run detects the damage: seal,",
        "directory, scratch, lease, epoch, order, fence, registration, nonces, wait, leader."
      })
  private List<String> without = List.of();

  @Option(
      names = "--history",
      paramLabel = "FILE",
      description = {
        "Checks a history that a test has recorded instead: whether an order of the calls",
        "explains all results."
      })
  private Path history;

  @Spec private CommandSpec spec;

  /** Runs the command line. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new TortureCommand()).execute(arguments));
  }

  @Override
  public Integer call() throws InterruptedException {
    limitLog();
    require(minutes > 0, "--minutes must be more than 0, not " + minutes);
    require(days >= 1, "--days must be at least 1, not " + days);
    require(steps >= 1, "--steps must be at least 1, not " + steps);
    require(threads == null || threads >= 1, "--threads must be at least 1, not " + threads);
    if (history != null) {
      return checkHistory();
    }
    try {
      Files.createDirectories(output);
    } catch (IOException e) {
      spec.commandLine()
          .getErr()
          .println("cairn: cannot write to " + output + ": " + e.getMessage());
      return NOT_RUN;
    }
    return cluster ? runClusters() : runEngines();
  }

  private int checkHistory() {
    try {
      RecordedHistory recorded = RecordedHistory.read(history);
      List<String> violations = recorded.violations();
      PrintWriter out = spec.commandLine().getOut();
      violations.forEach(out::println);
      out.printf(
          Locale.ROOT, "%,d calls, %d rows without an order%n", recorded.size(), violations.size());
      out.flush();
      return violations.isEmpty() ? SOUND : FOUND;
    } catch (IOException e) {
      spec.commandLine().getErr().println("cairn: cannot read " + history + ": " + e.getMessage());
      return NOT_RUN;
    }
  }

  /**
   * Logs the errors of an engine, and nothing of a cluster, whose faults are errors to its servers.
   */
  private void limitLog() {
    if (System.getProperty(LOGBACK) != null) {
      return;
    }
    if (cluster) {
      System.setProperty(PROVIDER, "org.slf4j.helpers.NOP_FallbackServiceProvider");
      System.setProperty("slf4j.internal.verbosity", "WARN"); // otherwise it reports the line above
    } else {
      System.setProperty(LOGBACK, "dev/cairn/torture/logback.xml");
    }
  }

  private int runClusters() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Set<Guard> missing = EnumSet.noneOf(Guard.class);
    try {
      without.forEach(name -> missing.add(Guard.of(name)));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    }
    IndexUses indexes = new IndexUses();
    ClusterTorture torture = new ClusterTorture(missing, TortureCommand::processorNanos);
    Clock clock = Clock.SYSTEM;
    long end = clock.nanoTime() + (long) (minutes * TimeUnit.MINUTES.toNanos(1));
    long first = seed != null ? seed : System.currentTimeMillis() * 1_000;
    AtomicLong next = new AtomicLong(first);
    Supplier<OptionalLong> seeds =
        () -> {
          long day = next.getAndIncrement();
          boolean isWanted =
              seed != null ? day - first < days : day == first || clock.nanoTime() < end;
          return isWanted ? OptionalLong.of(day) : OptionalLong.empty();
        };
    int count = seed != null ? Math.min(days, threads()) : threads();
    List<Thread> running = torture.start(count, Thread::new, seeds, new Days(out, count == 1));
    await(running, torture::line, out);
    out.print(torture.text());
    out.print(indexes.text());
    for (long failed : torture.failedSeeds()) {
      out.println("again: bin/cairn torture --cluster --seed " + failed + withoutAgain());
    }
    out.flush();
    return torture.failedSeeds().isEmpty() ? SOUND : FOUND;
  }

  /** Prints days as they end. */
  private final class Days implements ClusterTorture.Listener {
    private final PrintWriter out;
    private final boolean oneByOne;

    /**
     * @param oneByOne whether no two days run at the same time, so that each has its own processor
     *     time
     */
    private Days(PrintWriter out, boolean oneByOne) {
      this.out = out;
      this.oneByOne = oneByOne;
    }

    @Override
    public void clean(ClusterTorture.CleanDay day) {
      if (oneByOne) {
        out.printf(
            Locale.ROOT,
            "seed %d is clean: %,d operations, %,d faults, %.1f s of processor time%n",
            day.seed(),
            day.operations(),
            day.faults(),
            day.processorNanos() / 1e9);
        out.flush();
      }
    }

    @Override
    public void failed(ClusterTorture.Failure failure) {
      write(failure, out);
    }
  }

  private static long processorNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  private String withoutAgain() {
    return without.isEmpty() ? "" : " --without " + String.join(",", without);
  }

  private int runEngines() throws InterruptedException {
    Torture.Plan plan =
        seed != null
            ? new Torture.Plan(seed, Long.MAX_VALUE, 1, steps, 1)
            : new Torture.Plan(
                System.currentTimeMillis() * 1_000_000,
                (long) (minutes * TimeUnit.MINUTES.toNanos(1)),
                Long.MAX_VALUE,
                steps,
                threads());
    PrintWriter out = spec.commandLine().getOut();
    IndexUses indexes = new IndexUses();
    Torture torture = new Torture(plan, Clock.SYSTEM, failure -> write(failure, out));
    await(torture.start(Thread::new), () -> torture.report().line(), out);
    TortureReport report = torture.report();
    out.print(report.text());
    out.print(indexes.text());
    for (long failed : report.failedSeeds()) {
      out.println("again: bin/cairn torture --seed " + failed + " --steps " + steps);
    }
    out.flush();
    return report.failedSeeds().isEmpty() ? SOUND : FOUND;
  }

  private int threads() {
    return threads != null ? threads : Runtime.getRuntime().availableProcessors();
  }

  /** Waits for the end of all threads, and prints {@code line} now and then. */
  private static void await(List<Thread> running, Supplier<String> line, PrintWriter out)
      throws InterruptedException {
    for (Thread thread : running) {
      while (thread.isAlive()) {
        thread.join(LINE_MILLIS);
        out.println(line.get());
        out.flush();
      }
    }
  }

  private void require(boolean allowed, String otherwise) {
    if (!allowed) {
      throw new ParameterException(spec.commandLine(), otherwise);
    }
  }

  private void write(ClusterTorture.Failure failure, PrintWriter out) {
    Path file = output.resolve("torture-cluster-" + failure.seed() + ".txt");
    try (PrintWriter text = new PrintWriter(Files.newBufferedWriter(file))) {
      failure.errors().forEach(text::println);
      text.println("Events before that:");
      failure.events().forEach(text::println);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out.println(
        "Seed " + failure.seed() + " after " + failure.time() + ": " + failure.errors().get(0));
    out.println("The events before that are in " + file);
    out.flush();
  }

  private void write(WorldFailure failure, PrintWriter out) {
    Path file = output.resolve("torture-" + failure.seed() + ".txt");
    try (PrintWriter text = new PrintWriter(Files.newBufferedWriter(file))) {
      text.println(failure.getMessage());
      failure.printStackTrace(text);
      text.println("All steps:");
      failure.trace().forEach(text::println);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out.println(failure.getMessage());
    out.println("All steps are in " + file);
    out.flush();
  }
}
