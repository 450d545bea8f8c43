package dev.cairn.server.rpc.wire;

import dev.cairn.engine.memory.MemoryShortageException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseServerException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.exceptions.RegionMovedException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;

/**
 * Exceptions on the wire: the class name, by which clients decide what to do, and the stack trace
 * as text, whose first lines are the message.
 */
public final class RpcErrors {
  private static final String FRAME = "\n\tat ";
  private static final String CAUSE = "\nCaused by: ";

  private RpcErrors() {}

  /** Returns the form in which {@code error} travels. */
  public static ExceptionResponse encode(Throwable error) {
    ExceptionResponse.Builder response =
        ExceptionResponse.newBuilder()
            .setExceptionClassName(NamedException.nameOf(error))
            .setStackTrace(text(error))
            .setDoNotRetry(error instanceof DoNotRetryIOException);
    if (error instanceof RegionMovedException moved) {
      response.setHostname(moved.getHostname()).setPort(moved.getPort());
    } else if (error instanceof HBaseServerException overloaded) {
      response.setServerOverloaded(overloaded.isServerOverloaded());
    }
    return response.build();
  }

  /** Returns an exception that clients know for the {@code error} of a handler. */
  public static IOException forCaller(Throwable error) {
    if (error instanceof IOException known) {
      // Clients give up on a class that they do not know.
      boolean isOfEngine = known.getClass().getName().startsWith("dev.cairn.engine.");
      return isOfEngine ? new IOException(known.getMessage(), known) : known;
    }
    if (error instanceof MemoryShortageException shortage) {
      return shortage.isPermanent()
          ? new DoNotRetryIOException(shortage.getMessage())
          : new RegionTooBusyException(shortage.getMessage());
    }
    if (error instanceof StackOverflowError) {
      // The same request would overflow the stack again.
      return new DoNotRetryIOException("The request is nested too deeply: " + error);
    }
    return new IOException("The server failed on this call: " + error, error);
  }

  /**
   * Returns the exception of {@code response}: one of its own class if that is an {@link
   * IOException} with a constructor for a message, otherwise a {@link RpcRemoteException}.
   */
  public static IOException decode(ExceptionResponse response) {
    String className = response.getExceptionClassName();
    String message = message(className, response.getStackTrace());
    try {
      Class<?> known = Class.forName(className, false, RpcErrors.class.getClassLoader());
      if (IOException.class.isAssignableFrom(known)) {
        return (IOException) known.getConstructor(String.class).newInstance(message);
      }
    } catch (ClassNotFoundException
        | LinkageError
        | NoSuchMethodException
        | InstantiationException
        | IllegalAccessException
        | InvocationTargetException e) {
      // Then the message has its class name.
    }
    return new RpcRemoteException(className, message, response.getDoNotRetry());
  }

  private static String message(String className, String stackTrace) {
    String message = stackTrace;
    for (String end : new String[] {FRAME, CAUSE}) {
      int at = message.indexOf(end);
      message = at < 0 ? message : message.substring(0, at);
    }
    String prefix = className + ": ";
    return message.startsWith(prefix) ? message.substring(prefix.length()) : message.strip();
  }

  private static String text(Throwable error) {
    StringWriter text = new StringWriter();
    error.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
