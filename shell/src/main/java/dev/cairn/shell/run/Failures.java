package dev.cairn.shell.run;

import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.MasterNotRunningException;
import org.apache.hadoop.hbase.NamespaceExistException;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.UnknownRegionException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;

/** Turns the exceptions of HBase's client into one line for users. */
public final class Failures {
  /** The name of a table or namespace, which such messages begin with. */
  private static final Pattern NAME = Pattern.compile("^(?:[\\w.$]+Exception: )?([^\\s,]+)");

  private Failures() {}

  /** Returns what an exception tells a user, in one line. */
  public static String message(Throwable failure) {
    Throwable cause = unwrapped(failure);
    if (cause instanceof ShellException) {
      return cause.getMessage();
    } else if (cause instanceof TableNotFoundException) {
      return "Unknown table " + name(cause) + "!";
    } else if (cause instanceof TableExistsException) {
      return "Table already exists: " + name(cause) + "!";
    } else if (cause instanceof TableNotEnabledException) {
      return "Table " + name(cause) + " is disabled!";
    } else if (cause instanceof NamespaceNotFoundException) {
      return "Unknown namespace " + name(cause) + "!";
    } else if (cause instanceof NamespaceExistException) {
      return "Namespace already exists: " + name(cause) + "!";
    } else if (cause instanceof UnknownRegionException) {
      return "Unknown region " + name(cause) + "!";
    } else if (cause instanceof MasterNotRunningException
        || cause instanceof InterruptedIOException && cause.getMessage() == null) {
      return "The server does not answer: " + cause.getClass().getSimpleName();
    }
    String text = cause.getMessage();
    String line = text == null ? "" : text.lines().findFirst().orElse("");
    return line.isBlank() ? cause.getClass().getName() : line;
  }

  /** Returns the server's own exception if retries of it failed. */
  private static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure;
    while (true) {
      if (cause instanceof RetriesExhaustedWithDetailsException details
          && details.getNumExceptions() > 0) {
        cause = details.getCause(0);
      } else if ((cause instanceof RetriesExhaustedException || cause instanceof ExecutionException)
          && cause.getCause() != null) {
        cause = cause.getCause();
      } else {
        return cause;
      }
    }
  }

  private static String name(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    Matcher matcher = NAME.matcher(message);
    return matcher.find() ? matcher.group(1) : message;
  }
}
