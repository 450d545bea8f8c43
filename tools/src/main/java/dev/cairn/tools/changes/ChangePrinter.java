package dev.cairn.tools.changes;

import dev.cairn.engine.changes.ChangeCursor;
import dev.cairn.engine.changes.ChangeCursors;
import dev.cairn.engine.changes.ChangeReader;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Prints a stream of changes in rounds. After each round it saves the position of the cursor;
 * without a cursor it prints a token with the position. For one thread.
 *
 * @param reader the stream
 * @param writer writes changes to {@code out}
 * @param out the output; the printer ends early if nobody reads it
 * @param cursors saves the cursor
 */
public record ChangePrinter(
    ChangeReader reader, ChangeWriter writer, PrintWriter out, ChangeCursors cursors) {
  /**
   * Prints the changes so far, or follows the stream.
   *
   * @param limit the number of changes after which it ends
   * @param interval the time between two rounds; empty: ends with the changes so far
   * @param cursor follows the position, if there is one
   */
  public void run(long limit, Optional<Duration> interval, Optional<ChangeCursor> cursor)
      throws IOException, InterruptedException {
    long left = limit;
    // A round returns the changes that the round before it has read.
    for (int round = 0; interval.isPresent() || round < 2; round++) {
      if (round >= 2) {
        Clock.SYSTEM.await(new CompletableFuture<>(), interval.get().toNanos());
      }
      reader.poll();
      long before = left;
      while (left > 0 && reader.next()) {
        writer.write(reader.change());
        left--;
      }
      boolean isLast = left == 0 || interval.isEmpty() && round == 1;
      if (cursor.isEmpty() && (isLast || left < before)) {
        writer.token(reader.position().text());
      }
      out.flush();
      if (out.checkError()) {
        return; // The reader of the output has gone; the changes are treated as not printed.
      }
      if (cursor.isPresent()) {
        cursors.save(cursor.get().at(reader.position(), System.currentTimeMillis()));
      }
      if (isLast) {
        return;
      }
    }
  }
}
