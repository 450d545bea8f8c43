package dev.cairn.tools.settings;

import dev.cairn.server.config.ConfigKey;
import java.util.Optional;

/** One setting for display. */
public sealed interface ShownSetting {
  /** Returns the setting's name. */
  String name();

  /**
   * Returns the reason why a server does not start with the setting, or the warning at the start.
   */
  Optional<String> problem();

  /**
   * A key that the server reads.
   *
   * @param key the key
   * @param value its text in the site, or the default
   * @param file where the value comes from, for people; empty for a default
   * @param problem why the value is invalid
   */
  record InForce(ConfigKey<?> key, String value, Optional<String> file, Optional<String> problem)
      implements ShownSetting {
    @Override
    public String name() {
      return key.name();
    }

    /** Returns where the value comes from, for people. */
    public String source() {
      return file.orElse("built-in");
    }

    /** Tells whether the value differs from the default. */
    public boolean isChanged() {
      return !value.equals(key.defaultText());
    }
  }

  /**
   * A setting that the server does not read.
   *
   * @param name the setting's name
   * @param value its text in the site; empty if it is not set
   * @param verdict how the server treats the setting, in a word or two
   * @param meaning why, in a sentence
   * @param problem the warning at the start, or the reason why the server does not start
   */
  record Other(
      String name, Optional<String> value, String verdict, String meaning, Optional<String> problem)
      implements ShownSetting {}
}
