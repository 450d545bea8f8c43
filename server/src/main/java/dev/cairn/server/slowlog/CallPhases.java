package dev.cairn.server.slowlog;

import dev.cairn.engine.time.PhaseTimes;
import dev.cairn.engine.time.PhaseTimes.Phase;
import java.util.concurrent.TimeUnit;

/**
 * Divides the processing time of a call into its waits and the rest, and counts the blocks that the
 * call read.
 *
 * @param lockMillis the waits for locks on rows
 * @param logMillis the waits for the write-ahead log
 * @param blocksMillis reading blocks from files, with their decompression
 * @param hooksMillis hooks of coprocessors, without the waits above
 * @param restMillis all other time: the work of the processor, and waits of other kinds
 * @param diskBlocks the blocks read from files
 * @param diskBytes their bytes
 * @param cachedBlocks the blocks found in the cache
 * @param cachedBytes their bytes
 */
public record CallPhases(
    long lockMillis,
    long logMillis,
    long blocksMillis,
    long hooksMillis,
    long restMillis,
    long diskBlocks,
    long diskBytes,
    long cachedBlocks,
    long cachedBytes) {
  static CallPhases of(FinishedCall call) {
    PhaseTimes times = call.phases();
    long waits = 0;
    for (Phase phase : Phase.values()) {
      waits += times.waits(phase).nanos();
    }
    return new CallPhases(
        millis(times, Phase.LOCK),
        millis(times, Phase.LOG),
        millis(times, Phase.BLOCKS),
        millis(times, Phase.HOOKS),
        TimeUnit.NANOSECONDS.toMillis(Math.max(0, call.processingNanos() - waits)),
        times.waits(Phase.BLOCKS).count(),
        times.diskBytes(),
        times.cachedBlocks(),
        times.cachedBytes());
  }

  private static long millis(PhaseTimes times, Phase phase) {
    return TimeUnit.NANOSECONDS.toMillis(times.waits(phase).nanos());
  }
}
