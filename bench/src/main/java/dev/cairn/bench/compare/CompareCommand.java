package dev.cairn.bench.compare;

import dev.cairn.bench.load.LoadPlan;
import dev.cairn.bench.load.Workload;
import dev.cairn.bench.load.Workload.Distribution;
import dev.cairn.bench.load.Workload.Kind;
import dev.cairn.bench.report.Machine;
import dev.cairn.bench.report.Measurement;
import dev.cairn.bench.report.ReportFiles;
import dev.cairn.bench.report.Run;
import dev.cairn.bench.report.RunFile;
import dev.cairn.bench.report.Tables;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cairn bench compare}: the same work on Cairn and on Apache HBase. */
@Command(
    name = "compare",
    description = {
      "Runs the same work on Cairn and on Apache HBase 2.6.4, in turn and repeated.",
      "Each runs in a process of its own on this machine, with the same heap, and is driven by HBase's"
          + " unmodified client. The defaults take about half an hour."
    },
    sortOptions = false)
public final class CompareCommand implements Callable<Integer> {
  @Option(
      names = "--workloads",
      split = ",",
      paramLabel = "NAME",
      description = {
        "What to do, in this order: ${COMPLETION-CANDIDATES} (default: all).",
        "A to F are YCSB's."
      })
  private List<Kind> workloads = List.of(Kind.values());

  @Option(
      names = "--sides",
      split = ",",
      paramLabel = "NAME",
      description =
          "Who is compared: ${COMPLETION-CANDIDATES} (default: CAIRN,HBASE). CANNED answers every"
              + " call at once with a canned response: the limit of wire and client.")
  private List<Competitor> competitors = List.of(Competitor.CAIRN, Competitor.HBASE);

  @Option(
      names = "--distribution",
      split = ",",
      paramLabel = "NAME",
      description =
          "Which rows A, B, C, E and F choose: ${COMPLETION-CANDIDATES} (default: zipfian; several"
              + " do them several times).")
  private List<Distribution> distributions = List.of(Distribution.ZIPFIAN);

