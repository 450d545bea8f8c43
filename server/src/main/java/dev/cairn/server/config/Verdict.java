package dev.cairn.server.config;

import java.util.Arrays;
import java.util.Optional;

/** What becomes of a setting of a site, a table or a column family. */
public enum Verdict {
  /** It does what HBase says it does. */
  IN_FORCE("used", "in force"),
  /** Only clients and tools read it. */
  CLIENT("client", "clients only"),
  /** It tunes something that does not exist here; nothing is lost without it. */
  NO_EFFECT("none", "no effect"),
  /** It has no effect although a user would expect one: a warning names it. */
  WARNED("warned", "warned"),
  /** Ignoring it would lose data, protection or compatibility: it is refused. */
  REFUSED("refused", "refused");

  private final String word;
  private final String label;

  Verdict(String word, String label) {
    this.word = word;
    this.label = label;
  }

  /** Returns the verdict that {@code word} stands for in a table of settings. */
  static Optional<Verdict> of(String word) {
    return Arrays.stream(values()).filter(verdict -> verdict.word.equals(word)).findFirst();
  }

  /** Returns the verdict's name for people. */
  public String label() {
    return label;
  }
}
