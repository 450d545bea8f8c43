package dev.cairn.launcher.client;

import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Optional;

/**
 * A standard error that drops the stack traces of Apache's client. The client prints one for each
 * scan that a server refuses, and then throws the exception. The command reports the exception in a
 * sentence. Thread-safe.
 */
public final class ClientTraces extends PrintStream {
  private static final String PRINTER =
      "org.apache.hadoop.hbase.client.RpcRetryingCallerWithReadReplicas";

  private static final StackWalker CALLERS = StackWalker.getInstance();

  private ClientTraces(PrintStream target, Charset charset) {
    super(target, true, charset);
  }

  /** Returns a stream that prints everything but such traces to {@code target}. */
  public static PrintStream without(PrintStream target) {
    return new ClientTraces(
        target,
        Optional.ofNullable(System.getProperty("stderr.encoding"))
            .map(Charset::forName)
            .orElseGet(Charset::defaultCharset));
  }

  /** Prints an object, unless it is a line of such a trace. */
  @Override
  public void println(Object line) {
    if (CALLERS.walk(frames -> frames.noneMatch(frame -> frame.getClassName().equals(PRINTER)))) {
      super.println(line);
    }
  }
}
