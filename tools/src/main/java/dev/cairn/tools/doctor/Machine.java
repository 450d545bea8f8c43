package dev.cairn.tools.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads facts about the machine and its processes from a Linux kernel. On other systems, all values
 * are empty.
 *
 * @param root the folder that holds {@code proc} and {@code sys}
 */
public record Machine(Path root) {
  private static final Pattern HEAP = Pattern.compile("-Xmx(\\d+)([kKmMgG]?)");
  private static final Pattern CHOSEN = Pattern.compile("\\[(\\w+)]");

  /** The name of the current process in {@code proc}. */
  static final String SELF = "self";

  /** Returns the current machine. */
  public static Machine local() {
    return new Machine(Path.of("/"));
  }

  /** Returns the machine's memory, or the limit of the container if that is less, in bytes. */
  OptionalLong memoryBytes() {
    OptionalLong machine = kilobytes("proc/meminfo", "MemTotal");
    OptionalLong container =
        text("sys/fs/cgroup/memory.max").map(Machine::number).orElse(OptionalLong.empty());
    if (machine.isEmpty() || container.isEmpty()) {
      return machine;
    }
    return OptionalLong.of(Math.min(machine.getAsLong(), container.getAsLong()));
  }

  /** Returns the size of all swap areas in bytes. */
  OptionalLong swapBytes() {
    return kilobytes("proc/meminfo", "SwapTotal");
  }

  /** Returns the kernel's swappiness, 0 to 200. */
  OptionalLong swappiness() {
    return text("proc/sys/vm/swappiness").map(Machine::number).orElse(OptionalLong.empty());
  }

  /** Returns the bytes of a process that are swapped out. */
  OptionalLong swappedBytes(String process) {
    return kilobytes("proc/" + process + "/status", "VmSwap");
  }

  /** Returns the mode of transparent huge pages: always, madvise or never. */
  Optional<String> hugePages() {
    return text("sys/kernel/mm/transparent_hugepage/enabled")
        .map(CHOSEN::matcher)
        .filter(Matcher::find)
        .map(found -> found.group(1));
  }

  /** Returns how many files a process may open; empty if there is no limit. */
  OptionalLong openFilesMax(String process) {
    return limit(process, "Max open files");
  }

  /** Returns how many threads the user of a process may have; empty if there is no limit. */
  OptionalLong threadsMax(String process) {
    return limit(process, "Max processes");
  }

  private OptionalLong limit(String process, String name) {
    return text("proc/" + process + "/limits")
        .flatMap(limits -> limits.lines().filter(line -> line.startsWith(name)).findFirst())
        .map(line -> number(line.substring(name.length()).strip().split("\\s+")[0]))
        .orElse(OptionalLong.empty());
  }

  /** Returns the largest heap that the command line of a process names, in bytes. */
  OptionalLong heapBytesMax(String process) {
    OptionalLong heap = OptionalLong.empty();
    for (String argument : text("proc/" + process + "/cmdline").orElse("").split("\0")) {
      Matcher found = HEAP.matcher(argument);
      if (found.matches()) {
        heap = OptionalLong.of(bytes(Long.parseLong(found.group(1)), found.group(2)));
      }
    }
    return heap;
  }

  private static long bytes(long number, String unit) {
    return switch (unit) {
      case "k", "K" -> number << 10;
      case "m", "M" -> number << 20;
      case "g", "G" -> number << 30;
      default -> number;
    };
  }

  private OptionalLong kilobytes(String file, String name) {
    return text(file)
        .flatMap(lines -> lines.lines().filter(line -> line.startsWith(name + ":")).findFirst())
        .map(line -> number(line.substring(name.length() + 1).replace("kB", "").strip()))
        .filter(OptionalLong::isPresent)
        .map(kilobytes -> OptionalLong.of(kilobytes.getAsLong() << 10))
        .orElse(OptionalLong.empty());
  }

  private static OptionalLong number(String text) {
    try {
      return OptionalLong.of(Long.parseLong(text.strip()));
    } catch (NumberFormatException e) {
      return OptionalLong.empty(); // "max" or "unlimited"
    }
  }

  private Optional<String> text(String file) {
    try {
      return Optional.of(Files.readString(root.resolve(file), StandardCharsets.UTF_8));
    } catch (IOException e) {
      return Optional.empty(); // another system, or a process of another user
    }
  }
}
