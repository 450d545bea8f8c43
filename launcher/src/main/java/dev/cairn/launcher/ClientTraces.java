package dev.cairn.launcher;

import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Optional;

/**
 * A standard error without the stack traces that Apache's client prints of its own accord: of each
 * scan that a server refuses, before it throws the exception, which the command reports in a
 * sentence. Thread-safe.
 */
final class ClientTraces extends PrintStream {
  private static final String PRINTER =
      "org.apache.hadoop.hbase.client.RpcRetryingCallerWithReadReplicas";

  private static final StackWalker CALLERS = StackWalker.getInstance();

  private ClientTraces(PrintStream target, Charset charset) {
    super(target, true, charset);
  }

  /** Returns a stream that prints to {@code target} what is no such trace. */
  static PrintStream without(PrintStream target) {
    return new ClientTraces(
        target,
        Optional.ofNullable(System.getProperty("stderr.encoding"))
            .map(Charset::forName)
            .orElseGet(Charset::defaultCharset));
  }

  /** Prints a line of a stack trace, among others. */
  @Override
  public void println(Object line) {
    if (CALLERS.walk(frames -> frames.noneMatch(frame -> frame.getClassName().equals(PRINTER)))) {
      super.println(line);
    }
  }
}
