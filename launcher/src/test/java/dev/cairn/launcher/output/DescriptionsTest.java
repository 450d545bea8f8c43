package dev.cairn.launcher.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class DescriptionsTest {
  private final StringWriter text = new StringWriter();

  @Test
  void fewWarningsAreAllPrinted() {
    print(List.of("one", "two", "three"));
    assertThat(text.toString().lines())
        .containsExactly("  warning        one", "  warning        two", "  warning        three");
  }

  @Test
  void ofManyWarningsTheLogHasTheOthers() {
    print(List.of("one", "two", "three", "four", "five"));
    assertThat(text.toString().lines()).hasSize(4).last().asString().contains("2 more, see a.log");
  }

  @Test
  void withoutWarningsNothingIsPrinted() {
    print(List.of());
    assertThat(text.toString()).isEmpty();
  }

  @Test
  void oneThingIsNotCalledSeveral() {
    assertThat(Descriptions.count(1, "file")).isEqualTo("1 file");
    assertThat(Descriptions.count(0, "file")).isEqualTo("0 files");
    assertThat(Descriptions.count(12_345, "file")).isEqualTo("12,345 files");
  }

  private void print(List<String> warnings) {
    PrintWriter out = new PrintWriter(text);
    Descriptions.printFirst("warning", warnings, "a.log", out);
    out.flush();
  }
}
