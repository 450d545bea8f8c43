package dev.cairn.studies.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.studies.DyingClient;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.WatchedWrites;
import dev.cairn.testing.CairnExtension;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lists lose nothing when writers race, or die. */
class ListChangesTest {
  private static final String USER = "user";
  private static final int VALUES = 90;
  private static final AtomicLong CLOCK = new AtomicLong();

  @RegisterExtension static final CairnExtension CAIRN = new CairnExtension();

  private ListDesign created;

  static Stream<ListDesign> designs() {
    return new UserLists().designs().stream().map(ListDesign.class::cast);
  }

  private void create(ListDesign design) throws IOException {
    created = design;
    for (NewTable table : design.tables(VALUES)) {
      table.create(CAIRN.admin());
    }
  }

  @AfterEach
  void drop() throws IOException {
    for (NewTable table : created.tables(VALUES)) {
      table.drop(CAIRN.admin());
    }
  }

  private static Change add(long value) {
    return new Change(USER, value, Change.Kind.ADD, CLOCK.incrementAndGet());
  }

  private static Change remove(long value) {
    return new Change(USER, value, Change.Kind.REMOVE, CLOCK.incrementAndGet());
  }

  private static List<Long> all(ListDesign design) throws IOException {
    return design.latest(CAIRN.connection(), USER, Integer.MAX_VALUE);
  }

  /** Two writers add values of their own, and remove each third again. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("designs")
  void writersRace(ListDesign design) throws Exception {
    create(design);
    boolean removes = !design.name().contains("TTL");
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        int first = i;
        writers.add(
            threads.submit(
                () -> {
                  for (long value = first; value < 2 * VALUES; value += 2) {
                    design.change(CAIRN.connection(), add(value));
                    if (removes && value % 3 == 0) {
                      design.change(CAIRN.connection(), remove(value));
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      threads.shutdownNow();
    }
    List<Long> expected =
        LongStream.range(0, 2 * VALUES).filter(value -> !removes || value % 3 > 0).boxed().toList();
    assertThat(all(design)).containsExactlyInAnyOrderElementsOf(expected);
  }

  /** A writer dies before each of the writes of each change, and another one goes on. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("designs")
  void writersDie(ListDesign design) throws IOException {
    create(design);
    List<Long> expected = new ArrayList<>();
    for (long value = 0; value < VALUES; value++) {
      for (int writes = 0; changeBreaksOff(design, add(value), writes); writes++) {
        assertThat(all(design)).as("%d of the writes for %d", writes, value).isEqualTo(expected);
      }
      expected.add(0, value);
      assertThat(all(design)).isEqualTo(expected);
    }
  }

  /** A writer stops before it copies a full page; others copy it, too, and change the copy. */
  @Test
  void aLatePageOverwritesNothing() throws IOException {
    ListDesign design = new LinkedPages();
    create(design);
    for (long value = 0; value < 30; value++) {
      design.change(CAIRN.connection(), add(value));
    }
    List<Change> others = new ArrayList<>(List.of(add(30), remove(5)));
    Connection late =
        WatchedWrites.connection(
            CAIRN.connection(),
            () -> {
              while (!others.isEmpty()) {
                design.change(CAIRN.connection(), others.remove(0));
              }
            });
    design.change(late, add(31));
    assertThat(all(design)).hasSize(31).startsWith(31L, 30L).doesNotContain(5L);
  }

  static Stream<ListDesign> designsWithDeletes() {
    return Stream.of(new ColumnForValue(), RowForValue.withDeletes());
  }

  /** A buffer of the client does not keep the order of changes. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("designsWithDeletes")
  void theLatestChangeCountsWhicheverArrivesLast(ListDesign design) throws IOException {
    create(design);
    Change added = add(1);
    Change removed = remove(1);
    Change addedAgain = add(1);
    design.change(CAIRN.connection(), removed);
    design.change(CAIRN.connection(), added);
    assertThat(all(design)).isEmpty();
    design.change(CAIRN.connection(), addedAgain);
    assertThat(all(design)).containsExactly(1L);
  }

  /** Returns false if the change needs no more writes than these. */
  private static boolean changeBreaksOff(ListDesign design, Change change, int writes) {
    DyingClient client = new DyingClient(CAIRN.connection(), writes);
    try {
      design.change(client.connection(), change);
      return false;
    } catch (IOException e) {
      assertThat(client.isDead()).as("%s", e).isTrue();
      return true;
    }
  }
}
