package dev.cairn.bench.study;

import dev.cairn.studies.Study;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** How a study is measured. */
final class StudyOptions {
  @Option(
      names = "--facts",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Facts that are stored in each design (default: 0, the usual number of the study).")
  long facts;

  @Option(
      names = "--design",
      paramLabel = "NAME",
      description = "Only the design of this name; may be repeated (default: all).")
  List<String> designs = List.of();

  @Option(
      names = "--asks",
      paramLabel = "N",
      defaultValue = "200",
      description = "Questions of each kind (default: ${DEFAULT-VALUE}).")
  int asks;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "Ask no more questions of a kind after this time, but at least one (default:"
              + " ${DEFAULT-VALUE}).")
  int seconds;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "2",
      description = "Threads that store facts (default: ${DEFAULT-VALUE}).")
  int threads;

  @Option(
      names = "--servers",
      paramLabel = "N",
      defaultValue = "1",
      description = "Region servers (default: ${DEFAULT-VALUE}).")
  int servers;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the questions (default: ${DEFAULT-VALUE}).")
  long seed;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      defaultValue = "bench/results/studies",
      description =
          "Folder of the results: NAME.md, plots and pictures (default: ${DEFAULT-VALUE}).")
  Path output;

  /** Returns how many facts of a study are stored. */
  long facts(Study<?, ?> study) {
    return facts == 0 ? study.usualFacts() : facts;
  }
}
