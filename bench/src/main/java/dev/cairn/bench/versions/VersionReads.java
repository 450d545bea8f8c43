package dev.cairn.bench.versions;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
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
    try (RegionRead read = data.region().read(request, ReadBudget.WHOLE_ROWS)) {
      while (read.next(buffer, ReadBudget.WHOLE_ROWS) != ScanProgress.END) {
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
    ScanRequest request = ScanRequest.row(row).maxVersions(data.versions()).build();
    try (RegionRead read = data.region().read(request, ReadBudget.WHOLE_ROWS)) {
      read.next(buffer, ReadBudget.WHOLE_ROWS);
    }
    hole.consume(buffer.size());
    buffer.clear();
  }
}
