package dev.cairn.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxy;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;

/**
 * A warning or an error as {@link ConciseAppender} writes it.
 *
 * @param event the logged event
 * @param level WARN for a library's error, otherwise the event's level
 * @param text the message and, unless the stack has them, the causes; one line
 * @param stack the exception whose stack is written
 * @param key equal for two lines that are repetitions of each other
 */
record ConciseLine(
    ILoggingEvent event, Level level, String text, Optional<ThrowableProxy> stack, String key) {
  private static final String OWN = "dev.cairn.";
  private static final int CAUSES_MAX = 10;

  /** The stack frames that the messages of remote exceptions contain. */
  private static final Pattern FRAMES = Pattern.compile("\\s*\\R\\s*(?:at |\\.\\.\\. \\d+ more).*");

  private static final Pattern LINE_END = Pattern.compile("\\s*\\R\\s*");

  /** The parts of a library's message that differ from event to event. */
  private static final Pattern VARYING = Pattern.compile("/\\S+|[0-9a-fA-F]{8,}|-?[0-9]+");

  static ConciseLine of(ILoggingEvent event) {
    boolean own = event.getLoggerName().startsWith(OWN);
    Level level = own ? event.getLevel() : Level.WARN;
    Optional<ThrowableProxy> thrown = thrown(event.getThrowableProxy());
    boolean keepsStack =
        thrown
            .filter(
                proxy ->
                    isProgrammingError(proxy.getThrowable()) || level.isGreaterOrEqual(Level.ERROR))
            .isPresent();
    StringBuilder text = new StringBuilder(oneLine(String.valueOf(event.getFormattedMessage())));
    if (!keepsStack) {
      thrown.ifPresent(proxy -> addCauses(proxy.getThrowable(), text));
    }
    return new ConciseLine(
        event,
        level,
        text.toString(),
        thrown.filter(proxy -> keepsStack),
        event.getLoggerName()
            + " "
            + level
            + " "
            + (own ? text : pattern(event))
            + " "
            + className(thrown));
  }

  /**
   * Returns the common part of a library's messages of one kind: the message without its arguments.
   * If that has no words, as in {@code {}}, the arguments are the message.
   */
  private static String pattern(ILoggingEvent event) {
    String message = String.valueOf(event.getMessage());
    boolean hasWords = message.codePoints().anyMatch(Character::isLetter);
    String words = hasWords ? message : String.valueOf(event.getFormattedMessage());
    return VARYING.matcher(words).replaceAll("N");
  }

  private static Optional<ThrowableProxy> thrown(IThrowableProxy proxy) {
    return proxy instanceof ThrowableProxy known ? Optional.of(known) : Optional.empty();
  }

  private static String className(Optional<ThrowableProxy> thrown) {
    return thrown.map(proxy -> proxy.getThrowable().getClass().getName()).orElse("");
  }

  /**
   * Tells whether an exception is a programming error: it is unchecked, and wraps no checked one.
   */
  private static boolean isProgrammingError(Throwable thrown) {
    Throwable cause = thrown;
    for (int depth = 0; depth < CAUSES_MAX && isWrapper(cause); depth++) {
      cause = cause.getCause();
    }
    return cause instanceof RuntimeException || cause instanceof Error;
  }

  private static boolean isWrapper(Throwable thrown) {
    return thrown.getCause() != null
        && (thrown instanceof CompletionException
            || thrown instanceof ExecutionException
            || thrown instanceof UncheckedIOException);
  }

  /** Adds an exception and its causes, except those whose message is in the text already. */
  private static void addCauses(Throwable thrown, StringBuilder text) {
    String link = ": ";
    Throwable cause = thrown;
    for (int depth = 0; depth < CAUSES_MAX && cause != null; depth++) {
      String message = cause.getMessage() == null ? "" : oneLine(cause.getMessage());
      if (message.isEmpty() || text.indexOf(message) < 0) {
        text.append(link).append(oneLine(cause.toString()));
        link = "; caused by ";
      }
      cause = cause.getCause();
    }
  }

  /** Removes stack frames, and joins the lines that are left. */
  private static String oneLine(String text) {
    return LINE_END.matcher(FRAMES.matcher(text).replaceAll("").strip()).replaceAll("; ");
  }
}
