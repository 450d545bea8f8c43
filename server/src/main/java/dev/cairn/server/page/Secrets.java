package dev.cairn.server.page;

import java.util.regex.Pattern;

/** Hides values that are secrets. Stateless. */
public final class Secrets {
  /** Stands in place of a secret, as in Hadoop. */
  public static final String REDACTED = "<redacted>";

  /** Hadoop's list of keys, a little wider. */
  private static final Pattern KEYS =
      Pattern.compile(
          "secret|passw|passphrase|\\.pass$|_pass$|credential|oauth.*token|auth.*token"
              + "|encryption[._]key|account\\.key|access\\.key|private\\.?key|sensitive-config",
          Pattern.CASE_INSENSITIVE);

  /** A password within an address. */
  private static final Pattern LOGIN = Pattern.compile("(://[^/\\s:@]*):[^/\\s@]+@");

  private Secrets() {}

  /** Returns the value of a setting as it may be shown. */
  public static String shown(String key, String value) {
    return KEYS.matcher(key).find() && !value.isEmpty()
        ? REDACTED
        : LOGIN.matcher(value).replaceAll("$1:" + REDACTED + "@");
  }
}
