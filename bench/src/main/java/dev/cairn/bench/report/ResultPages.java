package dev.cairn.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Pages of Markdown with sections that are made from files of results. The section between {@code
 * <!-- table:NAME -->} and {@code <!-- end -->} is made from {@code NAME.json}: a {@link Run}, as
 * {@code bench compare} and {@code bench engine} write it, or {@link Figures}.
 */
final class ResultPages {
  private static final Pattern SECTION =
      Pattern.compile("<!-- table:(\\S+) -->\n.*?<!-- end -->", Pattern.DOTALL);
  private static final String SUFFIX = ".json";

  private ResultPages() {}

  /** Returns the pages that show {@code bench/results}, most important first. */
  static List<Path> in(Path home) {
    return List.of(home.resolve("docs/PERFORMANCE.md"), home.resolve("bench/results/README.md"));
  }

  /**
   * Returns the pages with rebuilt sections. A section without a file becomes empty.
   *
   * @throws IOException if a file holds no results, or no page has a section for it
   */
  static Map<Path, String> rewritten(List<Path> pages, Path results) throws IOException {
    Map<Path, String> texts = new LinkedHashMap<>();
    Set<String> names = new HashSet<>();
    for (Path page : pages) {
      StringBuilder text = new StringBuilder();
      Matcher section = SECTION.matcher(Files.readString(page));
      while (section.find()) {
        String name = section.group(1);
        names.add(name + SUFFIX);
        Path file = results.resolve(name + SUFFIX);
        String made = Files.exists(file) ? section(file) : "";
        section.appendReplacement(
            text,
            Matcher.quoteReplacement("<!-- table:" + name + " -->\n" + made + "<!-- end -->"));
      }
      texts.put(page, section.appendTail(text).toString());
    }
    try (Stream<Path> files = Files.list(results)) {
      for (Path file : files.filter(one -> one.toString().endsWith(SUFFIX)).sorted().toList()) {
        String name = file.getFileName().toString();
        if (!names.contains(name)) {
          throw new IOException(
              "%s has no section; add the lines <!-- table:%s --> and <!-- end --> to one of %s"
                  .formatted(file, name.replace(SUFFIX, ""), pages));
        }
      }
    }
    return texts;
  }

  private static String section(Path file) throws IOException {
    return RunFile.holdsRun(file)
        ? section(RunFile.read(file))
        : RunFile.readFigures(file).markdown();
  }

  /** Returns the ratios of the first side to the others, and the conditions of the run. */
  private static String section(Run run) {
    List<String> sides = run.sides();
    Tables tables = new Tables(run, sides.get(0));
    StringBuilder text = new StringBuilder("## ").append(run.title()).append("\n\n");
    for (String other : sides.subList(1, sides.size())) {
      text.append(sides.get(0)).append(" / ").append(other).append(":\n\n");
      text.append(tables.summary(other)).append('\n');
    }
    String conditions =
        run.options().entrySet().stream()
            .filter(option -> !option.getKey().endsWith("'s Java"))
            .map(Map.Entry::toString)
            .collect(Collectors.joining("; "));
    return text.append(conditions.replace("=", ": "))
        .append(". ")
        .append(run.started().atOffset(ZoneOffset.UTC).toLocalDate())
        .append(run.commit().isEmpty() ? "" : ", commit " + run.commit())
        .append(", ")
        .append(run.machine())
        .append(".\n")
        .toString();
  }
}
