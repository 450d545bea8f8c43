package dev.cairn.launcher.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * One process of this machine. The number alone is used again by later processes, so the moment of
 * its start belongs to it.
 *
 * @param pid the process's number; 0 if not known
 * @param startMillis when it started, milliseconds since 1970
 */
public record ProcessIdentity(long pid, long startMillis) {
  /** A process whose identity is unknown. */
  public static final ProcessIdentity UNKNOWN = new ProcessIdentity(0, 0);

  /** The system tells the moment of a start with an error of up to a second. */
  private static final long START_ERROR_MILLIS = 2000;

  // Explicit: a record's generated methods use method handles, whose classes Java creates at each
  // start.
  @Override
  public boolean equals(Object other) {
    return other instanceof ProcessIdentity identity
        && identity.pid == pid
        && identity.startMillis == startMillis;
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(pid) + Long.hashCode(startMillis);
  }

  /** Returns the identity of {@code process}. */
  public static ProcessIdentity of(ProcessHandle process) {
    return new ProcessIdentity(
        process.pid(), process.info().startInstant().map(Instant::toEpochMilli).orElse(0L));
  }

  /** Returns the process, if it is still there. */
  public Optional<ProcessHandle> find() {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(this::startedWith);
  }

  private boolean startedWith(ProcessHandle process) {
    return Math.abs(of(process).startMillis - startMillis) <= START_ERROR_MILLIS;
  }

  /** Returns the text that {@link #read} parses. */
  public String text() {
    return pid + " " + Instant.ofEpochMilli(startMillis) + "\n";
  }

  /**
   * Reads the holder of a lock from its {@code .owner} file: the process number, a space, and its
   * start time in ISO 8601. Empty if the file is missing or incomplete.
   */
  public static Optional<ProcessIdentity> read(Path file) {
    try {
      String[] words = Files.readString(file).strip().split(" ");
      return Optional.of(
          new ProcessIdentity(Long.parseLong(words[0]), Instant.parse(words[1]).toEpochMilli()));
    } catch (IOException
        | IllegalArgumentException
        | DateTimeException
        | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }
}
