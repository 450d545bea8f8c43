package dev.cairn.interop.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.probe.IndexMark;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.time.Effort;
import dev.cairn.interop.filter.TwoServers.State;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every stock filter, and random trees of them, in random reads: a table with indexes answers as
 * the same table without them. {@code -Dcairn.rounds=40} asks 40 times as much, {@code
 * -Dcairn.seed} sets the seed.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("forms")
class IndexedScansTest {
  private static final int READS_PER_FILTER = 5;
  private static final int TREES = 1_000;
  private static final int DEPTH_MAX = 4;
  private static final String INDEXED = "indexed_";

  private final long seed = Long.getLong("cairn.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final int rounds = Effort.rounds(1, 40);
  private final List<Map.Entry<String, Reads.Read>> reads = List.copyOf(Reads.all().entrySet());
  private final List<String> differences = new ArrayList<>();
  private final Marks.Watch<IndexMark> marks = Marks.watch(IndexMark.class);
  private CairnServer server;
  private byte[] hint;
  private Connection connection;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    server =
        CairnServer.builder()
            .folder(directory.resolve("cairn"))
            .setting(TwoServers.COMPACTION_FILES, TwoServers.FILES_MIN)
            .start();
    connection = TwoServers.connect(server.configuration());
    TwoServers.fill(connection, "", Map.of());
    TwoServers.fill(
        connection,
        INDEXED,
        Map.of(
            "cairn.index.numbers", "a:n, b:o",
            "cairn.index.x", "a:x, b:x, c:x",
            "cairn.index.more", "a:q1, a:p0, a:z1, b:q6, b:, c:qq2, c:q11"));
  }

  @AfterAll
  void stop() throws IOException {
    connection.close();
    server.close();
  }

  @Test
  void everyStockFilter() throws IOException {
    FilterCases.all()
        .forEach(
            (name, filter) -> {
              for (int i = 0; i < READS_PER_FILTER * rounds; i++) {
                compare(name, filter);
              }
            });
    assertThat(differences).as("seed %d", seed).isEmpty();
    assertThat(marks.count(IndexMark.TAKEN)).isPositive();
  }

  @Test
  void randomTrees() throws IOException {
    FilterTrees trees = new FilterTrees(seed);
    for (int i = 0; i < TREES * rounds; i++) {
      FilterTrees.Tree tree = trees.next(1 + random.nextInt(DEPTH_MAX));
      compare(tree.name(), tree.filter());
    }
    assertThat(differences).as("seed %d", seed).isEmpty();
    assertThat(marks.count(IndexMark.TAKEN)).isPositive();
  }

  private void compare(String name, Supplier<Filter> filter) {
    if (name.contains("fuzzy")) {
      return;
    }
    Map.Entry<String, Reads.Read> read = reads.get(random.nextInt(reads.size()));
    State state = State.values()[random.nextInt(State.values().length)];
    hint = Bytes.toBytes(random.nextBoolean() ? "always" : "auto");
    Answer with = ask(INDEXED, state, read.getValue(), filter);
    Answer without = ask("", state, read.getValue(), filter);
    // A scan does not fail because of a row that it does not read.
    if (without.error().isEmpty() && !with.equals(without)) {
      differences.add(
          "\n%s of %s in %s\n  indexed: %s\n  plain: %s"
              .formatted(read.getKey(), name, state, with, without));
    }
  }

  private Answer ask(String prefix, State state, Reads.Read read, Supplier<Filter> filter) {
    try (Table table = connection.getTable(state.table(prefix))) {
      return read.ask(table, filter, scan -> scan.setAttribute("cairn.index", hint));
    } catch (IOException e) {
      return Answer.of(e);
    }
  }
}
