package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.cluster.NodeKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checks the log files of a cluster after a test. A fault that the test has injected before must
 * explain each of Cairn's errors, and no library may write a stack. A frozen server explains only
 * its own errors. One thread.
 */
final class ExplainedErrors {
  /** What a test does to a cluster. */
  enum Fault {
    /** A master or a region server is frozen for longer than its session. */
    FROZEN_SERVER,
    /** ZooKeeper ends or is frozen. */
    ZOOKEEPER,
    /** The NameNode or a DataNode ends or is frozen. */
    HDFS,
    /** A DataNode loses a block. */
    LOST_BLOCK;

    /** Tells whether it causes errors in the process that it befalls only, not in all. */
    boolean isOfOneProcess() {
      return this == FROZEN_SERVER;
    }

    /** Returns the faults that the end of a process of this kind may be. */
    static Set<Fault> killed(NodeKind kind) {
      return switch (kind) {
        case NAME_NODE, DATA_NODE -> EnumSet.of(HDFS);
        case ZOOKEEPER -> EnumSet.of(ZOOKEEPER);
        case MASTER, REGION_SERVER -> EnumSet.noneOf(Fault.class); // nobody has to act
      };
    }

    /** Returns the faults that a frozen process of this kind counts as. */
    static Set<Fault> frozen(NodeKind kind) {
      return switch (kind) {
        case NAME_NODE, DATA_NODE -> EnumSet.of(HDFS);
        case ZOOKEEPER -> EnumSet.of(ZOOKEEPER);
        case MASTER, REGION_SERVER -> EnumSet.of(FROZEN_SERVER);
      };
    }
  }

  /**
   * An explanation of a kind of error.
   *
   * @param line matches the beginning of the text after the logger's name
   * @param faults the faults that may cause it, each by itself
   */
  private record Explanation(Pattern line, Set<Fault> faults) {
    static Explanation of(String line, Fault... faults) {
      return new Explanation(Pattern.compile(line), Set.of(faults));
    }

    boolean explains(Line error, List<Injected> injected) {
      return line.matcher(error.text()).lookingAt()
          && injected.stream().anyMatch(one -> faults.contains(one.fault()) && one.mayCause(error));
    }
  }

  /** An error of a process. */
  private record Line(String process, LocalDateTime time, String text) {}

  /** A fault of a process, and when the test injected it. */
  private record Injected(Fault fault, String process, LocalDateTime time) {
    boolean mayCause(Line error) {
      return !error.time().isBefore(time)
          && (!fault.isOfOneProcess() || process.equals(error.process()));
    }
  }

  private static final List<Explanation> EXPLANATIONS =
      List.of(
          // Its session has ended, or its log cannot be written.
          Explanation.of(
              "The process ends by itself: ", Fault.FROZEN_SERVER, Fault.ZOOKEEPER, Fault.HDFS),
          // HDFS without a DataNode that answers tells that it has no room.
          Explanation.of("Writes are refused: ", Fault.HDFS),
          Explanation.of("The file \\S+ has lost its block ", Fault.HDFS, Fault.LOST_BLOCK),
          Explanation.of("\\S+ could not be opened \\d+ times, ", Fault.HDFS, Fault.LOST_BLOCK));

  private static final Pattern LINE =
      Pattern.compile("([-0-9]{10} [:.0-9]{12}) ([A-Z]+) +\\[[^]]*\\] (\\S+): (.*)");

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");

  /** HDFS's processes have errors of their own. */
  private static final Pattern FILE = Pattern.compile("(master\\d+|rs\\d+|zk)\\.log(\\.\\d+)?");

  private final Supplier<LocalDateTime> clock;
  private final List<Injected> injected = new ArrayList<>();

  /**
   * Creates it, without faults.
   *
   * @param clock the clock of the log files
   */
  ExplainedErrors(Supplier<LocalDateTime> clock) {
    this.clock = clock;
  }

  /**
   * Records that the test injects faults now. They explain no earlier errors.
   *
   * @param process the name of the process that they befall
   */
  void inject(String process, Set<Fault> faults) {
    LocalDateTime now = clock.get().truncatedTo(ChronoUnit.MILLIS); // as in the log files
    faults.forEach(fault -> injected.add(new Injected(fault, process, now)));
  }

  /**
   * Checks all log files.
   *
   * @param logs the folder with a file for each process, and those that have rolled
   * @throws AssertionError naming the lines that no fault explains
   */
  void check(Path logs) throws IOException {
    List<String> unexplained = new ArrayList<>();
    try (Stream<Path> files = Files.list(logs)) {
      for (Path file : files.sorted().toList()) {
        Matcher name = FILE.matcher(file.getFileName().toString());
        if (name.matches()) {
          check(file, name.group(1), unexplained);
        }
      }
    }
    assertThat(unexplained).as("errors that the faults %s do not explain", injected).isEmpty();
  }

  private void check(Path file, String process, List<String> unexplained) throws IOException {
    String last = "";
    boolean libraryWrote = false;
    for (String line : Files.readAllLines(file)) {
      Matcher event = LINE.matcher(line);
      if (event.matches()) {
        libraryWrote =
            !event.group(3).startsWith("d.c.") && !event.group(3).startsWith("dev.cairn.");
        last = line;
        LocalDateTime time = LocalDateTime.parse(event.group(1), TIME);
        if (event.group(2).equals("ERROR")
            && !isExplained(new Line(process, time, event.group(4)))) {
          unexplained.add(file.getFileName() + ": " + line);
        }
      } else if (libraryWrote && line.startsWith("\tat ")) {
        unexplained.add(file.getFileName() + " has the stack of a library: " + last);
        libraryWrote = false;
      }
    }
  }

  private boolean isExplained(Line error) {
    return EXPLANATIONS.stream().anyMatch(one -> one.explains(error, injected));
  }
}
