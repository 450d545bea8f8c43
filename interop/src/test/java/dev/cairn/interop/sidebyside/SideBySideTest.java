package dev.cairn.interop.sidebyside;

import static org.assertj.core.api.Assertions.fail;

import dev.cairn.engine.schema.TableSchema;
import dev.cairn.interop.process.HBaseProcess;
import dev.cairn.testing.CairnServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The same random operations to Cairn, to HBase and to a model: every answer is the same. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SideBySideTest {
  private static final int STEPS_PER_TABLE = 500;

  @TempDir private static Path directory;

  private CairnServer cairnProcess;
  private HBaseProcess hbaseProcess;
  private Server cairn;
  private Server hbase;

  @BeforeAll
  void start() throws Exception {
    hbaseProcess = HBaseProcess.beside(directory);
    hbaseProcess.launch();
    cairnProcess =
        CairnServer.builder()
            .setting("hbase.regionserver.optionalcacheflushinterval", "0")
            .setting("hbase.hregion.majorcompaction", "0")
            .start();
    cairn = new Server(cairnProcess.configuration());
    hbaseProcess.awaitServing();
    hbase = new Server(hbaseProcess.client());
  }

  @AfterAll
  void stop() throws Exception {
    try (HBaseProcess process = hbaseProcess;
        CairnServer server = cairnProcess;
        Server first = cairn;
        Server second = hbase) {
      // Closes what was opened.
    }
  }

  @Test
  void everyAnswerIsTheSame() throws Exception {
    java.nio.file.Files.writeString(
        Path.of("/tmp/model-cp"), System.getProperty("java.class.path"));
    int operations = Integer.getInteger("cairn.operations", 10_000);
    long seed = Long.getLong("cairn.seed", System.nanoTime() % 1_000_000);
    boolean nvb = Boolean.getBoolean("cairn.nvb");
    int found = 0;
    for (int table = 0; table * STEPS_PER_TABLE < operations; table++) {
      SplittableRandom random = new SplittableRandom(seed + table);
      long base = System.currentTimeMillis();
      TableSchema schema = new RandomTable(random).table("t" + table, nvb);
      RandomSteps steps = new RandomSteps(random, schema, base);
      List<Step> done = new ArrayList<>();
      try (Duel duel = new Duel(cairn, hbase, schema, base)) {
        for (int i = 0; i < STEPS_PER_TABLE; i++) {
          Step step = steps.next();
          done.add(step);
          Optional<String> difference = duel.run(i, step);
          if (difference.isPresent()) {
            System.out.printf(
                "SEED %d step %d base %d: %s%n  %s%n  %s%n  %s%n",
                seed + table, i, base, step, schema.message(), schema, difference.get());
            StringBuilder rows = new StringBuilder();
            for (String row : List.of("r", "r0", "r1", "r1\0", "r12", "s", "\u00ff\u00ff")) {
              rows.append("\n   ").append(duel.describe(row));
            }
            System.out.println(rows);
            found++;
            break;
          }
        }
      }
    }
    if (found > 0) {
      fail(found + " differences");
    }
  }
}
