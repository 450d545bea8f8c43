package dev.cairn.engine.region.follow;

import java.io.IOException;

/** A replica lacks changes before those that it got. It has them after the next flush. */
public final class FeedGapException extends IOException {
  private static final long serialVersionUID = 1;

  /** Creates the exception with a sentence for the log of the region's server. */
  public FeedGapException(String message) {
    super(message);
  }
}
