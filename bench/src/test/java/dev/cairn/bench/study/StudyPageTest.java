package dev.cairn.bench.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.studies.Studies;
import dev.cairn.studies.Study;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The page of a study has its figures, and a plot of each kind of figure. */
class StudyPageTest {
  private static final Study<?, ?> STUDY = Studies.all().get(0);

  @TempDir private Path folder;

  @Command
  private static final class Options {
    @Mixin private final StudyOptions study = new StudyOptions();
  }

  private static StudyOptions options(String... arguments) {
    Options options = new Options();
    new CommandLine(options).parseArgs(arguments);
    return options.study;
  }

  private static DesignFigures figures(int design, double times) {
    return new DesignFigures(
        STUDY.designs().get(design).name(),
        STUDY.designs().get(design).layout(),
        1_000 * times,
        5.5 * times,
        new DesignFigures.Storing(0.8, 1.2, 0.5, 4, List.of(2, 1, 1)),
        0,
        60 * times,
        List.of(new DesignFigures.Answers("one row", 10, 1, 0.2 * times, 30 * times, 523)),
        List.of());
  }

  @Test
  void hasTheFiguresOfEachDesign() {
    StudyPage page =
        new StudyPage(STUDY, List.of(figures(0, 1), figures(1, 2)), options("--servers", "3"));
    assertThat(page.table().lines())
        .hasSize(4)
        .first()
        .asString()
        .contains("facts/s", "one row, ms (p99)");
    assertThat(page.table().lines().skip(3).findFirst().orElseThrow())
        .contains(STUDY.designs().get(1).name(), "2,000", "11.0", "120", "0.40 (60.0)");
  }

  @Test
  void namesItsPlotsAndPictures() throws IOException {
    StudyPage page = new StudyPage(STUDY, List.of(figures(0, 1)), options("--facts", "5000"));
    String text = Files.readString(page.write(folder));
    assertThat(text).contains("bin/cairn bench study " + STUDY.name() + " --facts 5000");
    for (String plot : List.of("writes", "answers", "bytes")) {
      String file = STUDY.name() + "-" + plot + ".svg";
      assertThat(text).contains("(" + file + ")");
      assertThat(folder.resolve(file)).isNotEmptyFile();
    }
    assertThat(text)
        .contains(".png)", "busiest server", "50 %", "2 + 1 + 1", "for an answer", "523");
  }
}
