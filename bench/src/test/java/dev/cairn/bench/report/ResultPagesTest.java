package dev.cairn.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultPagesTest {
  private static final String PAGE =
      "# Page\n<!-- table:speed -->\nold\n<!-- end -->\ntext\n<!-- table:later -->\n<!-- end -->\n";

  private static final String FIGURES =
      """
      {
        "question": "How fast is it?",
        "date": "2026-01-02",
        "commit": "0123abc",
        "machine": "2 processors",
        "conditions": "One round.",
        "commands": ["bench/speed 1"],
        "columns": [
          {"name": "throughput", "unit": "op/s", "better": "MORE"},
          {"name": "time", "unit": "ms", "better": "LESS"},
          {"name": "other's", "unit": "", "better": "NEITHER"}
        ],
        "rows": [
          {"name": "get", "figures": {
            "throughput": {"value": 2000, "from": 1990, "to": 3000, "wanted": 2000},
            "time": {"value": 1.10, "wanted": 1},
            "other's": {"value": 6}}},
          {"name": "scan", "figures": {
            "throughput": {"value": 10, "wanted": 20},
            "time": {"from": 0.5, "to": 1, "wanted": 1},
            "other's": {"value": 7}}}
        ]
      }
      """;

  @TempDir Path results;

  /** {@code bin/cairn bench page}, or this test with {@code -Dcairn.rewrite=true}, makes them. */
  @Test
  void theTablesOfThePagesAreThoseOfTheResults() throws IOException {
    List<Path> pages = ResultPages.in(Path.of(".."));
    for (var page : ResultPages.rewritten(pages, Path.of("results")).entrySet()) {
      if (Boolean.getBoolean("cairn.rewrite")) {
        Files.writeString(page.getKey(), page.getValue());
      }
      assertThat(page.getKey()).hasContent(page.getValue());
    }
  }

  @Test
  void figuresBecomeATableWithMissedGoalsInBold() throws IOException {
    Files.writeString(results.resolve("speed.json"), FIGURES);

    assertThat(rewritten())
        .doesNotContain("old")
        .contains(
            "## How fast is it?",
            "| | throughput (op/s) | wanted | time (ms) | wanted | other's |",
            "| get | 2,000 (1,990 to 3,000) | 2,000 | **1.10** | 1 | 6 |",
            "| scan | **10** | 20 | 0.5 to 1 | 1 | 7 |",
            "One round. 2026-01-02, commit 0123abc, 2 processors:",
            "    bench/speed 1",
            "text");
  }

  @Test
  void aRunBecomesATableOfRatios() throws IOException {
    RunFile.write(SampleRun.create(), results.resolve("speed.json"));

    assertThat(rewritten())
        .contains(
            "## old and new",
            "old / new:",
            "| | throughput | server CPU | p99 |",
            "| C | 0.50 (0.49 to 0.53) | 2.00 (1.90 to 2.03) | 2.00 (1.90 to 2.03) |",
            "records: 1000. 2026-01-02, commit 0123abc, 2 processors, 3.0 GiB, an operating system,"
                + " a JVM.");
  }

  @Test
  void aSectionWhoseResultsAreNotThereYetIsEmpty() throws IOException {
    assertThat(made()).isEqualTo(PAGE.replace("old\n", ""));
  }

  @Test
  void resultsWithoutASectionAreNamed() throws IOException {
    Files.writeString(results.resolve("forgotten.json"), FIGURES);

    assertThatThrownBy(this::rewritten)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("<!-- table:forgotten -->");
  }

  @Test
  void aFigureWithoutAColumnIsNamed() throws IOException {
    Path file = results.resolve("speed.json");
    Files.writeString(file, FIGURES.replace("\"time\": {", "\"tme\": {"));

    assertThatThrownBy(this::rewritten)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("tme, other's] of 'get'");
  }

  private String made() throws IOException {
    Path page = Files.writeString(results.resolve("PAGE.md"), PAGE);
    return ResultPages.rewritten(List.of(page), results).get(page);
  }

  /** Without the padding of tables. */
  private String rewritten() throws IOException {
    return made().replaceAll("(?m)^ {4}", "\t").replaceAll(" +", " ").replace("\t", "    ");
  }
}
