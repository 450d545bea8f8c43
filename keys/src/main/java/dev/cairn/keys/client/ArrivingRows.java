package dev.cairn.keys.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Takes the rows of a bucket as long as it has some, then those of a bucket that has others. */
final class ArrivingRows implements RowOrder {
  private final Deque<BucketSource> sources;

  ArrivingRows(List<BucketSource> sources) {
    this.sources = new ArrayDeque<>(sources);
  }

  @Override
  public BucketSource next() throws IOException {
    while (!sources.isEmpty()) {
      BucketSource first = ready();
      if (first.advance()) {
        return first;
      }
      sources.remove();
    }
    return null;
  }

  /** Moves a bucket with rows to the front, and waits until there is one. */
  private BucketSource ready() throws IOException {
    while (true) {
      for (int tried = 0; tried < sources.size(); tried++) {
        if (sources.element().isReady()) {
          return sources.element();
        }
        sources.add(sources.remove());
      }
      awaitAny();
    }
  }

  private void awaitAny() throws IOException {
    try {
      CompletableFuture.anyOf(
              sources.stream().map(BucketSource::request).toArray(CompletableFuture[]::new))
          .get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for rows");
    } catch (ExecutionException e) {
      return; // advance throws it
    }
  }
}
