package dev.cairn.bench.study;

import dev.cairn.bench.cluster.LocalOptions;
import dev.cairn.bench.cluster.LocalProcesses;
import dev.cairn.bench.folder.Folders;
import dev.cairn.studies.Design;
import dev.cairn.studies.Studies;
import dev.cairn.studies.Study;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cairn bench study}: measures the designs of case studies. */
@Command(
    name = "study",
    description = {
      "Measures the designs of a case study: stores the same facts in each, asks the same"
          + " questions, and checks that the answers are equal. Starts a cluster on this machine"
          + " for it.",
      "Writes a page with the figures, plots, and pictures of where the writes went in the order of"
          + " the keys. Without a name, lists the studies."
    })
public final class StudyCommand implements Callable<Integer> {
  /**
   * A design says which regions its tables have. Hot regions are not divided further: bytes would
   * count twice while files are shared, and figures depend on when it happens.
   */
  private static final Map<String, String> SETTINGS = Map.of("cairn.loadsplit.enabled", "false");

  @Parameters(paramLabel = "NAME", arity = "0..*", description = "Studies, or all.")
  private List<String> names = List.of();

  @Mixin private final StudyOptions options = new StudyOptions();
  @Mixin private final LocalOptions cluster = new LocalOptions();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (names.isEmpty()) {
      list(out);
      return 0;
    }
    List<Study<?, ?>> studies = studies();
    for (Study<?, ?> study : studies) {
      measure(study, out);
    }
    return 0;
  }

  private static void list(PrintWriter out) {
    for (Study<?, ?> study : Studies.all()) {
      out.printf("%s: %s%n", study.name(), study.subject());
      for (Design<?, ?> design : study.designs()) {
        out.printf("    %s: %s%n", design.name(), design.layout());
      }
    }
    out.flush();
  }

  private List<Study<?, ?>> studies() {
    if (options.facts < 0 || options.asks < 1 || options.threads < 1 || options.servers < 1) {
      throw wrong("--asks, --threads and --servers must be at least 1, and --facts at least 0");
    }
    if (names.equals(List.of("all"))) {
      return Studies.all();
    }
    List<Study<?, ?>> studies = new ArrayList<>();
    for (String name : names) {
      studies.add(
          Studies.find(name)
              .orElseThrow(
                  () ->
                      wrong(
                          "There is no study "
                              + name
                              + "; there are "
                              + Studies.all().stream()
                                  .map(Study::name)
                                  .collect(Collectors.joining(", ")))));
    }
    return studies;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private static boolean isUsable(Design<?, ?> design, PrintWriter out) {
    design
        .missing()
        .ifPresent(missing -> out.printf("%s: left out, needs %s%n", design.name(), missing));
    return design.missing().isEmpty();
  }

  private <F, Q> void measure(Study<F, Q> study, PrintWriter out)
      throws IOException, InterruptedException {
    List<Design<F, Q>> designs =
        study.designs().stream()
            .filter(design -> options.designs.isEmpty() || options.designs.contains(design.name()))
            .filter(design -> isUsable(design, out))
            .toList();
    if (designs.isEmpty()) {
      throw wrong(
          "The study "
              + study.name()
              + " has no usable design of that name; it has: "
              + study.designs().stream().map(Design::name).collect(Collectors.joining("; ")));
    }
    Path folder = cluster.folder("study");
    Path pictures = Files.createDirectories(options.output);
    try (LocalProcesses processes =
        cluster.start(folder, options.servers, SETTINGS, List.of(studyClasses()))) {
      StudyRun<F, Q> run = new StudyRun<>(study, processes, folder.resolve("root"), options);
      run.warmUp(designs.get(0));
      if (options.servers > 1 && designs.size() > 1) {
        // The first design may have used one server only; the JIT compilers of all must have begun.
        run.warmUp(designs.get(designs.size() - 1));
      }
      List<DesignFigures> all = new ArrayList<>();
      for (Design<F, Q> design : designs) {
        DesignFigures figures = run.measure(design, pictures);
        all.add(figures);
        out.println(figures.summary());
        out.flush();
      }
      StudyPage page = new StudyPage(study, all, options);
      Path file = page.write(pictures);
      out.printf("%n%s%nThe page is %s%n", page.table(), file);
      out.flush();
    }
    Folders.delete(folder);
  }

  /** Returns where the classes of studies are, for servers of tables that name some. */
  private static Path studyClasses() {
    try {
      return Path.of(Study.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
