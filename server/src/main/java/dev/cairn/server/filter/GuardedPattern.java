package dev.cairn.server.filter;

import java.util.regex.Pattern;

/** A pattern of {@code java.util.regex} that stops matching when its call ends. Thread-safe. */
public final class GuardedPattern {
  private final Pattern pattern;
  private final EvaluationGuard guard;

  /**
   * Compiles a pattern.
   *
   * @param guard knows the limit of the calling thread's call
   * @throws java.util.regex.PatternSyntaxException if {@code regex} is no regular expression
   */
  public GuardedPattern(String regex, EvaluationGuard guard) {
    this.pattern = Pattern.compile(regex);
    this.guard = guard;
  }

  /**
   * Tells whether the whole text matches.
   *
   * @throws EvaluationEndedException if the call ends meanwhile
   */
  public boolean matches(String text) {
    EvaluationGuard.Limit limit = guard.current();
    limit.begin();
    return pattern.matcher(new CheckedText(text, limit)).matches();
  }
}
