package dev.cairn.bench.compare;

import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.storage.LocalStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HFileProtos.CompactionEventTracker;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * The store files of any server that keeps its data as HBase does, while it runs: {@code
 * data/default/TABLE/REGION/FAMILY/FILE} below its {@code hbase.rootdir}. A file says itself which
 * files it was made of, under {@code COMPACTION_EVENT_KEY}: the magic {@code PBUF} and a {@code
 * CompactionEventTracker}; one that a flush wrote names none.
 *
 * @param root the server's {@code hbase.rootdir}
 */
public record StoreFolder(Path root) {
  private static final byte[] COMPACTION_EVENT =
      "COMPACTION_EVENT_KEY".getBytes(StandardCharsets.UTF_8);
  private static final int MAGIC_LENGTH = 4;
  private static final int FAMILY_DEPTH = 4; // TABLE/REGION/FAMILY/FILE

  private Path namespace() {
    return root.resolve("data/default");
  }

  /** Returns the store files of user tables that are there now. */
  Set<Path> files() throws IOException {
    Set<Path> found = new HashSet<>();
    if (!Files.isDirectory(namespace())) {
      return found;
    }
    try (Stream<Path> files = Files.walk(namespace(), FAMILY_DEPTH)) {
      files.filter(this::isStoreFile).forEach(found::add);
    } catch (UncheckedIOException e) {
      if (!(e.getCause() instanceof NoSuchFileException)) { // else a folder went meanwhile
        throw e.getCause();
      }
    }
    return found;
  }

  private boolean isStoreFile(Path file) {
    Path relative = namespace().relativize(file);
    return relative.getNameCount() == FAMILY_DEPTH
        && !relative.getName(1).toString().startsWith(".")
        && !relative.getName(2).toString().startsWith(".")
        && !relative.getName(2).toString().equals("recovered.edits")
        && !relative.getFileName().toString().startsWith(".");
  }

  /**
   * Returns the bytes of the store files that hold the tables: without those that a compaction has
   * replaced, and that the server has not yet put away.
   */
  public long liveBytes() throws IOException {
    return liveBytes(files());
  }

  /**
   * Returns the same for some regions: without those that a split has replaced, and that the server
   * has not yet put away.
   *
   * @param regions the encoded names
   */
  public long liveBytesOf(Set<String> regions) throws IOException {
    Set<Path> found = files();
    found.removeIf(file -> !regions.contains(region(file)));
    return liveBytes(found);
  }

  /**
   * Returns whether each family of some regions has one file at most, and no reference to a file of
   * a region that was split.
   *
   * @param regions the encoded names
   */
  public boolean isCompacted(Set<String> regions) throws IOException {
    Set<Path> found = files();
    found.removeIf(file -> !regions.contains(region(file)));
    Set<Path> live = live(found);
    long families = live.stream().map(Path::getParent).distinct().count();
    return families == live.size()
        && live.stream().noneMatch(file -> file.getFileName().toString().contains("."));
  }

  private String region(Path file) {
    return namespace().relativize(file).getName(1).toString();
  }

  private static long liveBytes(Set<Path> all) throws IOException {
    long sum = 0;
    for (Path file : live(all)) {
      if (Files.exists(file)) {
        sum += Files.size(file);
      }
    }
    return sum;
  }

  /** Returns the files that no other one was made of. */
  private static Set<Path> live(Set<Path> all) {
    Set<Path> live = new HashSet<>(all);
    for (Path file : all) {
      inputs(file)
          .ifPresent(names -> names.forEach(name -> live.remove(file.resolveSibling(name))));
    }
    return live;
  }

  /** Returns the names of the files that a file was made of; nothing if it is gone again. */
  static Optional<List<String>> inputs(Path file) {
    try (HFileReader reader =
        HFileReader.open(
            new LocalStorage(file.getParent()),
            file.getFileName().toString(),
            new BlockCache(1, Runnable::run),
            CellComparator.USER)) {
      byte[] event = reader.info().fileInfo().get(COMPACTION_EVENT);
      if (event == null || event.length <= MAGIC_LENGTH) {
        return Optional.of(List.of());
      }
      byte[] message = Arrays.copyOfRange(event, MAGIC_LENGTH, event.length);
      return Optional.of(
          CompactionEventTracker.parseFrom(message).getCompactedStoreFileList().stream()
              .map(ByteString::toStringUtf8)
              .toList());
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
