package dev.cairn.engine.scan;

import java.io.IOException;

/** A read was {@linkplain RegionRead#stop stopped}, and returns no more rows. */
public final class ReadStoppedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public ReadStoppedException() {
    super("The read was stopped");
  }
}
