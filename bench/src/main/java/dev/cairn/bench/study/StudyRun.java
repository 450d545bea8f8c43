package dev.cairn.bench.study;

import static java.util.stream.Collectors.toSet;

import dev.cairn.bench.cluster.LocalProcesses;
import dev.cairn.bench.cluster.Percentiles;
import dev.cairn.bench.compare.ProcessFigures;
import dev.cairn.bench.compare.StoreFolder;
import dev.cairn.studies.Design;
import dev.cairn.studies.FactWriter;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Question;
import dev.cairn.studies.Study;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;

/** Measures the designs of a study on one cluster, one after the other. One thread. */
final class StudyRun<F, Q> {
  private static final long LOOK_MILLIS = 200;
  private static final int CALM_LOOKS = 5;
  private static final long WARM_UP_FACTS = 200_000;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MICROS_PER_SECOND = 1e6;

  private final Study<F, Q> study;
  private final LocalProcesses processes;

  /** The processes of the region servers. */
  private final List<Long> servers;

  private final Path root;
  private final StudyOptions options;

  /** How many facts are stored. */
  private final long facts;

  /** The answers of the first design, by question and number. */
  private final Map<String, List<Integer>> first = new HashMap<>();

  private Optional<StoredFacts<F, Q>> stored = Optional.empty();

  /**
   * What storing the facts has cost.
   *
   * @param design that stored them
   */
  private record StoredFacts<F, Q>(
      Design<F, Q> design,
      double factsPerSecond,
      double writeMicros,
      DesignFigures.Storing storing,
      double maintainSeconds,
      double bytesPerFact) {}

  /**
   * Creates it.
   *
   * @param root the cluster's {@code hbase.rootdir}
   */
  StudyRun(Study<F, Q> study, LocalProcesses processes, Path root, StudyOptions options)
      throws IOException, InterruptedException {
    this.study = study;
    this.processes = processes;
    this.servers =
        processes.pids().entrySet().stream()
            .filter(process -> process.getKey().startsWith("rs"))
            .map(Map.Entry::getValue)
            .toList();
    this.root = root;
    this.options = options;
    this.facts = options.facts(study);
  }

  /** Stores some facts in a design and asks for some, so that the JIT compilers have begun. */
  void warmUp(Design<F, Q> design) throws IOException, InterruptedException {
    long some = Math.min(facts, WARM_UP_FACTS);
    try (Connection connection = connect()) {
      design.create(connection, some);
      store(design, connection, some);
      for (Question<Q> question : study.questions(some)) {
        ask(design, question, connection);
      }
      design.drop(connection, some);
    }
    first.clear();
  }

  private Connection connect() throws IOException {
    Configuration client = HBaseConfiguration.create();
    client.addResource(
        new org.apache.hadoop.fs.Path(processes.configuration().resolve("hbase-site.xml").toUri()));
    return ConnectionFactory.createConnection(client);
  }

  /**
   * Stores the facts in a design, unless the design before has stored them in the same way, and
   * asks the questions.
   *
   * @param pictures the folder of the picture of its writes
   * @throws IOException if an answer differs from that of the first design that was measured
   */
  DesignFigures measure(Design<F, Q> design, Path pictures)
      throws IOException, InterruptedException {
    try (Connection connection = connect();
        Admin admin = connection.getAdmin()) {
      if (stored.isEmpty() || !stored.get().design().storage().equals(design.storage())) {
        if (stored.isPresent()) {
          stored.get().design().drop(connection, facts);
        }
        stored = Optional.of(store(design, connection, admin));
        draw(design, connection, pictures);
      }
      List<DesignFigures.Answers> answers = new ArrayList<>();
      for (Question<Q> question : study.questions(facts)) {
        answers.add(ask(design, question, connection));
      }
      return new DesignFigures(
          design.name(),
          design.layout(),
          stored.get().factsPerSecond(),
          stored.get().writeMicros(),
          stored.get().storing(),
          stored.get().maintainSeconds(),
          stored.get().bytesPerFact(),
          answers,
          study.figures(design, connection, facts));
    }
  }

  private void draw(Design<F, Q> design, Connection connection, Path pictures) throws IOException {
    for (NewTable table : design.tables(facts)) {
      WritePicture.of(connection, table.descriptor().getTableName())
          .write(pictures.resolve(StudyPage.picture(study, design.name(), table)));
    }
  }

  private StoredFacts<F, Q> store(Design<F, Q> design, Connection connection, Admin admin)
      throws IOException, InterruptedException {
    design.create(connection, facts);
    List<Double> before = serverSeconds();
    double clientBefore = clientSeconds();
    long start = System.nanoTime();
    store(design, connection, facts);
    double seconds = secondsSince(start);
    double clientCores = (clientSeconds() - clientBefore) / seconds;
    List<Double> after = serverSeconds();
    List<Integer> regions = regions(admin, design.tables(facts));
    start = System.nanoTime();
    design.maintain(connection);
    double maintained = secondsSince(start);
    Set<String> compacted = compact(admin, design.tables(facts));
    return new StoredFacts<>(
        design,
        facts / seconds,
        (sum(serverSeconds()) - sum(before)) * MICROS_PER_SECOND / facts,
        storing(before, after, clientCores, seconds, regions),
        maintained,
        new StoreFolder(root).liveBytesOf(compacted) / (double) facts);
  }

