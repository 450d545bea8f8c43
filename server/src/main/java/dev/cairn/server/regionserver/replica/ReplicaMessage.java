package dev.cairn.server.regionserver.replica;

import dev.cairn.engine.region.feed.FeedBatch;
import dev.cairn.engine.region.follow.FollowerMemory.Flushed;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import java.util.Optional;

/**
 * A message from the server of a region to a replica: logged changes, then a notice of the present
 * store files. The replica adds the changes, then takes over the files.
 *
 * @param region the replica's encoded name
 * @param table its table
 * @param batch logged changes
 * @param files has the replica take over the region's present files; empty if it need not
 */
public record ReplicaMessage(
    String region, TableName table, Optional<FeedBatch> batch, Optional<FilesNotice> files) {
  /**
   * Tells a replica that its region's store files have changed.
   *
   * @param flushed the numbers up to which the families are in store files; empty if the region's
   *     server does not send them
   * @param currentSequence a replica that has every change up to this number is current; 0 if the
   *     region's log is not sent
   */
  public record FilesNotice(Optional<Flushed> flushed, long currentSequence) {
    /** A notice without numbers. */
    public static final FilesNotice PLAIN = new FilesNotice(Optional.empty(), 0);
  }

  /** Returns a message to a replica. */
  static ReplicaMessage to(
      RegionInfo replica, Optional<FeedBatch> batch, Optional<FilesNotice> files) {
    return new ReplicaMessage(replica.encodedName(), replica.table(), batch, files);
  }
}
