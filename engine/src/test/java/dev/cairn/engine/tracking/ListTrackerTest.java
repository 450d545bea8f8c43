package dev.cairn.engine.tracking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.DamagedFileException;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.tracking.StoreFileTracker.TrackedFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lists of store files, as HBase 2.6 writes them. */
class ListTrackerTest {
  private static final String STORE = "data/default/t/r/f";
  private static final TrackedFile A = new TrackedFile("a", 1);
  private static final TrackedFile B = new TrackedFile("b", 2);
  private static final TrackedFile C = new TrackedFile("c", 3);

  private final MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
  private final ListTracker tracker = tracker();

  @BeforeEach
  void makeTheStore() throws IOException {
    storage.createDirectories(STORE);
  }

  private ListTracker tracker() {
    return new ListTracker(storage, Clock.SYSTEM, STORE, Optional.empty());
  }

  @Test
  void aNewStoreHasAnEmptyList() throws IOException {
    assertThat(tracker.load()).isEmpty();
    tracker.begin(List.of());
    assertThat(tracker().load()).isEmpty();
    assertThat(lists()).hasSize(1);
  }

  @Test
  void publishedFilesCountAndReplacedOnesDoNot() throws IOException {
    tracker.begin(List.of());
    tracker.publish(A, Set.of());
    tracker.publish(B, Set.of());
    assertThat(tracker().load()).containsExactly(A, B);
    tracker.publish(C, Set.of("a", "b"));
    assertThat(tracker().load()).containsExactly(C);
    tracker.drop(Set.of("c"));
    assertThat(tracker().load()).isEmpty();
    assertThat(lists()).hasSize(1);
  }

  @Test
  void aListIsReadAsHBaseWroteIt() throws IOException {
    byte[] written =
        HexFormat.of()
            .parseHex(
                "0000007e08cbd982b7a03412250a203834643237633837613062663437383039333230663962"
                    + "64666361373830323610d72612250a2033366165396233373136323934393736393262"
                    + "383431313761303861343430"
                    + "3610d72612250a2064353138656630393366643534"
                    + "6633356231373864383861643537643461663210d7261801cc8a99de");
    storage.writeAll(STORE + "/.filelist/f1.1795411710939", written);
    assertThat(tracker.load())
        .containsExactly(
            new TrackedFile("84d27c87a0bf47809320f9bdfca78026", 4951),
            new TrackedFile("36ae9b371629497692b84117a08a4406", 4951),
            new TrackedFile("d518ef093fd54f35b178d88ad57d4af2", 4951));
    assertThat(new FileList(1795411717323L, tracker.load()).toFile()).isEqualTo(written);
  }

  @Test
  void anOwnerThatLostTheStoreHasNoSay() throws IOException {
    tracker.begin(List.of());
    tracker.publish(A, Set.of());
    ListTracker next = tracker();
    next.begin(next.load());
    tracker.publish(B, Set.of());
    assertThat(tracker().load()).containsExactly(A);
    next.publish(C, Set.of());
    assertThat(tracker().load()).containsExactly(A, C);
  }

  @Test
  void whatTheListDoesNotNameIsArchivedByTheNextOwner() throws IOException {
    tracker.begin(List.of());
    storage.writeAll(STORE + "/a", new byte[1]);
    tracker.publish(A, Set.of());
    storage.writeAll(STORE + "/b", new byte[2]);
    ListTracker next = tracker();
    next.begin(next.load());
    assertThat(storage.exists(STORE + "/a")).isTrue();
    assertThat(storage.exists(STORE + "/b")).isFalse();
    assertThat(storage.exists("archive/" + STORE + "/b")).isTrue();
  }

  @Test
  void anUpdateThatWasCutOffHasNoEffect() throws IOException {
    tracker.begin(List.of());
    tracker.publish(A, Set.of());
    String whole = lists().get(0);
    String torn = whole.replace("/f1.", "/f3.").replace("/f2.", "/f1.").replace("/f3.", "/f2.");
    byte[] next = new FileList(Long.MAX_VALUE, List.of(B)).toFile();
    for (int length = 0; length < next.length; length++) {
      storage.delete(torn);
      storage.writeAll(torn, Arrays.copyOf(next, length));
      assertThat(tracker().load()).as("%d bytes", length).containsExactly(A);
    }
    storage.delete(torn);
    storage.writeAll(torn, next);
    assertThat(tracker().load()).containsExactly(B);
  }

  @Test
  void aDamagedListIsNotReadAsAnother() throws IOException {
    tracker.begin(List.of());
    tracker.publish(A, Set.of());
    byte[] content = storage.readAll(lists().get(0));
    content[6] ^= 1;
    storage.writeAll(lists().get(0), content);
    assertThatThrownBy(() -> tracker().load())
        .isInstanceOf(DamagedFileException.class)
        .hasMessageContaining(".filelist");
  }

  @Test
  void filesWithoutAListAreNotTakenForNone() throws IOException {
    storage.writeAll(STORE + "/a", new byte[1]);
    assertThatThrownBy(tracker::load)
        .isInstanceOf(DamagedFileException.class)
        .hasMessageContaining("store file tracker FILE");
  }

  private List<String> lists() throws IOException {
    return storage.list(STORE + "/.filelist").stream().map(Storage.FileInfo::path).toList();
  }
}
