package dev.cairn.bench.compare;

import dev.cairn.bench.report.Mark;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.BlockCache;
import dev.cairn.engine.hfile.HFileReader;
import dev.cairn.engine.storage.LocalStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Sees flushes and compactions of any server that keeps its data as HBase does: it looks into the
 * data folder from time to time, and asks each store file that is new whether it names files that
 * it was made of. Compactions of which the file was replaced between two looks are missed.
 */
final class StoreFileWatch implements AutoCloseable {
  private static final byte[] COMPACTION_EVENT =
      "COMPACTION_EVENT_KEY".getBytes(StandardCharsets.UTF_8);
  private static final int MAGIC_LENGTH = 4; // the value without inputs is this alone
  private static final long LOOK_MILLIS = 200;
  private static final int FAMILY_DEPTH = 4; // TABLE/REGION/FAMILY/FILE below a namespace

  private final Path namespace;
  private final long startNanos = System.nanoTime();
  private final List<Mark> marks = new ArrayList<>();
  private final Set<Path> known;
  private final Thread thread = new Thread(this::watch, "store file watch");

  /**
   * Begins to watch.
   *
   * @param dataFolder the server's {@code hbase.rootdir}
   */
  StoreFileWatch(Path dataFolder) throws IOException {
    this.namespace = dataFolder.resolve("data/default");
    this.known = storeFiles();
    thread.setDaemon(true);
    thread.start();
  }

  /** Stops watching, and returns what was seen since the beginning. */
  List<Mark> stop() throws IOException {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    look(); // what happened since the last look
    return List.copyOf(marks);
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  private void watch() {
    try {
      while (true) {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        look();
      }
    } catch (InterruptedException e) {
      // stopped
    } catch (IOException e) {
      System.err.println("Cannot look for flushes and compactions: " + e);
    }
  }

  private void look() throws IOException {
    double seconds = (System.nanoTime() - startNanos) / (double) TimeUnit.SECONDS.toNanos(1);
    Set<Path> now = storeFiles();
    for (Path file : now) {
      if (known.add(file)) {
        kind(file).ifPresent(kind -> marks.add(new Mark(seconds, kind)));
      }
    }
  }

  private Optional<Mark.Kind> kind(Path file) {
    try (HFileReader reader =
        HFileReader.open(
            new LocalStorage(file.getParent()),
            file.getFileName().toString(),
            new BlockCache(1, Runnable::run),
            CellComparator.USER)) {
      byte[] event = reader.info().fileInfo().get(COMPACTION_EVENT);
      boolean compaction = event != null && event.length > MAGIC_LENGTH;
      return Optional.of(compaction ? Mark.Kind.COMPACTION : Mark.Kind.FLUSH);
    } catch (IOException e) {
      return Optional.empty(); // gone again, or no store file
    }
  }

  private Set<Path> storeFiles() throws IOException {
    Set<Path> found = new HashSet<>();
    if (!Files.isDirectory(namespace)) {
      return found;
    }
    try (Stream<Path> files = Files.walk(namespace, FAMILY_DEPTH)) {
      files.filter(this::isStoreFile).forEach(found::add);
    } catch (UncheckedIOException e) {
      if (!(e.getCause() instanceof NoSuchFileException)) { // else a folder went meanwhile
        throw e.getCause();
      }
    }
    return found;
  }

  private boolean isStoreFile(Path file) {
    Path relative = namespace.relativize(file);
    return relative.getNameCount() == FAMILY_DEPTH
        && !relative.getName(1).toString().startsWith(".")
        && !relative.getName(2).toString().startsWith(".")
        && !relative.getName(2).toString().equals("recovered.edits")
        && !relative.getFileName().toString().startsWith(".");
  }
}
