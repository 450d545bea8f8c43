package dev.cairn.tools.doctor;

import dev.cairn.tools.doctor.Finding.Area;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Checks memory and limits of the machine that the server runs on, as HBase's guide advises.
 *
 * @param machine the facts about the machine
 * @param process the server's process; empty if it does not run
 */
public record MachineCheck(Machine machine, Optional<Long> process) {
  /** The minimum that HBase's guide recommends. */
  private static final long OPEN_FILES_ADVISED = 10_240;

  /** With fewer, a server with a few hundred store files and clients runs out of them. */
  private static final long OPEN_FILES_MIN = 4_096;

  private static final long THREADS_MIN = 4_096;
  private static final long SWAPPINESS_ADVISED = 10;
  private static final double HEAP_SHARE_ADVISED = 0.8;
  private static final int MEGABYTE_BITS = 20;

  /** Above 32 GB, Java's references need twice as much memory. */
  private static final long SHORT_REFERENCES_MAX = 32L << 30;

  private static final long LONG_REFERENCES_MIN = 42L << 30;

  /** Adds the findings. */
  public void run(Diagnosis diagnosis) {
    String id = process.map(Object::toString).orElse(Machine.SELF);
    files(id, diagnosis);
    threads(id, diagnosis);
    swap(id, diagnosis);
    hugePages(diagnosis);
    heap(diagnosis);
  }

  private String whose() {
    return process.isPresent() ? "The server" : "A server that you start from here";
  }

  private void files(String id, Diagnosis diagnosis) {
    OptionalLong files = machine.openFilesMax(id);
    if (files.isEmpty()) {
      return;
    }
    String fact = whose() + " may open " + files.getAsLong() + " files";
    String remedy =
        "Raise the limit to at least "
            + OPEN_FILES_ADVISED
            + " (nofile in /etc/security/limits.conf, or LimitNOFILE of the service), then start"
            + " the server again.";
    if (files.getAsLong() < OPEN_FILES_MIN) {
      diagnosis.problem(Area.MACHINE, fact + ", which is too few.", "ulimit -n", remedy);
    } else if (files.getAsLong() < OPEN_FILES_ADVISED) {
      diagnosis.advise(Area.MACHINE, fact + "; more are advised.", "ulimit -n", remedy);
    } else {
      diagnosis.ok(Area.MACHINE, fact + ".");
    }
  }

  private void threads(String id, Diagnosis diagnosis) {
    OptionalLong threads = machine.threadsMax(id);
    if (threads.isPresent() && threads.getAsLong() < THREADS_MIN) {
      diagnosis.problem(
          Area.MACHINE,
          "The server's user may have only " + threads.getAsLong() + " processes and threads.",
          "ulimit -u",
          "Raise the limit to at least " + THREADS_MIN + " (nproc in /etc/security/limits.conf).");
    }
  }

  private void swap(String id, Diagnosis diagnosis) {
    OptionalLong swapped = process.isPresent() ? machine.swappedBytes(id) : OptionalLong.empty();
    if (swapped.orElse(0) > 0) {
      diagnosis.problem(
          Area.MACHINE,
          megabytes(swapped.getAsLong()) + " of the server's memory are swapped out.",
          "VmSwap in /proc/" + id + "/status",
          "Free memory on the machine or lower HBASE_HEAPSIZE, set vm.swappiness to 1, and start"
              + " the server again: a collection of a swapped heap takes seconds.");
      return;
    }
    OptionalLong swap = machine.swapBytes();
    OptionalLong swappiness = machine.swappiness();
    if (swap.isEmpty() || swappiness.isEmpty()) {
      return;
    }
    if (swap.getAsLong() == 0) {
      diagnosis.ok(Area.MACHINE, "The machine does not swap.");
    } else if (swappiness.getAsLong() > SWAPPINESS_ADVISED) {
      diagnosis.advise(
          Area.MACHINE,
          "The machine may swap the server out under memory pressure.",
          "vm.swappiness = " + swappiness.getAsLong(),
          "Set it to 1 (sysctl -w vm.swappiness=1, and in /etc/sysctl.conf).");
    } else {
      diagnosis.ok(
          Area.MACHINE, "The machine hardly swaps: vm.swappiness is " + swappiness.getAsLong());
    }
  }

  private void hugePages(Diagnosis diagnosis) {
    machine
        .hugePages()
        .ifPresent(
            mode -> {
              if (mode.equals("always")) {
                diagnosis.advise(
                    Area.MACHINE,
                    "The kernel uses transparent huge pages for all memory, which causes pauses.",
                    "/sys/kernel/mm/transparent_hugepage/enabled",
                    "Write madvise or never into this file at boot.");
              } else {
                diagnosis.ok(Area.MACHINE, "Transparent huge pages: " + mode + ".");
              }
            });
  }

  private void heap(Diagnosis diagnosis) {
    OptionalLong memory = machine.memoryBytes();
    OptionalLong heap =
        process.isPresent() ? machine.heapBytesMax(process.get().toString()) : OptionalLong.empty();
    if (memory.isEmpty()) {
      return;
    }
    if (heap.isEmpty()) {
      diagnosis.ok(
          Area.MACHINE,
          megabytes(memory.getAsLong())
              + " of memory; without HBASE_HEAPSIZE the server's heap is a quarter of it.");
      return;
    }
    String fact =
        "The server's heap may grow to "
            + megabytes(heap.getAsLong())
            + " of "
            + megabytes(memory.getAsLong())
            + " of memory";
    if (heap.getAsLong() >= memory.getAsLong()) {
      diagnosis.problem(
          Area.MACHINE,
          fact + ": the system would end or swap the server.",
          "HBASE_HEAPSIZE",
          "Lower it to at most 80 % of the memory.");
    } else if (heap.getAsLong() > HEAP_SHARE_ADVISED * memory.getAsLong()) {
      diagnosis.advise(
          Area.MACHINE,
          fact + ", which leaves little for the system and its cache of files.",
          "HBASE_HEAPSIZE",
          "Lower it to at most 80 % of the memory.");
    } else if (heap.getAsLong() >= SHORT_REFERENCES_MAX && heap.getAsLong() < LONG_REFERENCES_MIN) {
      diagnosis.advise(
          Area.MACHINE,
          fact + ". Such a heap holds less than one of 31 GB, because references are longer.",
          "HBASE_HEAPSIZE",
          "Set it to 31g.");
    } else {
      diagnosis.ok(Area.MACHINE, fact + ".");
    }
  }

  private static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%,d MB", bytes >> MEGABYTE_BITS);
  }
}
