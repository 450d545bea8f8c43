package dev.cairn.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NoSuchElementException;

/**
 * The cost of a process so far, as Linux reports it in {@code /proc} (see {@code man 5 proc}).
 *
 * @param cpuSeconds user and system time of all its threads, in steps of 10 ms
 * @param residentBytes its resident memory now
 * @param writtenBytes bytes that it caused to be written to storage: pages that it made dirty, less
 *     those that were dropped before they were written
 */
public record ProcessFigures(double cpuSeconds, long residentBytes, long writtenBytes) {
  private static final double TICKS_PER_SECOND = 100; // USER_HZ: the same on all of Java's Linuxes
  private static final int UTIME = 11; // fields of stat, counted from the one behind the name
  private static final int STIME = 12;
  private static final long KILO = 1024;

  /** Returns the sums of the costs of this process and another one. */
  ProcessFigures plus(ProcessFigures other) {
    return new ProcessFigures(
        cpuSeconds + other.cpuSeconds,
        residentBytes + other.residentBytes,
        writtenBytes + other.writtenBytes);
  }

  /**
   * Looks at a process.
   *
   * @throws IOException if there is none
   */
  public static ProcessFigures of(long pid) throws IOException {
    Path folder = Path.of("/proc", Long.toString(pid));
    try {
      return parse(
          Files.readString(folder.resolve("stat")),
          Files.readString(folder.resolve("status")),
          Files.readString(folder.resolve("io")));
    } catch (NoSuchElementException | IndexOutOfBoundsException | NumberFormatException e) {
      throw new IOException("Cannot read the figures of process " + pid + " in " + folder, e);
    }
  }

  /** Reads the three files. */
  static ProcessFigures parse(String stat, String status, String io) {
    // The name, in parentheses, may have blanks and parentheses of its own.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    double ticks = Long.parseLong(fields[UTIME]) + (double) Long.parseLong(fields[STIME]);
    return new ProcessFigures(
        ticks / TICKS_PER_SECOND,
        number(status, "VmRSS:") * KILO,
        number(io, "write_bytes:") - number(io, "cancelled_write_bytes:"));
  }

  private static long number(String lines, String name) {
    String line = lines.lines().filter(one -> one.startsWith(name)).findFirst().orElseThrow();
    return Long.parseLong(line.substring(name.length()).replace("kB", "").trim());
  }
}
