package dev.cairn.server.coordination;

import java.util.function.Consumer;

/**
 * The time that {@link ZooKeeperCoordination#connect} waits for a quorum that does not answer, and
 * the notice that it gives meanwhile.
 *
 * @param noticeMillis wait before the notice
 * @param giveUpMillis maximum wait, at least {@code noticeMillis}
 * @param notice receives one line for the user, at most once; called on the connecting thread
 */
public record ConnectWait(int noticeMillis, int giveUpMillis, Consumer<String> notice) {
  private static final int NOTICE_MILLIS = 1_000;
  private static final int GIVE_UP_MILLIS = 15_000;

  /** Checks the times. */
  public ConnectWait {
    if (noticeMillis < 0 || giveUpMillis < noticeMillis) {
      throw new IllegalArgumentException(
          "A notice after " + noticeMillis + " ms of " + giveUpMillis + " ms");
    }
  }

  /** Returns a wait of 15 seconds that tells {@code notice} after a second. */
  public static ConnectWait telling(Consumer<String> notice) {
    return new ConnectWait(NOTICE_MILLIS, GIVE_UP_MILLIS, notice);
  }

  /** Returns a wait without a limit, which tells {@code notice} after a second. */
  public static ConnectWait endless(Consumer<String> notice) {
    return new ConnectWait(NOTICE_MILLIS, Integer.MAX_VALUE, notice);
  }

  /** Returns a wait of 15 seconds without a notice. */
  public static ConnectWait silent() {
    return telling(notice -> {});
  }
}