  @Option(
      names = "--values",
      split = ",",
      paramLabel = "BYTES",
      description = "The sizes of values in BULK, PUT and GET (default: 100,1000,100000).")
  private List<Integer> values = List.of(100, 1000, 100_000);

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "500000",
      description = "Rows of YCSB's table (default: ${DEFAULT-VALUE}).")
  private int records;

  @Option(
      names = "--fields",
      paramLabel = "N",
      defaultValue = "10",
      description = "Cells of each (default: ${DEFAULT-VALUE}).")
  private int fields;

  @Option(
      names = "--field-bytes",
      paramLabel = "N",
      defaultValue = "100",
      description = "Bytes of each cell's value (default: ${DEFAULT-VALUE}).")
  private int fieldBytes;

  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "4",
      description = "Regions of YCSB's table (default: ${DEFAULT-VALUE}).")
  private int regions;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "8",
      description = "Calls that are under way at once (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "How often all is done, on new servers (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "5",
      description = "How long each workload is measured (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      defaultValue = "3",
      description = "How long it runs before (default: ${DEFAULT-VALUE}).")
  private double warmUp;

  @Option(
      names = "--fixed-seconds",
      paramLabel = "S",
      description = "How long it is measured at a fixed rate; 0: not at all (default: --seconds).")
  private Double fixedSeconds;

  @Option(
      names = "--fixed-share",
      paramLabel = "X",
      defaultValue = "0.6",
      description =
          "The fixed rate, as a share of what the slowest side reached in the first round (default:"
              + " ${DEFAULT-VALUE}).")
  private double fixedShare;

  @Option(
      names = "--undisturbed",
      description = "At the fixed rate, do not let the table be flushed and compacted meanwhile.")
  private boolean undisturbed;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      defaultValue = "4g",
      description = "Each server's heap (default: ${DEFAULT-VALUE}).")
  private String heap;

  @Option(
      names = "--client-heap",
      paramLabel = "SIZE",
      defaultValue = "1g",
      description = "The heap of each process that drives the load (default: ${DEFAULT-VALUE}).")
  private String clientHeap;

  @Option(
      names = "--hbase-java",
      paramLabel = "OPTIONS",
      defaultValue = "-XX:+UseG1GC",
      description =
          "More options for the Java of HBase's server (default: ${DEFAULT-VALUE}); those for Cairn's"
              + " come from the environment, as HBASE_OPTS.")
  private String hbaseJava;

  @Option(
      names = "--wal",
      paramLabel = "MODE",
      defaultValue = "FLUSH",
      description =
          "When a write is acknowledged: ${COMPLETION-CANDIDATES}: its log has reached the operating"
              + " system, or the device (default: ${DEFAULT-VALUE}).")
  private Durability wal;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A key of hbase-site.xml, for all servers.")
  private Map<String, String> settings = Map.of();

  @Option(
      names = "--quick",
      description =
          "Less of everything, to see that it works: 20000 records, one round, two seconds each.")
  private boolean quick;

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description = "Where the servers keep their data (default: a temporary folder).")
  private Path folder;

  @Option(names = "--keep", description = "Leave the servers' files there.")
  private boolean keep;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = "Where results are written (default: bench/target/compare).")
  private Path output;

  @Spec private CommandSpec spec;

  /** Who can be compared. */
  enum Competitor {
    CAIRN,
    HBASE,
    CANNED
  }

  /** When a write is acknowledged. */
  enum Durability {
    FLUSH,
    SYNC
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (quick) {
      shorten();
    }
    Plan plan = plan();
    Path home = home();
    Path results = output == null ? home.resolve("bench/target/compare") : output;
    List<Side> sides = sides(home);
    Instant started = Instant.now();
    PrintWriter err = spec.commandLine().getErr();
    Comparison comparison = new Comparison(plan, sides, err);
    String commit = Commit.of(home);
    comparison.run(measured -> write(results, run(started, commit, comparison.jvms(), measured)));
    if (!keep && folder == null) {
      DataFolder.delete(plan.folder());
    }
    PrintWriter out = spec.commandLine().getOut();
    Run run = RunFile.read(results.resolve("results.json"));
    out.print(new Tables(run, run.sides().get(0)).all());
    out.flush();
    err.println("The results, these tables and plots are in " + results);
    err.flush();
    return 0;
  }

  private List<Side> sides(Path home) throws IOException {
    List<Side> sides = new ArrayList<>();
    for (Competitor one : competitors) {
      sides.add(
          switch (one) {
            case CAIRN -> new CairnSide(home);
            case HBASE ->
                new ApacheSide(
                    ApacheClassPath.resolve(home.resolve("bench")),
                    List.of(hbaseJava.trim().split(" +")));
            case CANNED -> new LimitSide(records, fields, fieldBytes);
          });
    }
    return sides;
  }

  private void shorten() {
    records = fromUser("--records") ? records : 20_000;
    rounds = fromUser("--rounds") ? rounds : 1;
    seconds = fromUser("--seconds") ? seconds : 2;
    warmUp = fromUser("--warm-up") ? warmUp : 1;
    values = fromUser("--values") ? values : List.of(100);
    heap = fromUser("--heap") ? heap : "1g";
  }

  private boolean fromUser(String name) {
    OptionSpec option = spec.findOption(name);
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  private static Path home() throws IOException {
    String home = System.getProperty("cairn.home");
    if (home == null) {
      throw new IOException("Start this as: bin/cairn bench compare");
    }
    return Path.of(home);
  }

  private Plan plan() throws IOException {
    require(rounds >= 1, "--rounds must be at least 1, not " + rounds);
    require(seconds > 0, "--seconds must be more than 0, not " + seconds);
    require(warmUp >= 0, "--warm-up must be at least 0, not " + warmUp);
    require(
        fixedSeconds == null || fixedSeconds >= 0,
        "--fixed-seconds must be at least 0, not " + fixedSeconds);
    require(
        fixedShare > 0 && fixedShare <= 1,
        "--fixed-share must be more than 0 and at most 1, not " + fixedShare);
    LoadPlan load;
    List<Workload> all;
    try {
      load = new LoadPlan(records, fields, fieldBytes, regions, threads, CELL_BYTES_MAX);
      all = all();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    }
    return new Plan(
        all,
        load,
        new ServerSettings(heap, wal == Durability.SYNC, settings),
        rounds,
        warmUp,
        seconds,
        fixedSeconds == null ? seconds : fixedSeconds,
        fixedShare,
        !undisturbed,
        clientHeap,
        folder == null ? Files.createTempDirectory("cairn-compare") : folder,
        keep);
  }

  private static final long CELL_BYTES_MAX = 200_000_000;

  private List<Workload> all() {
    List<Workload> all = new ArrayList<>();
    for (Kind kind : workloads) {
      if (kind.sized()) {
        values.forEach(size -> all.add(new Workload(kind, Distribution.UNIFORM, size)));
      } else if (kind.distributed()) {
        distributions.forEach(one -> all.add(new Workload(kind, one, 0)));
      } else {
        all.add(new Workload(kind, Distribution.ZIPFIAN, 0));
      }
    }
    return all;
  }

  private void require(boolean allowed, String otherwise) {
    if (!allowed) {
      throw new ParameterException(spec.commandLine(), otherwise);
    }
  }

  private Run run(
      Instant started, String commit, Map<String, String> jvms, List<Measurement> measured) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("records", records + " rows of " + fields + " cells of " + fieldBytes + " B");
    options.put("client threads", Integer.toString(threads));
    options.put(
        "log",
        wal == Durability.SYNC
            ? "synced to the device before a write is acknowledged"
            : "with the operating system before a write is acknowledged");
    options.put("measured", "%.0f s after %.0f s of warm-up".formatted(seconds, warmUp));
    options.put(
        "fixed rate",
        "%.0f %% of the slower side's throughput%s"
            .formatted(fixedShare * 100, undisturbed ? "" : ", with a flush and a compaction"));
    jvms.forEach((side, jvm) -> options.put(side + "'s Java", jvm));
    if (!settings.isEmpty()) {
      options.put(
          "settings",
          settings.entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining(", ")));
    }
    return new Run(
        "Cairn and Apache HBase 2.6.4",
        started,
        Machine.local(),
        commit,
        options,
        Comparison.METRICS,
        measured);
  }

  private static void write(Path folder, Run run) {
    try {
      RunFile.write(run, folder.resolve("results.json"));
      ReportFiles.write(run, new Tables(run, run.sides().get(0)), folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