  private void store(Design<F, Q> design, Connection connection, long count)
      throws IOException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(options.threads);
    try {
      List<Future<?>> parts = new ArrayList<>();
      for (int i = 0; i < options.threads; i++) {
        int part = i;
        parts.add(
            threads.submit(
                () -> {
                  store(design, connection, count, part);
                  return null;
                }));
      }
      for (Future<?> part : parts) {
        part.get();
      }
    } catch (ExecutionException e) {
      throw new IOException(design.name() + ": the facts cannot be stored", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  /** Stores each fact whose sequence belongs to a thread. */
  private void store(Design<F, Q> design, Connection connection, long count, int part)
      throws IOException {
    try (FactWriter<F> writer = design.writer(connection)) {
      Iterator<F> arriving = study.facts(count).iterator();
      for (long i = 0; arriving.hasNext(); i++) {
        F fact = arriving.next();
        if (Math.floorMod(study.sequence(fact, i), options.threads) == part) {
          writer.write(fact);
        }
      }
    }
  }

  /**
   * Compacts each store into one file. Requests the compaction again if a region is split, or if
   * the servers are idle because they have not begun.
   *
   * @return the encoded names of the regions
   */
  private Set<String> compact(Admin admin, List<NewTable> tables)
      throws IOException, InterruptedException {
    Set<String> regions;
    do {
      regions = names(admin, tables);
      for (NewTable table : tables) {
        compact(admin, table.descriptor().getTableName());
      }
    } while (!regions.equals(names(admin, tables)) || !new StoreFolder(root).isCompacted(regions));
    return regions;
  }

  private static Set<String> names(Admin admin, List<NewTable> tables) throws IOException {
    Set<String> names = new HashSet<>();
    for (NewTable table : tables) {
      for (RegionInfo region : admin.getRegions(table.descriptor().getTableName())) {
        names.add(region.getEncodedName());
      }
    }
    return names;
  }

  private static void compact(Admin admin, TableName table)
      throws IOException, InterruptedException {
    admin.flush(table);
    admin.majorCompact(table);
    int calm = 0;
    while (calm < CALM_LOOKS) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      calm = admin.getCompactionState(table) == CompactionState.NONE ? calm + 1 : 0;
    }
  }

  private DesignFigures.Answers ask(
      Design<F, Q> design, Question<Q> question, Connection connection)
      throws IOException, InterruptedException {
    SplittableRandom random = new SplittableRandom(options.seed);
    List<Integer> known = first.computeIfAbsent(question.label(), label -> new ArrayList<>());
    Percentiles times = new Percentiles();
    long found = 0;
    int count = 0;
    double before = sum(serverSeconds());
    long begin = System.nanoTime();
    while (count < options.asks && (count == 0 || secondsSince(begin) < options.seconds)) {
      Q asked = question.draw().apply(random);
      long start = System.nanoTime();
      List<?> answer = design.answer(connection, asked);
      times.add((System.nanoTime() - start) / NANOS_PER_MILLI);
      found += answer.size();
      if (count == known.size()) {
        known.add(answer.hashCode());
      } else if (known.get(count) != answer.hashCode()) {
        throw new IOException(
            "The design " + design.name() + " answers " + asked + " in another way than the first");
      }
      count++;
    }
    return new DesignFigures.Answers(
        question.label(),
        count,
        found / (double) count,
        times.at(0.5),
        times.at(0.99),
        (sum(serverSeconds()) - before) * MICROS_PER_SECOND / count);
  }

  private List<Double> serverSeconds() throws IOException {
    List<Double> seconds = new ArrayList<>();
    for (long server : servers) {
      seconds.add(ProcessFigures.of(server).cpuSeconds());
    }
    return seconds;
  }

  private static double clientSeconds() throws IOException {
    return ProcessFigures.of(ProcessHandle.current().pid()).cpuSeconds();
  }

  private DesignFigures.Storing storing(
      List<Double> before,
      List<Double> after,
      double clientCores,
      double seconds,
      List<Integer> regions) {
    double most = 0;
    for (int i = 0; i < after.size(); i++) {
      most = Math.max(most, after.get(i) - before.get(i));
    }
    double all = sum(after) - sum(before);
    return new DesignFigures.Storing(
        clientCores,
        all / seconds,
        most / Math.max(Double.MIN_NORMAL, all),
        most * MICROS_PER_SECOND / facts,
        regions);
  }

  /** Returns how many regions of some tables each server has, most first. */
  private static List<Integer> regions(Admin admin, List<NewTable> tables) throws IOException {
    Set<TableName> names =
        tables.stream().map(table -> table.descriptor().getTableName()).collect(toSet());
    List<Integer> regions = new ArrayList<>();
    for (ServerName server : admin.getRegionServers()) {
      long count =
          admin.getRegions(server).stream()
              .filter(region -> names.contains(region.getTable()))
              .count();
      regions.add((int) count);
    }
    regions.sort(Comparator.reverseOrder());
    return regions;
  }

  private static double sum(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).sum();
  }

  private static double secondsSince(long start) {
    return (System.nanoTime() - start) / NANOS_PER_SECOND;
  }
}
