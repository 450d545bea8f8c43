package dev.cairn.launcher.output;

import dev.cairn.server.config.ConfigException;
import dev.cairn.tools.explain.Explainer.ExplainException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Explains in a few words why something failed. */
public final class Failures {
  /** The prefix of every line that reports an error to the user. */
  public static final String ERROR_PREFIX = "cairn: ";

  private static final Pattern CLASS_NAME =
      Pattern.compile(
          "(?:^|(?<=: ))(?:(?:[a-z_]\\w*\\.)+[A-Z][\\w$]*(?:Exception|Error)(?::\\s+|$))+");

  /** The message of Hadoop for a call without an answer. */
  private static final Pattern FAILED_CALL =
      Pattern.compile("^Call From \\S+ to (\\S+) failed on [^:]+: [\\w.$]+: ([^;]+)(?:;|$)");

  private static final String NO_TABLE = "org.apache.hadoop.hbase.TableNotFoundException";
  private static final Pattern STACK = Pattern.compile("\\R\\s+at [\\w.$/@<>]+\\(");

  private Failures() {}

  /** Tells the user in one line why a command failed. Adds the stack trace of an internal error. */
  public static void report(Throwable thrown, PrintWriter err) {
    Throwable failure = thrown instanceof UncheckedIOException ? thrown.getCause() : thrown;
    boolean expected =
        failure instanceof ConfigException
            || failure instanceof LauncherException
            || failure instanceof ExplainException
            || failure instanceof IOException;
    if (!expected) {
      failure.printStackTrace(err);
    }
    err.println(ERROR_PREFIX + reason(failure));
    err.flush();
  }

  /** Returns the reason, one line, never empty. */
  public static String reason(Throwable failure) {
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (failure instanceof NoSuchFileException e) {
      return e.getFile() + " does not exist";
    }
    if (failure instanceof NotDirectoryException e) {
      // A storage's message has more than the path, which is all that Java's own has.
      return e.getFile().contains(" is a file, ") ? e.getFile() : e.getFile() + " is not a folder";
    }
    if (failure instanceof FileAlreadyExistsException e) {
      return e.getFile() + " exists and is not a folder";
    }
    if (failure instanceof FileSystemException e && e.getReason() != null) {
      return e.getReason();
    }
    String message = failure.getMessage();
    if (message == null || message.isBlank()) {
      return failure.getClass().getSimpleName();
    }
    // By its name, since jobs load classes of their own.
    if (failure.getClass().getName().equals(NO_TABLE) && message.indexOf(' ') < 0) {
      return "table " + message + " does not exist";
    }
    // Of a server's exception the client's message has all the stack: that is in the server's log.
    String told = STACK.split(message.strip(), 2)[0].strip().replaceAll("\\s*\\R\\s*", " ");
    Matcher call = FAILED_CALL.matcher(told);
    if (call.find()) {
      return "cannot reach " + call.group(1) + ": " + call.group(2);
    }
    String sentence = CLASS_NAME.matcher(told).replaceAll("");
    return sentence.isBlank() ? told : sentence;
  }
}
