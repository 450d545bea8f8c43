package dev.cairn.server.advise;

/** The adviser's result for a table. */
public enum Verdict {
  /** There are findings. */
  FINDINGS("findings"),

  /** Enough calls were seen, and no rule speaks. */
  NOTHING_TO_DO("nothing-to-do"),

  /** No rule speaks, but too few calls were seen to judge the table by them. */
  TOO_FEW_CALLS("too-few-calls");

  private final String id;

  Verdict(String id) {
    this.id = id;
  }

  /** Returns the name for programs. */
  public String id() {
    return id;
  }
}
