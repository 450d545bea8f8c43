package dev.cairn.server.regionserver;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.server.regionserver.client.CallLimits;
import dev.cairn.server.regionserver.client.NonceManager;
import dev.cairn.server.regionserver.client.OpenScanners;
import dev.cairn.server.regionserver.membership.ChoreService;
import java.util.function.Supplier;

/**
 * The state that outlives a client's call: its scanners, and the results of its increments and
 * appends.
 *
 * @param limits returns the present limits on calls
 */
record ClientState(OpenScanners scanners, NonceManager nonces, Supplier<CallLimits> limits) {
  private static final long CHECK_MILLIS = 1_000;
  private static final int NONCE_HEAP_SHARE = 16;

  /** Creates the state of a server without clients. */
  static ClientState of(SharedParts shared) {
    RegionServerContext context = shared.context();
    MemoryAccount memory = context.memory().account();
    Supplier<CallLimits> limits = shared.live().derive(read -> CallLimits.of(read, memory));
    return new ClientState(
        new OpenScanners(
            shared.clock(),
            limits.get().scannerLeaseMillis(),
            context.calls().firstScannerId(),
            memory),
        new NonceManager(
            shared.clock(),
            shared.settings().nonceMillis(),
            context.memory().heap().maxBytes() / NONCE_HEAP_SHARE),
        limits);
  }

  /** Ends scanners and forgets results when their time is over. */
  void startChores(ChoreService chores) {
    chores.every(CHECK_MILLIS, "Ending scanners and nonces", this::mayExpire, this::expire);
  }

  private boolean mayExpire() {
    return !scanners.isEmpty() || nonces.isExpiryDue();
  }

  private void expire() {
    scanners.expire();
    nonces.expire();
  }
}
