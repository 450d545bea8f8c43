package dev.cairn.engine.time;

/**
 * The duration of tests that could run for ever. A build takes their quick form. {@code
 * -Dgroups=long} takes the long form of the classes tagged {@code forms}; {@code -Dcairn.rounds=N}
 * sets the number of rounds.
 */
public final class Effort {
  private Effort() {}

  /** Tells whether the long form runs. */
  public static boolean isLong() {
    return Boolean.getBoolean("cairn.long");
  }

  /** Returns the number of rounds: the one that is set, else that of the form that runs. */
  public static int rounds(int quickForm, int longForm) {
    return Integer.getInteger("cairn.rounds", isLong() ? longForm : quickForm);
  }
}
