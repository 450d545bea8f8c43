package dev.cairn.engine.region.state;

import java.io.IOException;

/**
 * The region cannot take the write now (memstore full, lock held too long); trying again later
 * helps.
 */
public final class RegionBusyException extends IOException {
  /** Creates the exception with a sentence for the user. */
  public RegionBusyException(String message) {
    super(message);
  }
}
