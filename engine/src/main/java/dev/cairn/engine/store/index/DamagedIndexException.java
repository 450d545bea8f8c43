package dev.cairn.engine.store.index;

import java.io.IOException;

/** An index in a store file is damaged; the cells of the file may be sound. */
public final class DamagedIndexException extends IOException {
  private static final long serialVersionUID = 1L;

  DamagedIndexException(String path, Exception cause) {
    super("An index in the store file " + path + " is damaged: " + cause.getMessage(), cause);
  }
}
