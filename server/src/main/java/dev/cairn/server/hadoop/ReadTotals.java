package dev.cairn.server.hadoop;

import dev.cairn.engine.storage.Storage.BytesRead;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.hadoop.hdfs.ReadStatistics;

/** Adds up the bytes that all streams of an HDFS have read, open and closed. Thread-safe. */
final class ReadTotals {
  private final Set<ReadStatistics> open = Collections.newSetFromMap(new IdentityHashMap<>());
  private BytesRead closed = BytesRead.NONE;

  /** Adds the reads of a stream from now on. */
  synchronized void opened(ReadStatistics stream) {
    open.add(stream);
  }

  /** Keeps the count of a stream that is closed. */
  synchronized void closed(ReadStatistics stream) {
    if (open.remove(stream)) {
      closed = closed.plus(of(stream));
    }
  }

  /** Returns the bytes read so far. */
  synchronized BytesRead sum() {
    BytesRead sum = closed;
    for (ReadStatistics stream : open) {
      sum = sum.plus(of(stream));
    }
    return sum;
  }

  private static BytesRead of(ReadStatistics stream) {
    return new BytesRead(
        stream.getTotalLocalBytesRead(),
        stream.getTotalShortCircuitBytesRead(),
        stream.getRemoteBytesRead());
  }
}
