package dev.cairn.launcher.demo;

/** The demo cannot go on; the message is one line that names the cause. */
public final class DemoException extends RuntimeException {
  private static final long serialVersionUID = 1;

  DemoException(String message) {
    super(message);
  }
}
