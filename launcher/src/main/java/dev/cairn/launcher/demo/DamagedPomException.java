package dev.cairn.launcher.demo;

/** A file is not a POM. */
final class DamagedPomException extends Exception {
  DamagedPomException(String message, Throwable cause) {
    super(message, cause);
  }

  DamagedPomException(String message) {
    super(message);
  }
}
