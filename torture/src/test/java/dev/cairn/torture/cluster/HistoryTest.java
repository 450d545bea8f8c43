package dev.cairn.torture.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Tests the values that a reader may see of a register that is put and deleted. */
class HistoryTest {
  private static final String ROW = "07-register-1";
  private final History history = new History();

  @Test
  void anAbsentRowIsRightAfterADeletion() {
    put(1);
    delete(2);
    history.read(ROW, OptionalLong.empty(), 2);
    assertThat(history.errors()).isEmpty();
  }

  @Test
  void anAbsentRowIsAnErrorAfterAPut() {
    put(1);
    delete(2);
    put(3);
    history.read(ROW, OptionalLong.empty(), 3);
    assertThat(history.errors()).singleElement().asString().contains("nothing", "3", "[2]");
  }

  @Test
  void aDeletedNumberDoesNotReturn() {
    put(1);
    delete(2);
    history.read(ROW, OptionalLong.of(1), 2);
    assertThat(history.errors()).singleElement().asString().contains("read 1");
  }

  @Test
  void aReaderWhoSawADeletionSeesNothingOlder() {
    put(1);
    history.beginDelete(ROW, 2);
    history.read(ROW, OptionalLong.empty(), history.least(ROW));
    history.read(ROW, OptionalLong.of(1), history.least(ROW));
    assertThat(history.errors()).hasSize(1);
  }

  @Test
  void aScanMustSeeTheRowsOfItsRange() {
    put(1);
    assertThat(history.leasts("07", "08")).containsOnlyKeys(ROW).containsValue(1L);
    assertThat(history.leasts("07", "")).containsOnlyKeys(ROW);
    assertThat(history.leasts("08", "")).isEmpty();
  }

  @Test
  void aScanForNumbersMayLeaveOutARowWithAnother() {
    put(1);
    history.leftOut(ROW, 2, 5, 1);
    history.beginPut(ROW, 3);
    history.leftOut(ROW, 1, 2, 1); // it must have seen the put that had begun
    assertThat(history.errors()).isEmpty();
    assertThat(history.least(ROW)).isEqualTo(3);
  }

  @Test
  void aScanForNumbersMayLeaveOutADeletedRow() {
    put(1);
    history.beginDelete(ROW, 2);
    history.leftOut(ROW, 1, Long.MAX_VALUE, 1);
    assertThat(history.errors()).isEmpty();
    assertThat(history.least(ROW)).isEqualTo(2);
  }

  @Test
  void aScanForANumberMustReturnTheRowThatHasIt() {
    put(3);
    history.leftOut(ROW, 2, 5, 3);
    assertThat(history.errors()).singleElement().asString().contains("2 to 5", "did not return");
    history.leftOutByReplica(ROW, 3, 3, 3);
    assertThat(history.errors()).hasSize(2);
  }

  private void put(long value) {
    history.beginPut(ROW, value);
    history.put(ROW, value);
  }

  private void delete(long value) {
    history.beginDelete(ROW, value);
    history.put(ROW, value);
  }
}
