package dev.cairn.coprocessor.environment;

import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.time.PhaseTimes;
import dev.cairn.server.rpc.service.RpcCall;
import java.lang.ref.WeakReference;
import java.util.Optional;

/**
 * Reserves memory of a call for the lists of cells that hooks of a read see or return. One list
 * replaces another, so a call reserves memory for the largest one. Small lists reserve nothing. One
 * thread at a time.
 */
public final class ListLoan {
  /** Lists up to this size reserve nothing: the number of handlers limits their number. */
  private static final long FREE_BYTES = 64 << 10;

  /** The approximate bytes of a cell's object in a list, without the cell. */
  private static final long OBJECT_BYTES = 64;

  private WeakReference<RpcCall> call = new WeakReference<>(null);
  private long bytes;

  /**
   * Reserves memory of the thread's call for a list; does nothing if the thread has no call.
   *
   * @param cells the number of cells
   * @param cellBytes their bytes
   * @throws MemoryShortageException if the memory is not available
   */
  public void cover(long cells, long cellBytes) {
    long wanted = cells * OBJECT_BYTES + cellBytes;
    if (wanted <= FREE_BYTES) {
      return;
    }
    Optional<PhaseTimes.Operation> current = PhaseTimes.current();
    if (current.isEmpty() || !(current.get() instanceof RpcCall now)) {
      return;
    }
    if (call.get() != now) {
      call = new WeakReference<>(now);
      bytes = 0;
    }
    if (wanted > bytes) {
      now.memory().borrowForMessage(wanted - bytes);
      bytes = wanted;
    }
  }
}
