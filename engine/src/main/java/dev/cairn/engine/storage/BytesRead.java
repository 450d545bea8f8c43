package dev.cairn.engine.storage;

/**
 * The bytes read from a distributed storage, by origin.
 *
 * @param local the bytes read from replicas on this machine
 * @param shortCircuit the part of {@code local} that was read directly from the disk, without the
 *     storage's server
 * @param remote the bytes read from other machines
 */
public record BytesRead(long local, long shortCircuit, long remote) {
  /** No bytes. */
  public static final BytesRead NONE = new BytesRead(0, 0, 0);

  /** Returns the sum of both. */
  public BytesRead plus(BytesRead other) {
    return new BytesRead(
        local + other.local, shortCircuit + other.shortCircuit, remote + other.remote);
  }
}
