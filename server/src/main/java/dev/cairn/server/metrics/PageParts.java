package dev.cairn.server.metrics;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * A page in Prometheus' format, rendered part by part as it is asked for: a server with 10,000
 * regions has tens of megabytes of series, of which only one part is in memory at a time. One
 * thread at a time.
 */
abstract class PageParts implements Iterator<String> {
  /** The size at which a part ends. */
  static final int PART_CHARS = 64 << 10;

  private final SeriesText text = new SeriesText();

  /** Tells whether there is another series or sample. */
  abstract boolean hasMore();

  /** Renders the next few lines. */
  abstract void render(SeriesText text);

  @Override
  public final boolean hasNext() {
    return hasMore();
  }

  @Override
  public final String next() {
    if (!hasMore()) {
      throw new NoSuchElementException("The page has ended");
    }
    while (hasMore() && text.length() < PART_CHARS) {
      render(text);
    }
    return text.take();
  }
}
