package dev.cairn.server.rpc;

import java.util.concurrent.CountDownLatch;

/**
 * Holds up the threads of a server until the test lets them go on. Open once and for all: whoever
 * comes later passes at once.
 */
final class Gate {
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch opened = new CountDownLatch(1);

  /** Waits until the gate is open; fails if that does not come in time. */
  void pass() {
    reached.countDown();
    Waiting.await(opened);
  }

  /** Waits until somebody has come to the gate; fails if nobody does in time. */
  void awaitReached() {
    Waiting.await(reached);
  }

  /** Lets pass whoever waits, and whoever comes. */
  void open() {
    opened.countDown();
  }
}
