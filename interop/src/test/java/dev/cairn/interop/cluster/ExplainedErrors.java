package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.cluster.NodeKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checks the log files of a cluster after a test. A fault that the test has injected must explain
 * each of Cairn's errors, and no library may write a stack. One thread.
 */
final class ExplainedErrors {
  /** What a test does to a cluster. */
  enum Fault {
    /** A master, a region server or ZooKeeper is frozen for longer than its session. */
    FROZEN_SERVER,
    /** ZooKeeper ends. */
    KILLED_ZOOKEEPER,
    /** The NameNode or a DataNode ends or is frozen. */
    HDFS,
    /** A DataNode loses a block. */
    LOST_BLOCK;

    /** Returns the faults that a killed process of this kind counts as. */
    static Set<Fault> killed(NodeKind kind) {
      return switch (kind) {
        case NAME_NODE, DATA_NODE -> EnumSet.of(HDFS);
        case ZOOKEEPER -> EnumSet.of(KILLED_ZOOKEEPER);
        case MASTER, REGION_SERVER -> EnumSet.noneOf(Fault.class); // nobody has to act
      };
    }

    /** Returns the faults that a frozen process of this kind counts as. */
    static Set<Fault> frozen(NodeKind kind) {
      return switch (kind) {
        case NAME_NODE, DATA_NODE -> EnumSet.of(HDFS);
        case ZOOKEEPER, MASTER, REGION_SERVER -> EnumSet.of(FROZEN_SERVER);
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

    boolean explains(String text, Set<Fault> injected) {
      return line.matcher(text).lookingAt() && faults.stream().anyMatch(injected::contains);
    }
  }

  private static final List<Explanation> EXPLANATIONS =
      List.of(
          // Its session has ended, or its log cannot be written.
          Explanation.of(
              "The process ends by itself: ",
              Fault.FROZEN_SERVER,
              Fault.KILLED_ZOOKEEPER,
              Fault.HDFS),
          // HDFS reports that it has no room if no DataNode answers.
          Explanation.of("Writes are refused: ", Fault.HDFS),
          Explanation.of("The file \\S+ has lost its block ", Fault.HDFS, Fault.LOST_BLOCK),
          Explanation.of("\\S+ could not be opened \\d+ times, ", Fault.HDFS, Fault.LOST_BLOCK));

  private static final Pattern LINE =
      Pattern.compile("[-0-9]{10} [:.0-9]{12} ([A-Z]+) +\\[[^]]*\\] (\\S+): (.*)");

  private final Set<Fault> injected = EnumSet.noneOf(Fault.class);

  /** Records that the test injects faults. */
  void inject(Set<Fault> faults) {
    injected.addAll(faults);
  }

  /**
   * Checks all log files.
   *
   * @param logs the folder with a file for each process
   * @throws AssertionError naming the lines that no fault explains
   */
  void check(Path logs) throws IOException {
    List<String> unexplained = new ArrayList<>();
    try (Stream<Path> files = Files.list(logs)) {
      for (Path file : files.filter(ExplainedErrors::isCairns).sorted().toList()) {
        check(file, unexplained);
      }
    }
    assertThat(unexplained).as("errors that the faults %s do not explain", injected).isEmpty();
  }

  /** HDFS's processes have errors of their own. */
  private static boolean isCairns(Path file) {
    return file.getFileName().toString().matches("(master\\d+|rs\\d+|zk)\\.log");
  }

  private void check(Path file, List<String> unexplained) throws IOException {
    String last = "";
    boolean libraryWrote = false;
    for (String line : Files.readAllLines(file)) {
      Matcher event = LINE.matcher(line);
      if (event.matches()) {
        libraryWrote =
            !event.group(2).startsWith("d.c.") && !event.group(2).startsWith("dev.cairn.");
        last = line;
        if (event.group(1).equals("ERROR") && !isExplained(event.group(3))) {
          unexplained.add(file.getFileName() + ": " + line);
        }
      } else if (libraryWrote && line.startsWith("\tat ")) {
        unexplained.add(file.getFileName() + " has the stack of a library: " + last);
        libraryWrote = false;
      }
    }
  }

  private boolean isExplained(String text) {
    return EXPLANATIONS.stream().anyMatch(one -> one.explains(text, injected));
  }
}
