package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.server.loadsplit.LoadSample;
import dev.cairn.server.loadsplit.LoadSampler;
import dev.cairn.server.loadsplit.LoadSampler.Call;
import dev.cairn.server.regionserver.client.ScanCalls;
import dev.cairn.server.request.GetMessage;
import dev.cairn.server.request.ScanMessage;
import java.io.IOException;

/**
 * Delegates the reads and writes of a region, and samples the rows of gets and of single mutations
 * of batches. {@link ScanCalls} samples scans, because it knows the range of each call. A call that
 * must be repeated on another thread is sampled only there. Each call that fails is recorded.
 * Thread-safe.
 */
record SampledRegion(RegionReads reads, RegionWrites writes, LoadSampler load)
    implements RegionReads, RegionWrites {
  @Override
  public RegionRead read(ScanRequest request, ReadBudget budget) throws IOException {
    try {
      return reads.read(request, budget);
    } catch (IOException e) {
      load.failed(request.startRow());
      throw e;
    }
  }

  @Override
  public RegionRead openGet(GetMessage get, ScanRequest request, ReadBudget budget)
      throws IOException {
    try {
      return reads.openGet(get, request, budget);
    } catch (IOException e) {
      load.failed(request.startRow());
      throw e;
    }
  }

  @Override
  public RegionRead scan(ScanMessage.Opening scan, ScanRequest request, ReadBudget budget)
      throws IOException {
    try {
      return reads.scan(scan, request, budget);
    } catch (IOException e) {
      load.failed(request.startRow());
      throw e;
    }
  }

  @Override
  public ScanProgress row(ScanRequest request, CellBuffer out, ReadBudget budget)
      throws IOException {
    return sampled(null, request, out, budget);
  }

  @Override
  public ScanProgress get(GetMessage get, ScanRequest request, CellBuffer out, ReadBudget budget)
      throws IOException {
    return sampled(get, request, out, budget);
  }

  /**
   * Reads a row.
   *
   * @param get null if no client asks
   */
  private ScanProgress sampled(
      GetMessage get, ScanRequest request, CellBuffer out, ReadBudget budget) throws IOException {
    int samples = load.samples(1);
    if (samples == 0) {
      return rowOrFailure(get, request, out, budget);
    }
    long began = load.cpuNanos();
    int before = out.byteSize();
    ScanProgress progress = rowOrFailure(get, request, out, budget);
    if (progress != ScanProgress.WOULD_WAIT) {
      Call call =
          new Call(LoadSample.Kind.GET, 1, 1, out.byteSize() - before, load.cpuNanos() - began);
      load.add(request.startRow(), call, samples);
    }
    return progress;
  }

  private ScanProgress rowOrFailure(
      GetMessage get, ScanRequest request, CellBuffer out, ReadBudget budget) throws IOException {
    try {
      return get == null ? reads.row(request, out, budget) : reads.get(get, request, out, budget);
    } catch (IOException e) {
      load.failed(request.startRow());
      throw e;
    }
  }

  @Override
  public PendingWrite write(WriteRequest request, WriteBudget budget) throws IOException {
    int rows = request.mutationCount();
    int samples = rows == 0 ? 0 : load.samples(rows);
    if (samples == 0) {
      return writeOrFailure(request, rows, budget);
    }
    long began = load.cpuNanos();
    PendingWrite pending = writeOrFailure(request, rows, budget);
    if (pending.isBegun()) {
      long bytes = request.memStoreBytes() - (long) WriteRequest.NODE_BYTES * request.cellCount();
      Call call = new Call(LoadSample.Kind.WRITE, rows, rows, bytes, load.cpuNanos() - began);
      for (int i = 0; i < samples; i++) {
        load.add(request.row(load.choose(rows)), call, samples);
      }
    }
    return pending;
  }

  private PendingWrite writeOrFailure(WriteRequest request, int rows, WriteBudget budget)
      throws IOException {
    try {
      return writes.write(request, budget);
    } catch (IOException e) {
      if (rows > 0) {
        load.failed(request.row(load.choose(rows)));
      }
      throw e;
    }
  }
}
