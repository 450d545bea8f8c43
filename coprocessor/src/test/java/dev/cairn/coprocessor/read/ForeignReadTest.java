package dev.cairn.coprocessor.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.coprocessor.facade.Facades;
import dev.cairn.coprocessor.facade.Reader;
import dev.cairn.coprocessor.facade.ScannerFacade;
import dev.cairn.coprocessor.measure.RegionMeter;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.regionserver.hooked.HandlerShares;
import dev.cairn.server.regionserver.hooked.HookTimes;
import dev.cairn.server.regionserver.hooked.HookedTable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.junit.jupiter.api.Test;

/** Checks what becomes of the region's scanner at the end of one that a hook has returned. */
class ForeignReadTest {
  private static final TableName TABLE = TableName.parse("t");

  private final List<String> calls = new ArrayList<>();
  private final RegionRead own = Facades.read(calls);
  private final Reader reader;
  private final ScannerFacade scanner;

  ForeignReadTest() throws IOException {
    TableSchema table = TableSchema.of(TABLE, FamilySchema.of("f"));
    RegionInfo info = new RegionInfo(table.name(), new byte[0], new byte[0], 1);
    reader = new Reader(null, null, Facades.region(info, table), null, Set.of());
    scanner = reader.facade(new Scan(), own, Optional.empty());
  }

  /** A call of a test. */
  @FunctionalInterface
  private interface Call {
    void run() throws IOException;
  }

  private ForeignRead foreign(Call close) {
    RegionScanner hooks =
        (RegionScanner)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {RegionScanner.class},
                (proxy, method, arguments) -> {
                  close.run();
                  return null;
                });
    return new ForeignRead(
        hooks,
        own,
        scanner,
        new HookedTable(TABLE, new HandlerShares(Clock.SYSTEM), List.of()),
        new RegionMeter(new HookTimes(), TABLE, Clock.SYSTEM));
  }

  @Test
  void aScannerThatAHookKeepsGivesUpItsBlocksAndIsCounted() {
    foreign(() -> {}).close();
    assertThat(calls).containsExactly("suspend");
    assertThat(reader.keptScanners()).isEqualTo(1);
    scanner.close();
    assertThat(calls).containsExactly("suspend", "close");
    assertThat(reader.keptScanners()).isZero();
  }

  @Test
  void aScannerThatAHookClosesIsNotCounted() {
    foreign(scanner::close).close();
    assertThat(calls).contains("close");
    assertThat(reader.keptScanners()).isZero();
    assertThatThrownBy(() -> scanner.next(new ArrayList<>()))
        .isInstanceOf(UnknownScannerException.class)
        .hasMessage("Scanner was closed");
  }

  @Test
  void anErrorOfAHookClosesTheRegionsScanner() {
    foreign(
            () -> {
              throw new AssertionError("a hook");
            })
        .close();
    assertThat(calls).containsExactly("close");
    assertThat(reader.keptScanners()).isZero();
  }
}
