package dev.cairn.shell.run;

import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.MasterNotRunningException;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.ipc.RemoteException;

/** Converts exceptions of HBase's client to one line for users. */
public final class Failures {
  /** The name of a table or namespace at the start of such messages, or after its key. */
  private static final Pattern NAME =
      Pattern.compile("^(?:[\\w.$]+Exception: )?(?:.*\\btableName=)?([^\\s,]+)");

  /** The repeated class of an exception, which some calls of the client add. */
  private static final Pattern REPEATED = Pattern.compile("^([\\w.$]+Exception: )\\1+");

  /** The line before those of the attempts of a call. */
  private static final Pattern ATTEMPTS =
      Pattern.compile("Failed after attempts=\\d+, exceptions:");

  private Failures() {}

  /** Returns the message of an exception for users, on one line. */
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
    } else if (cause instanceof MasterNotRunningException
        || cause instanceof InterruptedIOException && cause.getMessage() == null) {
      return "The server does not answer: " + cause.getClass().getSimpleName();
    }
    List<String> lines =
        String.valueOf(cause.getMessage()).lines().filter(line -> !line.isBlank()).toList();
    if (cause.getMessage() == null || lines.isEmpty()) {
      return cause.getClass().getName();
    }
    // The first line of a failed retry has no cause; each other line has that of an attempt.
    String line =
        ATTEMPTS.matcher(lines.get(0)).find() ? lines.get(lines.size() - 1) : lines.get(0);
    return REPEATED.matcher(line.strip()).replaceAll("$1");
  }

  /** Tells whether the user cancelled the command. */
  static boolean isInterruption(Throwable failure) {
    Throwable cause = unwrapped(failure);
    return cause instanceof InterruptedIOException && !(cause instanceof SocketTimeoutException);
  }

  /** Returns the server's exception, if the client gave up its retries. */
  private static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure;
    while (true) {
      if (cause instanceof RetriesExhaustedWithDetailsException details
          && details.getNumExceptions() > 0) {
        cause = details.getCause(0);
      } else if ((cause instanceof RetriesExhaustedException
              || cause instanceof UncheckedIOException
              || cause instanceof ExecutionException)
          && cause.getCause() != null) {
        cause = cause.getCause();
      } else if (cause.getCause() instanceof RemoteException remote && isUnknown(cause)) {
        cause = remote;
      } else {
        return cause;
      }
    }
  }

  /** Tells whether the client lacks the class of the server's exception. */
  private static boolean isUnknown(Throwable failure) {
    return String.valueOf(failure.getMessage()).startsWith("Unable to load exception");
  }

  private static String name(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    Matcher matcher = NAME.matcher(message);
    return matcher.find() ? matcher.group(1) : message;
  }
}
