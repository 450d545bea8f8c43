package dev.cairn.server.verify;

import dev.cairn.engine.storage.Finding;

/** Hears how far a check has come. Called by one thread at a time. */
public interface VerifyListener {
  /**
   * All files are known.
   *
   * @param files how many
   * @param bytes their size
   */
  void begun(long files, long bytes);

  /** A file of {@code bytes} is done. */
  void checked(String path, long bytes);

  /** Something is damaged. */
  void found(Finding finding);

  /** A file could not be checked. */
  void failed(String path, String reason);

  /** Something is worth knowing and no damage: the torn end of a log. */
  void noted(String path, String what);
}
