package dev.cairn.server.regionserver.hooked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.regionserver.hooked.HandlerShares.Turn;
import dev.cairn.server.rpc.service.HandlerPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.junit.jupiter.api.Test;

/** Tests that tables with hooks leave handlers to others. */
class HandlerSharesTest {
  private static final TableName A = TableName.parse("a");
  private static final TableName B = TableName.parse("b");
  private static final HandlerPool POOL = new HandlerPool("pool", 4);

  private final HandlerShares shares = new HandlerShares(Clock.SYSTEM);

  private static int handlers(Map<Integer, Integer> held) {
    return held.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Takes and gives back at random: a handler is always left, and a table alone gets one. */
  @Test
  void aHandlerIsLeftInEveryOrder() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 2_000; round++) {
      int all = 1 + random.nextInt(40);
      Map<Integer, Integer> held = new HashMap<>();
      for (int step = 0; step < 100; step++) {
        int table = random.nextInt(6);
        int own = held.getOrDefault(table, 0);
        int ofOthers = handlers(held) - own;
        if (random.nextInt(3) == 0) {
          held.put(table, Math.max(0, own - 1));
        } else if (own < HandlerShares.most(all, ofOthers)) {
          held.put(table, own + 1);
        }
        assertThat(handlers(held)).as("seed %s", seed).isLessThanOrEqualTo(Math.max(1, all - 1));
      }
      assertThat(HandlerShares.most(all, 0)).isPositive();
    }
  }

  @Test
  void aTableThatHoldsItsShareIsRefusedAndOthersAreNot() throws Exception {
    List<Turn> turns = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      turns.add(shares.enter(A, POOL));
    }
    assertThatThrownBy(() -> shares.enter(A, POOL))
        .isInstanceOf(RegionTooBusyException.class)
        .hasMessageContaining("table a hold 3 of 4 handlers");
    long begin = System.nanoTime();
    assertThatThrownBy(() -> shares.enter(A, POOL)).isInstanceOf(RegionTooBusyException.class);
    assertThat(System.nanoTime() - begin).isLessThan(900_000_000L); // at once: none has ended
    shares.enter(A, new HandlerPool("another", 4)).close();
    turns.remove(0).close();
    turns.remove(0).close();
    shares.enter(B, POOL).close();
    turns.get(0).close();
  }

  @Test
  void aCallWaitsWhileCallsOfItsTableEnd() throws Exception {
    List<Turn> turns = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      turns.add(shares.enter(A, POOL));
    }
    CompletableFuture<Turn> waiting = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                waiting.complete(shares.enter(A, POOL));
              } catch (RegionTooBusyException e) {
                waiting.completeExceptionally(e);
              }
            });
    thread.start();
    await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    turns.forEach(Turn::close);
    waiting.get().close();
    thread.join();
  }
}
