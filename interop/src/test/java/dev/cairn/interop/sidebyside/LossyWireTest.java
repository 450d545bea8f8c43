package dev.cairn.interop.sidebyside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.time.Effort;
import dev.cairn.server.rpc.service.CallMark;
import dev.cairn.testing.CairnServer;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compares random scans and gets over a bad wire with the model. Each row must come once, complete
 * and in order, whatever the limits of the scan are, however its table is stored, and whether an
 * answer is lost, late or repeated. Tables and requests come in swarms ({@link
 * dev.cairn.torture.model.Swarm}).
 *
 * <p>{@code -Dcairn.rounds=N} sets the number of scans; {@code -Dcairn.seed=N} begins with the
 * table whose seed a failure names. A repeated seed does not repeat the faults of the wire.
 */
@Tag("forms")
class LossyWireTest {
  private static final int STEPS_PER_TABLE = 120;

  /** Limits the scans while a mark is missing to this multiple: few tables reach some marks. */
  private static final int PATIENCE = 20;

  private static final Set<CallMark> ALL = EnumSet.allOf(CallMark.class);

  @Test
  void everyRowComesOnce() throws Exception {
    int wanted = Effort.rounds(150, 100_000);
    long first = Long.getLong("cairn.seed", System.nanoTime() >>> 16);
    System.out.println("First seed: " + first);
    int scans = 0;
    Marks.Watch<CallMark> marks = Marks.watch(CallMark.class);
    try (CairnServer process =
            CairnServer.builder()
                .setting("hbase.hregion.majorcompaction", "0")
                .setting("hbase.regionserver.compaction.enabled", "false")
                .setting("hfile.block.cache.size", "0.01")
                .start();
        Server cairn = Server.overLossyWire(process.configuration(), first)) {
      for (long seed = first;
          scans < wanted || scans < PATIENCE * wanted && !marks.missed(ALL).isEmpty();
          seed++) {
        Match match = Match.ofReads(cairn, seed, STEPS_PER_TABLE, System.currentTimeMillis());
        Optional<String> difference = match.play();
        assertThat(difference).as("seed %d", seed).isEmpty();
        scans += match.scans();
      }
    }
    assertThat(marks.missed(ALL))
        .as("fast paths that no call took; all counts:%n%s", marks)
        .isEmpty();
  }
}
