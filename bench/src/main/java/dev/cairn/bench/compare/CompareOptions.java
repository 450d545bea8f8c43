package dev.cairn.bench.compare;

import dev.cairn.bench.load.LoadPlan;
import dev.cairn.bench.load.Workload;
import dev.cairn.bench.load.Workload.Distribution;
import dev.cairn.bench.load.Workload.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code cairn bench compare}, and the plan that follows from them. */
final class CompareOptions {
  private static final long CELL_BYTES_MAX = 200_000_000;

  @Option(
      names = "--workloads",
      split = ",",
      paramLabel = "NAME",
      description = {
        "The workloads, in this order: ${COMPLETION-CANDIDATES} (default: all).",
        "A to F are YCSB's."
      })
  private List<Kind> workloads = List.of(Kind.values());

  @Option(
      names = "--sides",
      split = ",",
      paramLabel = "NAME",
      description =
          "The compared sides: ${COMPLETION-CANDIDATES} (default: CAIRN,HBASE). OTHER is the"
              + " build of Cairn that --other names; CANNED answers every call at once with a"
              + " canned response: the limit of wire and client.")
  private List<Competitor> competitors = List.of(Competitor.CAIRN, Competitor.HBASE);

  @Option(
      names = "--other",
      paramLabel = "DIR",
      description = "For the side OTHER: a clone with another version of Cairn, already built.")
  private Path other;

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
      description = "Number of rounds, each on new servers (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--turns",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Turns of each side at each workload in a round, except LOAD and BULK (default:"
              + " ${DEFAULT-VALUE}). With more and shorter turns, a machine's bad moments"
              + " affect the sides more equally.")
  private int turns;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "5",
      description =
          "Duration of each workload's measurement in a turn (default:" + " ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      defaultValue = "3",
      description = "Warm-up before it (default: ${DEFAULT-VALUE}).")
  private double warmUp;

  @Option(
      names = "--fixed-seconds",
      paramLabel = "S",
      description = "Duration of its measurement at a fixed rate; 0: none (default: --seconds).")
  private Double fixedSeconds;

  @Option(
      names = "--fixed-share",
      paramLabel = "X",
      defaultValue = "0.6",
      description =
          "The fixed rate, as a share of the slowest side's rate in the first round (default:"
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
      names = "--other-set",
      paramLabel = "KEY=VALUE",
      description =
          "A key of hbase-site.xml for the side OTHER only; with --other on this clone, the sides"
              + " differ in these keys alone.")
  private Map<String, String> otherSettings = Map.of();

  @Option(
      names = "--root",
      paramLabel = "URL",
      description =
          "A folder of a shared file system, such as hdfs://HOST:PORT/FOLDER, in which each server"
              + " keeps its data in a folder of its own (default: the local disk).")
  private String root;

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

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** The databases that can be compared. */
  enum Competitor {
    CAIRN,
    HBASE,
    CANNED,
    OTHER
  }

  /** The durability at which a write is acknowledged. */
  enum Durability {
    FLUSH,
    SYNC
  }

  /** Tells whether to delete the servers' files afterwards, with their folder. */
  boolean isTemporary() {
    return !keep && folder == null;
  }

  /** Returns the compared sides. */
  List<Side> sides(Path home) throws IOException {
    List<Side> sides = new ArrayList<>();
    for (Competitor one : competitors) {
      sides.add(
          switch (one) {
            case CAIRN -> new CairnSide("Cairn", home);
            case OTHER -> new CairnSide("other Cairn", other.toAbsolutePath(), otherSettings);
            case HBASE ->
                new ApacheSide(
                    ApacheClassPath.resolve(home.resolve("bench")),
                    List.of(hbaseJava.trim().split(" +")));
            case CANNED -> new LimitSide(records, fields, fieldBytes);
          });
    }
    return sides;
  }

  /**
   * Returns what is to be done.
   *
   * @throws ParameterException if an option's value is impossible
   */
  Plan plan() throws IOException {
    if (quick) {
      shorten();
    }
    require(rounds >= 1, "--rounds must be at least 1, not " + rounds);
    if (competitors.contains(Competitor.OTHER)) {
      require(other != null, "The side OTHER needs --other, the folder of another build of Cairn");
      require(
          Files.isExecutable(CairnSide.program(other)),
          "--other must be a clone of Cairn, but there is no " + CairnSide.program(other));
    }
    require(turns >= 1, "--turns must be at least 1, not " + turns);
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
        new ServerSettings(heap, wal == Durability.SYNC, settings, Optional.ofNullable(root)),
        rounds,
        turns,
        warmUp,
        seconds,
        fixedSeconds == null ? seconds : fixedSeconds,
        fixedShare,
        !undisturbed,
        clientHeap,
        folder == null ? Files.createTempDirectory("cairn-compare") : folder,
        keep);
  }

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

  /**
   * Returns, in words, how it was measured.
   *
   * @param jvms each side's Java
   */
  Map<String, String> described(Map<String, String> jvms) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("records", records + " rows of " + fields + " cells of " + fieldBytes + " B");
    options.put("client threads", Integer.toString(threads));
    options.put(
        "log",
        wal == Durability.SYNC
            ? "synced to the device before a write is acknowledged"
            : "with the operating system before a write is acknowledged");
    options.put(
        "measured",
        "%d rounds, %d turns of %.0f s after %.0f s of warm-up"
            .formatted(rounds, turns, seconds, warmUp));
    if (fixedSeconds == null || fixedSeconds > 0) {
      options.put(
          "fixed rate",
          "%.0f %% of the slower side's throughput%s"
              .formatted(fixedShare * 100, undisturbed ? "" : ", with a flush and a compaction"));
    }
    if (root != null) {
      options.put("data", "on " + root.replaceAll(":.*", "") + " instead of a local disk");
    }
    // Omits this machine's folders, which mean nothing elsewhere.
    jvms.forEach((side, jvm) -> options.put(side + "'s Java", jvm.replaceAll("=/\\S*/", "=")));
    if (!settings.isEmpty()) {
      options.put("settings", keys(settings));
    }
    if (!otherSettings.isEmpty()) {
      options.put("settings of the side OTHER", keys(otherSettings));
    }
    return options;
  }

  private static String keys(Map<String, String> settings) {
    return settings.entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining(", "));
  }
}
