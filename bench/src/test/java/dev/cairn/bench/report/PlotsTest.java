package dev.cairn.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

class PlotsTest {
  @TempDir Path folder;
  private List<Path> files;

  @BeforeEach
  void write() throws Exception {
    files = new Plots(SampleRun.create()).write(folder);
  }

  @Test
  void thereIsAPlotOfLatencyAndOneOfThroughput() {
    assertThat(files)
        .containsExactly(folder.resolve("latency-c-read.svg"), folder.resolve("throughput-c.svg"));
  }

  @Test
  void latenciesHaveALineForEachSide() throws Exception {
    assertThat(texts(files.get(0))).contains("old", "new", "C: latency of READ", "99 %", "99.9 %");
  }

  @Test
  void throughputHasALineForEachSideAndMarks() throws Exception {
    assertThat(texts(files.get(1)))
        .contains("old", "new", "old, flush", "new, compaction", "C: throughput over time");
  }

  @Test
  void plotsAreSmallEnoughToBeKept() throws Exception {
    for (Path file : files) {
      assertThat(Files.size(file)).isLessThan(100_000);
    }
  }

  /** Returns the texts of a well-formed SVG file. */
  private static List<String> texts(Path file) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    Document document = factory.newDocumentBuilder().parse(file.toFile());
    assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
    NodeList nodes = document.getElementsByTagName("text");
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      texts.add(nodes.item(i).getTextContent().strip());
    }
    return texts;
  }
}
