package dev.cairn.bench.report;

import java.lang.management.ManagementFactory;

/**
 * The machine on which a run took place.
 *
 * @param processors number of processors that the JVM saw
 * @param memoryBytes of the machine
 * @param system name and version of the operating system, and the architecture
 * @param jvm name and version
 */
public record Machine(int processors, long memoryBytes, String system, String jvm) {
  /** Returns this machine, as this JVM sees it. */
  public static Machine local() {
    return new Machine(
        Runtime.getRuntime().availableProcessors(),
        ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
            .getTotalMemorySize(),
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch"),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
  }

  @Override
  public String toString() {
    return "%d processors, %.1f GiB, %s, %s"
        .formatted(processors, memoryBytes / (double) (1L << 30), system, jvm);
  }
}
