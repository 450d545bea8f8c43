package dev.cairn.engine.region.state;

import java.io.IOException;

/**
 * A change reached the log but not all of the memstores, for lack of memory for example. The log
 * and the memstores no longer agree, so the region accepts no more writes and is not flushed; after
 * it is opened again, it has the whole change from the log.
 */
public final class RegionFailedException extends IOException {
  /** Creates the exception with a sentence for the user. */
  public RegionFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
