package dev.cairn.interop.coprocessor;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/**
 * Runs a test class and appends a line for each method to a file: class, method, result, time in
 * ms, message, with tabs between. Arguments: the class, the file, the seconds that a method or the
 * set-up may take, the methods to leave out with commas between. The JVM ends with the run.
 */
public final class Runner extends RunListener {
  private final String type;
  private final PrintWriter out;
  private final Map<String, String[]> results = new HashMap<>();
  private volatile long since = System.nanoTime();
  private volatile String current = "(class)";

  private Runner(String type, PrintWriter out) {
    this.type = type;
    this.out = out;
  }

  /** Runs the class. */
  public static void main(String[] arguments) throws Exception {
    long limit = TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[2]));
    try (PrintWriter out =
        new PrintWriter(
            Files.newBufferedWriter(
                Path.of(arguments[1]),
                StandardCharsets.UTF_8,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND))) {
      Runner runner = new Runner(arguments[0], out);
      Thread watch = new Thread(() -> runner.watch(limit), "time limit");
      watch.setDaemon(true);
      watch.start();
      JUnitCore core = new JUnitCore();
      core.addListener(runner);
      core.run(Request.aClass(Class.forName(arguments[0])).filterWith(without(arguments[3])));
    }
    end(0);
  }

  /** Leaves methods out. */
  private static Filter without(String methods) {
    Set<String> names = Set.of(methods.split(","));
    return new Filter() {
      @Override
      public boolean shouldRun(Description test) {
        return !names.contains(String.valueOf(test.getMethodName()).replaceAll("\\[.*", ""));
      }

      @Override
      public String describe() {
        return "without " + methods;
      }
    };
  }

  /** Ends the JVM, whose tests may forbid it to end. */
  @SuppressWarnings("removal")
  private static void end(int code) {
    System.setSecurityManager(null);
    Runtime.getRuntime().halt(code);
  }

  private void watch(long limit) {
    try {
      while (System.nanoTime() - since < limit) {
        TimeUnit.SECONDS.sleep(1);
      }
    } catch (InterruptedException e) {
      return;
    }
    Thread.getAllStackTraces()
        .forEach(
            (thread, stack) -> {
              System.err.println(thread.getName());
              for (StackTraceElement one : stack) {
                System.err.println("    at " + one);
              }
            });
    line(current, "failed", System.nanoTime() - since, "no end in time");
    end(1);
  }

  private synchronized void line(String method, String result, long nanos, String message) {
    String text = message == null ? "" : message.replaceAll("\\s+", " ");
    out.printf(
        "%s\t%s\t%s\t%d\t%s%n",
        type,
        method,
        result,
        TimeUnit.NANOSECONDS.toMillis(nanos),
        text.substring(0, Math.min(text.length(), 300)));
    out.flush();
  }

  @Override
  public void testStarted(Description test) {
    System.err.println("[tests] " + test.getDisplayName() + " starts");
    current = test.getMethodName();
    since = System.nanoTime();
    results.put(current, new String[] {"passed", ""});
  }

  @Override
  public void testFailure(Failure failure) {
    fail(failure, NotServed.isCauseOf(failure.getException()));
  }

  @Override
  public void testAssumptionFailure(Failure failure) {
    fail(failure, true);
  }

  private void fail(Failure failure, boolean skipped) {
    String method = failure.getDescription().getMethodName();
    String result = skipped ? "skipped" : "failed";
    System.err.println("[tests] " + failure.getTestHeader() + " " + result);
    System.err.println(failure.getTrace());
    String[] before = results.get(method);
    if (before == null) {
      line(method == null ? "(class)" : method, result, 0, failure.getException().toString());
    } else if (before[0].equals("passed")) {
      before[0] = result;
      before[1] = failure.getException().toString();
    }
  }

  @Override
  public void testIgnored(Description test) {
    line(String.valueOf(test.getMethodName()), "ignored", 0, "");
  }

  @Override
  public void testFinished(Description test) {
    String[] result = results.remove(test.getMethodName());
    line(test.getMethodName(), result[0], System.nanoTime() - since, result[1]);
    current = "(class)";
    since = System.nanoTime();
  }
}
