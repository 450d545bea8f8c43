package dev.cairn.launcher;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One process of this machine. The number alone is used again by later processes, so the moment of
 * its start belongs to it.
 *
 * @param pid the process's number; 0 if not known
 * @param startMillis when it started, milliseconds since 1970
 */
record ProcessIdentity(long pid, long startMillis) {
  /** A process that has not said who it is. */
  static final ProcessIdentity UNKNOWN = new ProcessIdentity(0, 0);

  /** The system tells the moment of a start with an error of up to a second. */
  private static final long START_ERROR_MILLIS = 2000;

  private static final Pattern TEXT = Pattern.compile("pid ([0-9]{1,18}) started ([0-9]{1,18})\n");

  /** Returns the identity of {@code process}. */
  static ProcessIdentity of(ProcessHandle process) {
    return new ProcessIdentity(
        process.pid(), process.info().startInstant().map(Instant::toEpochMilli).orElse(0L));
  }

  /** Returns the process, if it is still there. */
  Optional<ProcessHandle> find() {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(this::startedWith);
  }

  private boolean startedWith(ProcessHandle process) {
    return Math.abs(of(process).startMillis - startMillis) <= START_ERROR_MILLIS;
  }

  /** Replaces the content of {@code channel} by this. */
  void write(FileChannel channel) throws IOException {
    byte[] text =
        ("pid " + pid + " started " + startMillis + "\n").getBytes(StandardCharsets.UTF_8);
    channel.truncate(0);
    channel.write(ByteBuffer.wrap(text), 0);
  }

  /** Reads what {@link #write} wrote; empty if it is not there, or not complete. */
  static Optional<ProcessIdentity> read(Path file) {
    try {
      Matcher matcher = TEXT.matcher(Files.readString(file));
      return matcher.matches()
          ? Optional.of(
              new ProcessIdentity(
                  Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
