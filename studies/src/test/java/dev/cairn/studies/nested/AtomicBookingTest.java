package dev.cairn.studies.nested;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.studies.DyingClient;
import dev.cairn.studies.NewTable;
import dev.cairn.testing.CairnExtension;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The balance is the sum of the entries whoever dies and races, if both are in one row. */
class AtomicBookingTest {
  private static final long ACCOUNT = 7;
  private static final int ENTRIES = 60;

  @RegisterExtension static final CairnExtension CAIRN = new CairnExtension();

  private AccountDesign created;

  static Stream<AccountDesign> designs() {
    return new NestedEntities().designs().stream().map(AccountDesign.class::cast);
  }

  static Stream<AccountDesign> oneRow() {
    return Stream.of(new OneValue(), new ChildColumns());
  }

  private void create(AccountDesign design) throws IOException {
    created = design;
    for (NewTable table : design.tables(ENTRIES)) {
      table.create(CAIRN.admin());
    }
  }

  @AfterEach
  void drop() throws IOException {
    for (NewTable table : created.tables(ENTRIES)) {
      table.drop(CAIRN.admin());
    }
  }

  private static Booking booking(int number) {
    return new Booking(ACCOUNT, new Entry(number, 100 + number, "entry " + number));
  }

  private static Account account(AccountDesign design) throws IOException {
    return design.account(CAIRN.connection(), ACCOUNT);
  }

  /** Returns whether a booking breaks off after so many writes. */
  private static boolean breaksOff(AccountDesign design, Booking booking, int writes) {
    DyingClient client = new DyingClient(CAIRN.connection(), writes);
    try {
      design.book(client.connection(), booking);
      return false;
    } catch (IOException e) {
      assertThat(client.isDead()).as("%s", e).isTrue();
      return true;
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("oneRow")
  void aWriterThatDiesLeavesNothingInOneRow(AccountDesign design) throws IOException {
    create(design);
    design.book(CAIRN.connection(), booking(1));
    for (int number = 2; number < ENTRIES; number++) {
      Account before = account(design);
      assertThat(before.isBalanced()).isTrue();
      for (int writes = 0; breaksOff(design, booking(number), writes); writes++) {
        assertThat(account(design)).isEqualTo(before);
      }
      assertThat(account(design)).isEqualTo(before.with(booking(number).entry()));
    }
  }

  @Test
  void aWriterThatDiesBetweenTwoRowsLeavesAnEntryThatIsMissingInTheBalance() throws IOException {
    AccountDesign design = new ChildRows();
    create(design);
    design.book(CAIRN.connection(), booking(1));
    assertThat(account(design).isBalanced()).isTrue();
    assertThat(breaksOff(design, booking(2), 1)).isTrue();
    assertThat(account(design).entries()).hasSize(2);
    assertThat(account(design).isBalanced()).isFalse();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("designs")
  void writersRaceAndNoneLosesAnEntry(AccountDesign design) throws Exception {
    create(design);
    design.book(CAIRN.connection(), booking(1));
    ExecutorService threads = Executors.newFixedThreadPool(2);
    int torn = 0;
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        int first = 2 + i;
        writers.add(
            threads.submit(
                () -> {
                  for (int number = first; number <= ENTRIES; number += 2) {
                    design.book(CAIRN.connection(), booking(number));
                  }
                  return null;
                }));
      }
      while (!writers.stream().allMatch(Future::isDone)) {
        torn += account(design).isBalanced() ? 0 : 1;
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      threads.shutdownNow();
    }
    Account after = account(design);
    assertThat(after.isBalanced()).isTrue();
    assertThat(after.entries())
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(1, ENTRIES).mapToObj(number -> booking(number).entry()).toList());
    if (!(design instanceof ChildRows)) {
      assertThat(torn).as("reads that saw half a booking").isZero();
    }
  }
}
