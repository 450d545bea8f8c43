package dev.cairn.engine.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The owner of a storage changes it as anybody does; an earlier owner changes nothing. */
class FencedStorageTest {
  private final MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
  private final FencedStorage first = new FencedStorage(storage, ".tmp", "archive");
  private final FencedStorage second = new FencedStorage(storage, ".tmp", "archive");

  @Test
  void theOwnerChangesNames() throws IOException {
    first.claim(1);
    first.createDirectories("a/b/c");
    first.writeAll("a/b/file", new byte[] {1});
    first.rename("a/b/file", "x/y/moved");
    first.rename("a/b", "x/b");
    assertThat(storage.readAll("x/y/moved")).containsExactly(1);
    assertThat(storage.list("x/b")).extracting(Storage.FileInfo::name).containsExactly("c");
    assertThat(first.delete("x/y")).isTrue();
    assertThat(first.delete("x/y")).isFalse();
    assertThat(storage.exists("x/y")).isFalse();
    assertThat(storage.list(".tmp/owner-1")).isEmpty();
  }

  @Test
  void errorsAreThoseOfTheStorage() throws IOException {
    first.claim(1);
    first.writeAll("a", new byte[] {1});
    first.writeAll("b", new byte[] {2});
    assertThatThrownBy(() -> first.create("a")).isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> first.rename("a", "b")).isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> first.rename("c", "d"))
        .isInstanceOf(NoSuchFileException.class)
        .isNotInstanceOf(FencedException.class);
    assertThatThrownBy(() -> first.createIn("none/c")).isInstanceOf(NoSuchFileException.class);
    assertThat(storage.readAll("a")).containsExactly(1);
    assertThat(storage.readAll("b")).containsExactly(2);
    assertThat(storage.list(".tmp/owner-1")).isEmpty();
  }

  @Test
  void whatIsPreparedAppearsAtOnce() throws IOException {
    first.claim(1);
    first.createDirectories(first.staging() + "/table/region");
    first.createAll(
        List.of(new Storage.SmallFile(first.staging() + "/table/region/info", new byte[] {1})));
    assertThat(storage.exists("table")).isFalse();
    first.rename(first.staging() + "/table", "table");
    assertThat(storage.readAll("table/region/info")).containsExactly(1);
  }

  @Test
  void nobodyChangesAnythingBeforeItIsTheOwner() throws IOException {
    storage.writeAll("a", new byte[0]);
    assertThatThrownBy(() -> first.delete("a")).isInstanceOf(FencedException.class);
    assertThatThrownBy(() -> first.create("b")).isInstanceOf(FencedException.class);
    assertThat(first.readAll("a")).isEmpty();
  }

  @Test
  void anEarlierOwnerChangesNothingAnyMore() throws IOException {
    first.claim(1);
    first.createDirectories(first.staging() + "/prepared");
    AppendFile begun = first.create("begun");
    storage.writeAll("a", new byte[] {1});
    second.claim(2);
    second.takeOver();
    assertThatThrownBy(() -> first.delete("a")).isInstanceOf(FencedException.class);
    assertThatThrownBy(() -> first.rename("a", "b")).isInstanceOf(FencedException.class);
    assertThatThrownBy(() -> first.replace("a", "b")).isInstanceOf(FencedException.class);
    assertThatThrownBy(() -> first.create("b")).isInstanceOf(FencedException.class);
    assertThatThrownBy(() -> first.createDirectories("dir/new"))
        .isInstanceOf(FencedException.class);
    assertThatThrownBy(begun::close).isInstanceOf(FencedException.class);
    first.createDirectories(first.staging() + "/prepared");
    assertThatThrownBy(() -> first.rename(first.staging() + "/prepared", "published"))
        .isInstanceOf(FencedException.class);
    assertThat(storage.list("")).extracting(Storage.FileInfo::name).containsExactly(".tmp", "a");
    assertThat(second.delete("a")).isTrue();
  }

  @Test
  void anEarlierOwnerDoesNotTakeOverFromALaterOne() throws IOException {
    first.claim(1);
    second.claim(2);
    assertThatThrownBy(first::takeOver).isInstanceOf(FencedException.class);
    second.takeOver();
    second.createDirectories("a");
  }

  @Test
  void theNextOwnerFindsWhatWasOnItsWay() throws IOException {
    storage.writeAll("dir/file", new byte[] {1});
    boolean[] armed = {false};
    FencedStorage killed =
        new FencedStorage(
            new FaultyStorage(
                storage,
                (operation, path) ->
                    armed[0] && operation == StorageOperation.RENAME && path.contains("/from-")),
            ".tmp",
            "archive");
    killed.claim(1);
    armed[0] = true;
    assertThatThrownBy(() -> killed.rename("dir", "elsewhere")).isInstanceOf(IOException.class);
    second.claim(2);
    second.takeOver();
    second.takeOver();
    assertThat(second.abandoned())
        .singleElement()
        .satisfies(
            abandoned ->
                assertThat(second.moving(abandoned))
                    .singleElement()
                    .satisfies(
                        moved ->
                            assertThat(storage.readAll(moved + "/dir/file")).containsExactly(1)));
  }

  @Test
  void anOwnerThatEndsIsKnownToTheNextOne() throws IOException {
    assertThat(first.latestEpoch()).isNegative();
    first.claim(5);
    first.takeOver();
    first.createDirectories(first.staging() + "/prepared");
    first.release();
    first.release();
    assertThatThrownBy(() -> first.createDirectories("a")).isInstanceOf(FencedException.class);
    assertThat(storage.list(".tmp")).extracting(Storage.FileInfo::name).containsExactly("owner-5");
    assertThat(second.latestEpoch()).isEqualTo(5);
    second.claim(6);
    second.takeOver();
    assertThat(second.latestEpoch()).isEqualTo(6);
  }

  @Test
  void anOwnerThatHasNotTakenOverDeletesNothingAtItsEnd() throws IOException {
    first.claim(5);
    second.claim(5); // before either has found out which one may take over
    second.takeOver();
    second.createDirectories(second.staging() + "/prepared");
    first.release();
    assertThat(storage.exists(second.staging() + "/prepared")).isTrue();
  }
}
