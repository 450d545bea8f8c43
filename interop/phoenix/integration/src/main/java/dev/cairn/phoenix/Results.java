package dev.cairn.phoenix;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.runner.Description;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/**
 * Writes a line for each method: class, method, {@code passed}, {@code failed} or {@code skipped}, seconds,
 * reason; separated by tabs. A failed set-up of the class has the name {@code (class)}. Thread-safe.
 */
final class Results extends RunListener {
  /**
   * Parts of the failures of tests that cannot run: they use objects of a server in their own JVM, or a
   * feature that Cairn refuses by name.
   */
  private static final Set<String> CANNOT_RUN =
      Set.of(
          "does not support the local indexes",
          "MiniHBaseCluster",
          "MiniZooKeeperCluster",
          "MiniDFSCluster",
          "Cluster does not have enough nodes");

  private final String tests;
  private final Path file;
  private final Set<String> done = new HashSet<>();
  private String running = "";
  private long since = System.nanoTime();
  private String status = "";
  private String reason = "";

  Results(String tests, Path file) throws IOException {
    this.tests = tests;
    this.file = file;
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        String[] fields = line.split("\t");
        if (fields[0].equals(tests)) {
          done.add(fields[1]);
        }
      }
    }
  }

  synchronized boolean has(Description method) {
    return done.contains(name(method)) || done.contains("(class)");
  }

  /** Returns the seconds since the last event. */
  synchronized long quietSeconds() {
    return (System.nanoTime() - since) / 1_000_000_000;
  }

  /** Writes that the present method, or the set-up of the class, did not end. */
  synchronized void giveUp() {
    write(running.isEmpty() ? "(class)" : running, "failed", "no end within " + quietSeconds() + " s");
  }

  @Override
  public synchronized void testStarted(Description method) {
    running = name(method);
    since = System.nanoTime();
    status = "passed";
    reason = "";
    System.err.println("== " + method.getDisplayName());
  }

  @Override
  public synchronized void testFailure(Failure failure) {
    System.err.println("== failure of " + failure.getDescription().getDisplayName() + "\n" + failure.getTrace());
    judge(failure, cannotRun(failure.getException()) ? "skipped" : "failed");
  }

  @Override
  public synchronized void testAssumptionFailure(Failure failure) {
    judge(failure, "skipped");
  }

  @Override
  public synchronized void testIgnored(Description method) {
    write(name(method), "skipped", "@Ignore");
  }

  @Override
  public synchronized void testFinished(Description method) {
    write(running, status, reason);
    running = "";
    since = System.nanoTime();
  }

  private void judge(Failure failure, String judged) {
    String text = String.valueOf(failure.getException());
    if (running.isEmpty()) {
      write(name(failure.getDescription()), judged, text);
    } else if (!status.equals("skipped")) {
      status = judged;
      reason = text;
    }
  }

  private static boolean cannotRun(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (CANNOT_RUN.stream().anyMatch(cause.toString()::contains)) {
        return true;
      }
    }
    return false;
  }

  private static String name(Description method) {
    return Optional.ofNullable(method.getMethodName()).orElse("(class)").replaceAll("\\s+", " ");
  }

  private void write(String method, String result, String why) {
    String line = why.lines().findFirst().orElse("").replace('\t', ' ');
    try {
      Files.writeString(
          file,
          String.join(
              "\t",
              tests,
              method,
              result,
              Long.toString(quietSeconds()),
              line.substring(0, Math.min(300, line.length())) + "\n"),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    done.add(method);
  }
}
