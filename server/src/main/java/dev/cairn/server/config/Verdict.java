package dev.cairn.server.config;

import java.util.Arrays;
import java.util.Optional;

/** The server's treatment of a setting of a site, a table or a column family. */
public enum Verdict {
  /** The setting works as HBase documents it. */
  IN_FORCE("used", "in force"),
  /** Only clients and tools read the setting. */
  CLIENT("client", "clients only"),
  /** The setting tunes something that Cairn does not have. Ignoring it loses nothing. */
  NO_EFFECT("none", "no effect"),
  /** The setting has no effect although users would expect one. A warning names it. */
  WARNED("warned", "warned"),
  /** Ignoring the setting would lose data, protection or compatibility, so it is refused. */
  REFUSED("refused", "refused");

  private final String word;
  private final String label;

  Verdict(String word, String label) {
    this.word = word;
    this.label = label;
  }

  /** Parses the verdict's word in a table of settings. */
  static Optional<Verdict> of(String word) {
    return Arrays.stream(values()).filter(verdict -> verdict.word.equals(word)).findFirst();
  }

  /** Returns the verdict on a value that needs neither a warning nor a refusal. */
  public Verdict ofHarmless() {
    return this == WARNED || this == REFUSED ? NO_EFFECT : this;
  }

  /** Returns the verdict's name for users. */
  public String label() {
    return label;
  }
}
