package dev.cairn.server.rpc;

import dev.cairn.server.rpc.service.MethodPolicy;
import dev.cairn.server.rpc.wire.BatchActions;
import io.netty.buffer.ByteBuf;

/** The kinds of ordinary calls, which determine their queues. */
enum CallKind {
  /** A mutation, or a batch with at least one. */
  WRITE,
  /** A get, a batch of gets, or a call of another method. */
  READ,
  /** A call of a scan that no network thread has answered. */
  SCAN;

  /**
   * Returns the kind of a call. A batch is a write if it has a mutation among its first {@value
   * BatchActions#STEPS_MAX} actions, and a read otherwise.
   *
   * @param policy the policy of the call's method
   * @param frame positioned at the delimited request message; its position does not change
   * @param cellLength the bytes of cells that follow the message
   */
  static CallKind of(MethodPolicy policy, ByteBuf frame, int cellLength) {
    return switch (policy.quota()) {
      case MUTATE -> WRITE;
      case SCAN -> SCAN;
      case GET, NONE -> READ;
      // Only mutations have cells in a request.
      case BATCH -> cellLength > 0 || BatchActions.hasMutation(frame) ? WRITE : READ;
    };
  }
}
