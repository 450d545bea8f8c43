package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.region.RegionOpening;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.storage.FencingToken;
import java.io.IOException;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A region whose files are open, but which another server may still own. Nothing of it has changed.
 * Not thread-safe.
 */
public interface PreparedRegion {
  /** Returns a sequence number below those of all writes that the region will take. */
  long openSequence();

  /**
   * Runs what comes before the region is reported as open and needs no ownership: creates and
   * starts coprocessors, and calls their hooks before the opening. Called once, before {@link
   * #begin}. May take any time if the region {@linkplain #isHooked has hooks}.
   *
   * @throws IOException if the region does not open now; the caller closes it
   */
  default void start() throws IOException {}

  /** Returns the message for every call, if the region cannot be served; final after the start. */
  default Optional<String> refusal() {
    return Optional.empty();
  }

  /**
   * Opens a replica for reads, and another region as its owner, after the master has agreed:
   * replays the edits that its store files do not hold yet, and returns once it can serve. If it
   * fails, the caller closes it.
   *
   * @param token orders the region's owners; if empty, this server is the latest one
   * @throws dev.cairn.engine.storage.FencedException if there is a later owner
   */
  HostedRegion begin(Optional<FencingToken> token) throws IOException;

  /** Tells whether the region has hooks, which may take any time when it starts and begins. */
  default boolean isHooked() {
    return false;
  }

  /** Closes the files, and ends the start; does nothing after {@link #begin}. */
  void close();

  /** Returns a region of the engine, or a replica of one. */
  static PreparedRegion of(RegionInfo info, RegionOpening opening) {
    boolean isReplica = info.replicaId() != 0;
    return new PreparedRegion() {
      @Override
      public long openSequence() {
        return opening.openSequence();
      }

      @Override
      public HostedRegion begin(Optional<FencingToken> token) throws IOException {
        return isReplica
            ? HostedRegion.of(opening.follow())
            : HostedRegion.of(opening.begin(token));
      }

      @Override
      public void close() {
        opening.close();
      }
    };
  }

  /** Returns a region that needs no preparation. */
  static PreparedRegion ready(HostedRegion region) {
    return new PreparedRegion() {
      @Override
      public long openSequence() {
        return region.figures().statistics().openSequence();
      }

      @Override
      public Optional<String> refusal() {
        return region.refusal();
      }

      @Override
      public HostedRegion begin(Optional<FencingToken> token) {
        return region;
      }

      @Override
      public void close() {}
    };
  }

  /** Returns the same region, hosted as {@code change} says. */
  default PreparedRegion hostedBy(UnaryOperator<HostedRegion> change) {
    PreparedRegion prepared = this;
    return new PreparedRegion() {
      @Override
      public long openSequence() {
        return prepared.openSequence();
      }

      @Override
      public void start() throws IOException {
        prepared.start();
      }

      @Override
      public Optional<String> refusal() {
        return prepared.refusal();
      }

      @Override
      public boolean isHooked() {
        return prepared.isHooked();
      }

      @Override
      public HostedRegion begin(Optional<FencingToken> token) throws IOException {
        return change.apply(prepared.begin(token));
      }

      @Override
      public void close() {
        prepared.close();
      }
    };
  }
}
