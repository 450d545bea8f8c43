package dev.cairn.bench.parts;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.server.rpc.wire.CellBlockCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The cells of a response on their way to the network and back. One operation is a whole block. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CellBlocks {
  /** The number of cells in a block: a row's or a scan's. */
  @Param({"10", "1000"})
  public int cells;

  private CellBuffer result;
  private ByteBuf block;

  /** Makes the cells. */
  @Setup(Level.Trial)
  public void fill() {
    SampleMemory sample = new SampleMemory(cells);
    result = new CellBuffer();
    for (int i = 0; i < cells; i++) {
      result.add(sample.get(i));
    }
    block =
        PooledByteBufAllocator.DEFAULT.directBuffer((int) CellBlockCodec.KEY_VALUE.length(result));
  }

  /** Gives the memory back. */
  @TearDown(Level.Trial)
  public void release() {
    block.release();
  }

  /** Writes the block, its length first, as an answer does. */
  @Benchmark
  public long write() {
    long length = CellBlockCodec.KEY_VALUE.length(result);
    block.clear();
    CellBlockCodec.KEY_VALUE.write(result, block);
    return length;
  }

  /** Writes it and reads it again. */
  @Benchmark
  public CellBuffer writeAndRead() {
    block.clear();
    CellBlockCodec.KEY_VALUE.write(result, block);
    return CellBlockCodec.KEY_VALUE.read(block, block.readableBytes());
  }
}
