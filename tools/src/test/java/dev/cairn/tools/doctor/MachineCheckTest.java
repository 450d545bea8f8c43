package dev.cairn.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.tools.doctor.Finding.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the findings on a machine, from its kernel's files. */
class MachineCheckTest {
  private static final long PROCESS = 7;

  @TempDir private Path root;

  @BeforeEach
  void aGoodMachine() throws IOException {
    write("proc/meminfo", "MemTotal:        8388608 kB\nSwapTotal:       1048576 kB\n");
    write("proc/sys/vm/swappiness", "1\n");
    write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    write("proc/7/status", "Name: java\nVmSwap:        0 kB\n");
    limits("65536", "unlimited");
    heap("1024m");
  }

  @Test
  void aMachineThatFollowsAllAdviceHasNoFinding() {
    assertThat(findings()).extracting(Finding::level).containsOnly(Level.OK);
    assertThat(findings())
        .extracting(Finding::what)
        .contains("The server's heap may grow to 1,024 MB of 8,192 MB of memory.");
  }

  @Test
  void fewOpenFilesAreNamedWithTheRemedy() throws IOException {
    limits("8192", "unlimited");
    assertOne(Level.ADVICE, "may open 8192 files", "10240");
    limits("1024", "unlimited");
    assertOne(Level.PROBLEM, "may open 1024 files", "/etc/security/limits.conf");
    limits("unlimited", "unlimited");
    assertThat(findings()).extracting(Finding::level).containsOnly(Level.OK);
  }

  @Test
  void fewThreadsAreAProblem() throws IOException {
    limits("65536", "1024");
    assertOne(Level.PROBLEM, "only 1024 processes and threads", "4096");
  }

  @Test
  void aServerThatIsSwappedOutIsAProblem() throws IOException {
    write("proc/7/status", "Name: java\nVmSwap:    20480 kB\n");
    assertOne(Level.PROBLEM, "20 MB of the server's memory are swapped out", "HBASE_HEAPSIZE");
  }

  @Test
  void aMachineThatSwapsWillinglyIsAdvisedAgainst() throws IOException {
    write("proc/sys/vm/swappiness", "60\n");
    assertOne(Level.ADVICE, "may swap the server out", "vm.swappiness=1");
    write("proc/meminfo", "MemTotal:        8388608 kB\nSwapTotal:       0 kB\n");
    assertThat(findings()).extracting(Finding::what).contains("The machine does not swap.");
  }

  @Test
  void hugePagesForAllMemoryAreAdvisedAgainst() throws IOException {
    write("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
    assertOne(Level.ADVICE, "transparent huge pages", "madvise or never");
  }

  @Test
  void aHeapThatDoesNotFitIsNamed() throws IOException {
    heap("8g");
    assertOne(Level.PROBLEM, "8,192 MB of 8,192 MB", "Lower it");
    heap("7g");
    assertOne(Level.ADVICE, "leaves little for the system", "80 %");
    write("proc/meminfo", "MemTotal:      134217728 kB\nSwapTotal: 0 kB\n");
    heap("36g");
    assertOne(Level.ADVICE, "holds less than one of 31 GB", "31g");
  }

  @Test
  void aContainersLimitCounts() throws IOException {
    write("sys/fs/cgroup/memory.max", "1073741824\n");
    assertOne(Level.PROBLEM, "1,024 MB of 1,024 MB", "Lower it");
    write("sys/fs/cgroup/memory.max", "max\n");
    assertThat(findings()).extracting(Finding::level).containsOnly(Level.OK);
  }

  @Test
  void withoutAServerTheLimitsOfANewOneCount() throws IOException {
    write("proc/self/limits", "Max open files            256                  4096 files\n");
    Diagnosis diagnosis = new Diagnosis();
    new MachineCheck(new Machine(root), Optional.empty()).run(diagnosis);
    assertThat(diagnosis.findings())
        .anyMatch(
            finding ->
                finding.level() == Level.PROBLEM
                    && finding.what().startsWith("A server that you start from here may open 256"));
  }

  @Test
  void anotherSystemHasNoFindings(@TempDir Path empty) {
    Diagnosis diagnosis = new Diagnosis();
    new MachineCheck(new Machine(empty), Optional.of(PROCESS)).run(diagnosis);
    assertThat(diagnosis.findings()).isEmpty();
  }

  private void assertOne(Level level, String what, String remedy) {
    assertThat(findings())
        .filteredOn(finding -> finding.level() != Level.OK)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.level()).isEqualTo(level);
              assertThat(finding.what()).contains(what);
              assertThat(finding.remedy()).contains(remedy);
              assertThat(finding.where()).isNotEmpty();
            });
  }

  private List<Finding> findings() {
    Diagnosis diagnosis = new Diagnosis();
    new MachineCheck(new Machine(root), Optional.of(PROCESS)).run(diagnosis);
    return diagnosis.findings();
  }

  private void limits(String files, String threads) throws IOException {
    write(
        "proc/7/limits",
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max processes             %-20s unlimited            processes
        Max open files            %-20s 1048576              files
        """
            .formatted(threads, files));
  }

  private void heap(String size) throws IOException {
    write("proc/7/cmdline", "java\0-Xmx64m\0-Xmx" + size + "\0-cp\0x.jar\0");
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }
}
