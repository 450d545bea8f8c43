package dev.cairn.interop.filter;

import dev.cairn.interop.filter.TwoServers.State;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Filters give on Cairn what they give on Apache HBase, wherever the cells are. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FilterSideBySideTest {
  private TwoServers servers;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    servers = TwoServers.start(directory);
  }

  @AfterAll
  void stop() throws Exception {
    servers.close();
  }

  @Test
  void everyStockFilterInEveryRead() throws IOException {
    List<String> differences = new ArrayList<>();
    int asked = 0;
    for (State state : State.values()) {
      try (Table hbase = servers.hbase(state);
          Table cairn = servers.cairn(state)) {
        for (Map.Entry<String, Supplier<Filter>> filter : FilterCases.all().entrySet()) {
          for (Map.Entry<String, Reads.Read> read : Reads.all().entrySet()) {
            Answer expected = read.getValue().ask(hbase, filter.getValue());
            Answer found = read.getValue().ask(cairn, filter.getValue());
            asked++;
            if (!found.agreesWith(expected)) {
              differences.add(
                  "\n%s of %s in %s\n  HBase: %s\n  Cairn: %s"
                      .formatted(read.getKey(), filter.getKey(), state, expected, found));
            }
          }
        }
      }
    }
    System.out.println("asked " + asked + " differ " + differences.size());
    Assertions.assertThat(differences).isEmpty();
  }
}
