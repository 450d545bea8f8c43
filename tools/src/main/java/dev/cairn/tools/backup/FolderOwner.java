package dev.cairn.tools.backup;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A process that changes a folder of backups.
 *
 * @param host the machine, and on Linux the namespace of its process numbers
 * @param process its number
 * @param startMillis when it started, milliseconds since 1970; 0 if unknown
 */
public record FolderOwner(String host, long process, long startMillis) {
  /** The computed start of a process moves a little when the clock is set. */
  private static final long START_TOLERANCE_MILLIS = Duration.ofMinutes(1).toMillis();

  /** Returns this process. */
  public static FolderOwner current() {
    ProcessHandle self = ProcessHandle.current();
    return new FolderOwner(here(), self.pid(), start(self));
  }

  /** Tells whether the process has ended. False if that is unknown, as for another machine. */
  public boolean hasEnded() {
    if (!host.equals(here())) {
      return false;
    }
    Optional<ProcessHandle> found = ProcessHandle.of(process).filter(ProcessHandle::isAlive);
    if (found.isEmpty()) {
      return true;
    }
    long start = start(found.get());
    return start != 0 && startMillis != 0 && Math.abs(start - startMillis) > START_TOLERANCE_MILLIS;
  }

  private static long start(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  private static String here() {
    String name;
    try {
      name = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      name = "localhost";
    }
    try {
      // Containers may share the machine's name, but their processes have numbers of their own.
      return name + " " + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
    } catch (IOException | UnsupportedOperationException e) {
      return name;
    }
  }

  @Override
  public String toString() {
    return "process " + process + " on " + host.replaceFirst(" .*", "");
  }
}
