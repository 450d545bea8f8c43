package dev.cairn.engine.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Of the owners of a place, only the latest one can publish files. */
class ScratchDirectoryTest {
  private final MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);

  @BeforeEach
  void makeThePlace() throws IOException {
    storage.createDirectories("place");
  }

  private ScratchDirectory claim(long epoch, long order) throws IOException {
    return ScratchDirectory.claim(
        storage, "place/.tmp", Optional.of(new FencingToken(epoch, order)));
  }

  private void publish(ScratchDirectory owner, String name) throws IOException {
    owner.create(name).close();
    owner.publish(owner.file(name), "place/" + name);
  }

  @Test
  void theOwnerPublishesAndWithdraws() throws IOException {
    ScratchDirectory owner = claim(1, 1);
    publish(owner, "file");
    owner.writeAll("place/list", new byte[] {1});
    owner.writeAll("place/list", new byte[] {2});
    assertThat(storage.readAll("place/list")).containsExactly(2);
    owner.withdraw("place/file");
    owner.withdraw("place/file");
    assertThat(storage.exists("place/file")).isFalse();
    assertThat(storage.list(owner.path())).isEmpty();
  }

  @Test
  void anEarlierOwnerChangesNothingAnyMore() throws IOException {
    ScratchDirectory earlier = claim(1, 9);
    publish(earlier, "published");
    earlier.create("begun").close();
    ScratchDirectory later = claim(2, 1);
    assertThatThrownBy(() -> earlier.publish(earlier.file("begun"), "place/begun"))
        .isInstanceOf(FencedException.class);
    assertThatThrownBy(() -> earlier.create("new")).isInstanceOf(FencedException.class);
    assertThatThrownBy(() -> earlier.writeAll("place/published", new byte[1]))
        .isInstanceOf(FencedException.class);
    assertThatThrownBy(() -> earlier.withdraw("place/published"))
        .isInstanceOf(FencedException.class);
    assertThat(storage.exists("place/published")).isTrue();
    assertThat(storage.exists(earlier.path())).isFalse();
    publish(later, "mine");
  }

  @Test
  void aFileThatSomebodyElseRemovesMeanwhileIsWithdrawn() throws IOException {
    Storage interrupted =
        new FaultyStorage(
            storage,
            (operation, path) -> {
              if (operation != StorageOperation.RENAME) {
                return false;
              }
              try {
                storage.discard("place/list");
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
              return false;
            });
    ScratchDirectory owner =
        ScratchDirectory.claim(interrupted, "place/.tmp", Optional.of(new FencingToken(1, 1)));
    storage.writeAll("place/list", new byte[] {1});
    owner.withdraw("place/list");
    assertThat(storage.exists("place/list")).isFalse();
    assertThat(storage.exists(owner.path())).isTrue();
  }

  /** It falls asleep at each operation in turn. */
  @Test
  void anOwnerThatSleepsWhileItReplacesAFileLeavesThatOfALaterOwner() throws IOException {
    for (int n = 0; n < 8; n++) {
      int[] left = {n};
      storage.discard("place");
      storage.createDirectories("place");
      Storage slept =
          new FaultyStorage(
              storage,
              (operation, path) -> {
                if (left[0]-- == 0) {
                  takeOverAndPublish();
                }
                return false;
              });
      left[0] = Integer.MAX_VALUE;
      ScratchDirectory earlier =
          ScratchDirectory.claim(slept, "place/.tmp", Optional.of(new FencingToken(1, 1)));
      earlier.writeAll("place/list", new byte[] {1});
      left[0] = n;
      try {
        earlier.writeAll("place/list", new byte[] {1});
      } catch (IOException e) {
        assertThat(e).isInstanceOf(FencedException.class);
      }
      if (left[0] < 0) {
        assertThat(storage.readAll("place/list")).as("asleep at %d", n).containsExactly(2);
      }
    }
  }

  private void takeOverAndPublish() {
    try {
      claim(2, 1).writeAll("place/list", new byte[] {2});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aClaimThatComesLateLeavesTheLaterOwnerAlone() throws IOException {
    ScratchDirectory later = claim(1, 2);
    later.create("begun").close();
    assertThatThrownBy(() -> claim(1, 1)).isInstanceOf(FencedException.class);
    later.publish(later.file("begun"), "place/begun");
    assertThat(storage.list("place/.tmp")).hasSize(1);
  }

  @Test
  void withoutATokenTheNewOwnerIsTheLatest() throws IOException {
    storage.create("place/.tmp/family/left-by-hbase").close();
    ScratchDirectory first = ScratchDirectory.claim(storage, "place/.tmp", Optional.empty());
    ScratchDirectory second = ScratchDirectory.claim(storage, "place/.tmp", Optional.empty());
    assertThat(storage.list("place/.tmp"))
        .extracting(Storage.FileInfo::path)
        .containsExactly(second.path());
    assertThatThrownBy(first::check).isInstanceOf(FencedException.class);
  }
}
