package dev.cairn.engine.region.follow;

import java.io.IOException;

/**
 * A replica lacks changes that precede those in the message. It gets them with the region's next
 * flush.
 */
public final class FeedGapException extends IOException {
  private static final long serialVersionUID = 1;

  /** Creates the exception with a sentence for the log of the region's server. */
  public FeedGapException(String message) {
    super(message);
  }
}
