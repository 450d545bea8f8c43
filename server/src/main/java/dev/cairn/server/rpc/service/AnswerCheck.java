package dev.cairn.server.rpc.service;

import java.io.IOException;

/**
 * Decides whether an answer may be sent. Called when the answer is complete, on whichever thread
 * completes it, and must not block.
 */
@FunctionalInterface
public interface AnswerCheck {
  /** Lets every answer pass. */
  AnswerCheck NONE = () -> {};

  /**
   * Returns if the answer may be sent.
   *
   * @throws IOException the error that is sent instead
   */
  void check() throws IOException;
}
