package dev.cairn.engine.region;

import dev.cairn.engine.storage.DamagedFileException;

/** Reports that a store file is missing that its region had when it was closed. */
public final class MissingStoreFileException extends DamagedFileException {
  private static final long serialVersionUID = 1L;
  private static final String WHAT = "the region had this file when it was closed";

  private final String list;

  /**
   * Creates the exception.
   *
   * @param path the missing file
   * @param list the list that names the file. Without the list, the region opens without the file.
   */
  MissingStoreFileException(String path, String list) {
    super("The file " + path + " is missing: " + WHAT, path, 0, WHAT);
    this.list = list;
  }

  /** Returns the path of the list that names the file. */
  public String list() {
    return list;
  }
}
