package dev.cairn.server.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FencedException;
import dev.cairn.engine.storage.FencedStorage;
import dev.cairn.engine.storage.ForwardingStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.rpc.ManualClock;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotDirectoryTest {
  private static final TableSchema SCHEMA =
      TableSchema.of(TableName.parse("t"), FamilySchema.of("f"));

  private final Storage storage = new MemoryStorage(new ManualClock());
  private final SnapshotDirectory snapshots = new SnapshotDirectory(storage);

  private static SnapshotDescription description(String name) {
    return SnapshotDescription.newBuilder().setName(name).setTable("t").build();
  }

  @Test
  void aSnapshotAppearsWhenItIsPublished() throws IOException {
    SnapshotDirectory.Attempt attempt = snapshots.begin(description("s"), 1, 1);
    assertThat(snapshots.find("s")).isEmpty();
    assertThat(SnapshotDirectory.isAnyBeingTaken(storage, "")).isTrue();
    attempt.publish(SCHEMA, List.of());
    assertThat(snapshots.list()).containsExactly(description("s"));
    assertThat(snapshots.read("s").orElseThrow().schema()).isEqualTo(SCHEMA);
    assertThat(SnapshotDirectory.isAnyBeingTaken(storage, "")).isFalse();
  }

  @Test
  void ofTwoSnapshotsWithOneNameTheFirstStays() throws IOException {
    SnapshotDirectory.Attempt first = snapshots.begin(description("s"), 1, 1);
    SnapshotDirectory.Attempt second = snapshots.begin(description("s"), 1, 2);
    first.publish(SCHEMA, List.of());
    assertThatThrownBy(() -> second.publish(SCHEMA, List.of()))
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void whatAReplacedMasterWasMakingIsSweptAndCannotBePublished() throws IOException {
    SnapshotDirectory.Attempt late = snapshots.begin(description("s"), 1, 1);
    SnapshotDirectory.Attempt current = snapshots.begin(description("s"), 2, 1);
    storage.writeAll(".hbase-snapshot/.tmp/exported/data.manifest", new byte[1]);
    snapshots.sweep(2);
    assertThat(storage.list(".hbase-snapshot/.tmp"))
        .extracting(Storage.FileInfo::name)
        .containsExactly("exported", "s~2~1");
    assertThatThrownBy(() -> late.publish(SCHEMA, List.of())).isInstanceOf(IOException.class);
    current.publish(SCHEMA, List.of());
    assertThat(snapshots.read("s")).isPresent();
  }

  @Test
  void aDeletedSnapshotIsGoneAtOnce() throws IOException {
    snapshots.begin(description("s"), 1, 1).publish(SCHEMA, List.of());
    assertThat(snapshots.delete("s")).isTrue();
    assertThat(snapshots.delete("s")).isFalse();
    assertThat(storage.list(".hbase-snapshot/.tmp")).isEmpty();
  }

  @Test
  void aMasterThatWasReplacedDeletesNoSnapshot() throws IOException {
    FencedStorage former = TableFiles.fence(storage);
    FencedStorage present = TableFiles.fence(storage);
    former.claim(1);
    present.claim(2);
    present.takeOver();
    new SnapshotDirectory(storage, present)
        .begin(description("s"), 2, 1)
        .publish(SCHEMA, List.of());

    assertThatThrownBy(() -> new SnapshotDirectory(storage, former).delete("s"))
        .isInstanceOf(FencedException.class);
    assertThat(new SnapshotDirectory(storage, present).delete("s")).isTrue();
  }

  @Test
  void aDamagedSnapshotIsNotListed() throws IOException {
    snapshots.begin(description("a"), 1, 1).publish(SCHEMA, List.of());
    storage.writeAll(".hbase-snapshot/b/.snapshotinfo", new byte[] {-1});
    assertThat(snapshots.list()).containsExactly(description("a"));
  }

  @Test
  void aSnapshotThatCannotBeReadNowIsNotLeftOut() throws IOException {
    snapshots.begin(description("a"), 1, 1).publish(SCHEMA, List.of());
    snapshots.begin(description("b"), 1, 2).publish(SCHEMA, List.of());
    Storage away =
        new ForwardingStorage(storage) {
          @Override
          public ReadableFile open(String path) throws IOException {
            if (path.contains("/b/")) {
              throw new IOException("the NameNode is in safe mode");
            }
            return super.open(path);
          }
        };
    assertThatThrownBy(() -> new SnapshotDirectory(away).list()).hasMessageContaining("safe mode");
  }

  @Test
  void aMissingFileIsNamed() throws IOException {
    storage.writeAll(".hbase-snapshot/s/.snapshotinfo", description("s").toByteArray());
    assertThatThrownBy(() -> snapshots.read("s"))
        .hasMessageContaining(".hbase-snapshot/s/data.manifest")
        .hasCauseInstanceOf(NoSuchFileException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "..", "../x", ".tmp", "a/b", "a:b", "a~1~2", "-a", "a b"})
  void anIllegalNameIsRefused(String name) {
    assertThatThrownBy(() -> SnapshotDescriptions.name(description(name)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("<" + name + ">");
  }

  @Test
  void aSnapshotExpiresAfterItsTimeToLive() {
    SnapshotDescription mortal =
        description("s").toBuilder().setCreationTime(10_000).setTtl(5).build();
    assertThat(SnapshotDescriptions.isExpired(mortal, 15_000)).isFalse();
    assertThat(SnapshotDescriptions.isExpired(mortal, 15_001)).isTrue();
    assertThat(SnapshotDescriptions.isExpired(mortal.toBuilder().setTtl(0).build(), 1L << 60))
        .isFalse();
  }
}
