package dev.cairn.server.master.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.catalog.ServerName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Actions in lanes. */
class LaneQueuesTest {
  private static final Lane NARROW = new Lane("narrow", 1);

  /** The threads that were asked for and have not run. */
  private final Queue<Runnable> threads = new ArrayDeque<>();

  private final LaneQueues lanes = new LaneQueues(threads::add);
  private final List<String> done = new ArrayList<>();

  @Test
  void runsAsManyActionsOfALaneAtATimeAsItAllows() {
    Lane lane = new Lane("wide", 2);
    for (int i = 0; i < 3; i++) {
      String name = "action " + i;
      lanes.execute(lane, () -> done.add(name));
    }

    assertThat(threads).hasSize(2);
    threads.remove().run();
    assertThat(done).containsExactly("action 0", "action 2");
  }

  @Test
  void runsActionsOfANarrowLaneInTheirOrder() {
    lanes.execute(NARROW, () -> done.add("first"));
    lanes.execute(NARROW, () -> done.add("second"));
    runThreads();
    lanes.execute(NARROW, () -> done.add("third"));
    runThreads();

    assertThat(done).containsExactly("first", "second", "third");
  }

  @Test
  void anActionThatHangsDelaysNoOtherLane() {
    ServerName hanging = new ServerName("a", 1, 1);
    ServerName other = new ServerName("b", 1, 1);
    for (int i = 0; i < 100; i++) {
      lanes.execute(Lane.orders(hanging), () -> {});
    }
    List<Runnable> hung = List.copyOf(threads);
    threads.clear();
    lanes.execute(Lane.orders(other), () -> done.add("an order to another server"));
    lanes.execute(Lane.RECOVERY, () -> done.add("a recovery"));
    runThreads();

    assertThat(hung).hasSize(Lane.orders(hanging).threads());
    assertThat(done).containsExactly("an order to another server", "a recovery");
  }

  @Test
  void goesOnAfterAnActionThatBroke() {
    lanes.execute(
        NARROW,
        () -> {
          throw new IllegalStateException("broken");
        });
    lanes.execute(NARROW, () -> done.add("next"));
    Runnable thread = threads.remove();
    assertThatThrownBy(thread::run).hasMessage("broken");
    runThreads();

    assertThat(done).containsExactly("next");
  }

  @Test
  void beginsNothingOnceClosed() {
    lanes.execute(NARROW, () -> done.add("running"));
    lanes.execute(NARROW, () -> done.add("waiting"));
    lanes.close();
    lanes.execute(NARROW, () -> done.add("late"));
    threads.remove().run();

    assertThat(threads).isEmpty();
    assertThat(done).containsExactly("running");
  }

  private void runThreads() {
    while (!threads.isEmpty()) {
      threads.remove().run();
    }
  }
}
