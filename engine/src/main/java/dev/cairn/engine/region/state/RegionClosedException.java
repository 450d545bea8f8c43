package dev.cairn.engine.region.state;

import java.io.IOException;

/** The region is closing or closed and takes no requests. */
public final class RegionClosedException extends IOException {
  /** Creates the exception with a sentence for the user. */
  public RegionClosedException(String message) {
    super(message);
  }
}
