package dev.cairn.server.regionserver.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.server.regionserver.FakeRegion;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Checks what an open scanner gives back at its end. */
class OpenScannerTest {
  @Test
  void theMemoryIsGivenBackEvenIfTheCloseFails() {
    FakeRegion region = new FakeRegion("");
    ScriptedScan scan =
        new ScriptedScan() {
          @Override
          public void close() {
            throw new AssertionError("a hook");
          }
        };
    OpenScanner scanner =
        new OpenScanner(
            1,
            new HostedRegion(region.info, FakeRegion.SCHEMA, region, region, region.maintenance()),
            scan,
            new OpenScanner.ScanShape(-1, 1, false, false),
            Optional.empty(),
            Optional.empty(),
            SearchedColumns.NONE);
    MemoryAccount memory = MemoryAccount.unlimited();
    scanner.borrow(memory);
    assertThat(memory.borrowedBytes()).isPositive();
    assertThatThrownBy(scanner::close).isInstanceOf(AssertionError.class);
    assertThat(memory.borrowedBytes()).isZero();
  }
}
