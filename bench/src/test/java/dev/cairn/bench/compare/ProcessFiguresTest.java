package dev.cairn.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The figures of a process, as man 5 proc describes its files. */
class ProcessFiguresTest {
  private static final String STAT =
      "4711 (a name (with) blanks) S 1 4711 4711 0 -1 4194304 100 200 0 0 123 45 6 7 20 0 30 0 1000"
          + " 500000 2000 18446744073709551615\n";
  private static final String STATUS =
      """
      Name:\tjava
      VmHWM:\t  900 kB
      VmRSS:\t  512 kB
      Threads:\t30
      """;
  private static final String IO =
      """
      rchar: 1
      wchar: 2
      syscr: 3
      syscw: 4
      read_bytes: 5
      write_bytes: 8192
      cancelled_write_bytes: 4096
      """;

  @Test
  void readsTimeMemoryAndWrittenBytes() {
    assertThat(ProcessFigures.parse(STAT, STATUS, IO))
        .isEqualTo(new ProcessFigures(1.68, 512 * 1024, 4096));
  }

  @Test
  void looksAtAProcessThatRuns() throws IOException {
    ProcessFigures mine = ProcessFigures.of(ProcessHandle.current().pid());

    assertThat(mine.cpuSeconds()).isPositive();
    assertThat(mine.residentBytes()).isGreaterThan(10_000_000);
  }

  @Test
  void aProcessThatIsGoneIsAnError() {
    assertThatThrownBy(() -> ProcessFigures.of(Integer.MAX_VALUE)).isInstanceOf(IOException.class);
  }
}
