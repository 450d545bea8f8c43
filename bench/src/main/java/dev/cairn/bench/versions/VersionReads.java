package dev.cairn.bench.versions;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionScanner;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** Reads a region whose blocks are in the cache. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class VersionReads {
  private final CellBuffer buffer = new CellBuffer();
  private final Random random = new Random(7);

  /** Reads all rows in order. */
  @Benchmark
  public void scan(VersionedRegion data, Blackhole hole) throws IOException {
    ScanRequest request = ScanRequest.builder().maxVersions(data.versions()).build();
    try (RegionScanner scanner = data.region().scan(request)) {
      while (scanner.next(buffer, ReadBudget.WHOLE_ROWS) != ScanProgress.END) {
        hole.consume(buffer.size());
        buffer.clear();
      }
    }
    buffer.clear();
  }

  /** Reads one row by chance. */
  @Benchmark
  public void get(VersionedRegion data, Blackhole hole) throws IOException {
    byte[] row = VersionedRegion.row(random.nextInt(data.rows));
    data.region().get(ScanRequest.row(row).maxVersions(data.versions()).build(), buffer);
    hole.consume(buffer.size());
    buffer.clear();
  }
}
