package dev.cairn.interop.sidebyside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.probe.IndexMark;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.time.Effort;
import dev.cairn.interop.process.SharedHBase;
import dev.cairn.testing.CairnServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The same random operations to Cairn and to HBase 2.6, through Apache's client, with flushes and
 * compactions of either at moments of their own; and every answer is the one that the model
 * expects, down to each cell's type, time and tags, and the class of each exception.
 *
 * <p>HBase's flushes remove versions and its compactions markers that are missed later; Cairn's
 * flushes remove nothing that anybody sees. So there are two models, which differ in what
 * housekeeping removes and in nothing else, see {@link Duel}. Beyond that HBase is not compared
 * where it
 *
 * <ul>
 *   <li>forgets markers of a family behind a newer cell without a qualifier, or does not keep what
 *       NEW_VERSION_BEHAVIOR promises ({@link TableKind}): Cairn has to answer as the model does;
 *   <li>goes round for ever: in raw scans of such columns, and in encoded blocks ({@link Duel});
 *   <li>refuses: backward scans with a filter that needs one family first;
 *   <li>shows filters older versions of the column without a qualifier than the read asks for;
 *   <li>holds a failed scan open, and so keeps versions that its flush would remove;
 *   <li>has flushed, in raw scans: its flush keeps some markers that the model would remove;
 *   <li>reads before it writes in one batch: no batch reads what it has written;
 *   <li>shows cells of a result in no order, with some tags: they are sorted, without tags.
 * </ul>
 *
 * <p>Some tables have indexes, which Cairn's table may get, lose and change between two steps.
 * HBase stores their attributes, and the hints of scans mean nothing to it.
 *
 * <p>By hand: {@code -Dcairn.rounds=} tables, or {@code -Dcairn.minutes=}; {@code -Dcairn.seed=}
 * begins with the table that a failure names.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("forms")
class SideBySideTest {
  private static final int STEPS_PER_TABLE = 500;
  private static final int DIFFERENCES_MAX = 3;

  /** Each table has a seed of its own: this one and those that follow. */
  private static final long SEED = 300;

  @RegisterExtension static final SharedHBase HBASE = new SharedHBase();

  private CairnServer cairnProcess;
  private Server cairn;
  private Server hbase;

  @BeforeAll
  void start() throws Exception {
    cairnProcess =
        CairnServer.builder()
            .setting("hbase.hregion.majorcompaction", "0")
            .setting("hbase.regionserver.compaction.enabled", "false")
            .start();
    cairn = new Server(cairnProcess.configuration(), true);
    hbase = new Server(HBASE.configuration(), false);
  }

  @AfterAll
  void stop() throws Exception {
    try (CairnServer server = cairnProcess;
        Server first = cairn;
        Server second = hbase) {
      // Closes what was opened.
    }
  }

  @Test
  void everyAnswerIsAsHBaseHasIt() throws Exception {
    int minutes = Integer.getInteger("cairn.minutes", 0);
    int tables = Effort.rounds(3, 120);
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
    long seed = Long.getLong("cairn.seed", SEED);
    System.out.println("First seed: " + seed);
    List<String> differences = new ArrayList<>();
    Marks.Watch<IndexMark> indexes = Marks.watch(IndexMark.class);
    for (int i = 0; minutes > 0 ? System.nanoTime() < end : i < tables; i++) {
      new Match(cairn, hbase, seed + i, STEPS_PER_TABLE, System.currentTimeMillis())
          .play()
          .ifPresent(differences::add);
      if (differences.size() == DIFFERENCES_MAX) {
        break;
      }
    }
    System.out.println("Scans of Cairn's regions:\n" + indexes);
    assertThat(differences).as("from seed %d on", seed).isEmpty();
    assertThat(indexes.count(IndexMark.TAKEN)).as("from seed %d on", seed).isPositive();
  }
}
