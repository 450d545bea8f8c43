package dev.cairn.engine.storage;

/**
 * Something in a file that is not as it should be.
 *
 * @param path the file's path in its storage
 * @param offset where in the file, bytes; where the block or the entry begins that is concerned
 * @param what the problem, a sentence without the path
 */
public record Finding(String path, long offset, String what) {
  @Override
  public String toString() {
    return path + ", byte " + offset + ": " + what;
  }
}
