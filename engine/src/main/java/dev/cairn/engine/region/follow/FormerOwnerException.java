package dev.cairn.engine.region.follow;

import java.io.IOException;

/** A message comes from an earlier owner of a region than the one that the replica follows. */
public final class FormerOwnerException extends IOException {
  private static final long serialVersionUID = 1;

  /** Creates the exception with a sentence for the log of the region's former server. */
  public FormerOwnerException(String message) {
    super(message);
  }
}
