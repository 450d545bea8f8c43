package dev.cairn.bench.compare;

import dev.cairn.bench.report.Mark;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Detects flushes and compactions by their store files: it looks for new ones periodically. It
 * misses files that are replaced again between two looks.
 */
final class StoreFileWatch implements AutoCloseable {
  private static final long LOOK_MILLIS = 200;

  private final StoreFolder folder;
  private final long startNanos = System.nanoTime();
  private final List<Mark> marks = new ArrayList<>();
  private final Set<Path> known;
  private final Thread thread = new Thread(this::watch, "store file watch");

  /** Begins to watch. */
  StoreFileWatch(StoreFolder folder) throws IOException {
    this.folder = folder;
    this.known = folder.files();
    thread.setDaemon(true);
    thread.start();
  }

  /** Stops watching, and returns the events since the beginning. */
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
    for (Path file : folder.files()) {
      if (known.add(file)) {
        StoreFolder.inputs(file)
            .map(inputs -> inputs.isEmpty() ? Mark.Kind.FLUSH : Mark.Kind.COMPACTION)
            .ifPresent(kind -> marks.add(new Mark(seconds, kind)));
      }
    }
  }
}
