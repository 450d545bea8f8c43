package dev.cairn.interop.systems.check;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The checks of one system: prints a line for each on standard output, and counts failures. A check
 * that throws an exception fails. Not safe for use by several threads.
 */
public final class Report {
  private final PrintStream out;
  private int passed;
  private int failed;

  /** A report on standard output. Systems that print there, too, get standard error from now on. */
  public Report() {
    out = System.out;
    System.setOut(System.err);
  }

  /** Checks that the actual value equals the expected one. */
  public void equal(String name, Object expected, Callable<?> actual) {
    check(
        name,
        () -> {
          Object value = actual.call();
          return Objects.equals(expected, value) ? null : "expected " + expected + ", got " + value;
        });
  }

  /** Checks that the actual value equals the expected one within a minute; calls it until then. */
  public void equalSoon(String name, Object expected, Callable<?> actual) {
    equal(name, expected, () -> await(actual, value -> Objects.equals(expected, value)));
  }

  /** Runs a step, which has to end without an exception. */
  public void run(String name, Step step) {
    check(
        name,
        () -> {
          step.run();
          return null;
        });
  }

  /** Calls until the value is accepted, for up to a minute; returns the last value. */
  public static <T> T await(Callable<T> actual, Predicate<? super T> accepted) throws Exception {
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (true) {
      Exception thrown = null;
      T value = null;
      try {
        value = actual.call();
        if (accepted.test(value)) {
          return value;
        }
      } catch (Exception e) {
        thrown = e;
      }
      if (System.nanoTime() > end) {
        if (thrown != null) {
          throw thrown;
        }
        return value;
      }
      Thread.sleep(50);
    }
  }

  /** Prints the numbers of checks, and ends the JVM: status 0 if no check failed, otherwise 1. */
  public void end() {
    out.printf("  %d passed, %d failed%n", passed, failed);
    out.flush();
    // Some systems leave threads, and hooks that wait for them.
    Runtime.getRuntime().halt(failed == 0 && passed > 0 ? 0 : 1);
  }

  /** Returns the address of a site's ZooKeeper, host and port. */
  public static String quorum(Path site) throws IOException {
    return setting(site, "hbase.zookeeper.quorum")
        + ":"
        + setting(site, "hbase.zookeeper.property.clientPort");
  }

  /** Returns the value of a key of a site's file. */
  public static String setting(Path site, String key) throws IOException {
    Pattern pattern =
        Pattern.compile("<name>" + Pattern.quote(key) + "</name>\\s*<value>([^<]*)</value>");
    Matcher matcher = pattern.matcher(Files.readString(site));
    if (!matcher.find()) {
      throw new IOException(site + " has no " + key);
    }
    return matcher.group(1);
  }

  private void check(String name, Callable<String> difference) {
    long begin = System.nanoTime();
    String reason;
    try {
      reason = difference.call();
    } catch (Throwable e) {
      e.printStackTrace();
      reason = e.toString().lines().findFirst().orElse("");
    }
    if (reason == null) {
      passed++;
    } else {
      failed++;
    }
    long millis = Duration.ofNanos(System.nanoTime() - begin).toMillis();
    out.printf("  %-72s %6d ms  %s%n", name, millis, reason == null ? "ok" : "FAILED: " + reason);
    out.flush();
    System.err.println("== " + name + ": " + (reason == null ? "ok" : reason));
  }

  /** A step of a check. */
  @FunctionalInterface
  public interface Step {
    /** Runs the step. */
    void run() throws Exception;
  }
}
