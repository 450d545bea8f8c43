package dev.cairn.tools.settings;

import java.util.Optional;

/** There is no such setting. The message names the setting that was probably meant. */
public final class UnknownSettingException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UnknownSettingException(String name, Optional<String> nearest) {
    super(
        "there is no setting "
            + name
            + nearest
                .map(near -> "; did you mean " + near + "?")
                .orElse("; bin/cairn config lists all"));
  }
}
