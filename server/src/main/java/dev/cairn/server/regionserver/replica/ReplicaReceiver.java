package dev.cairn.server.regionserver.replica;

import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.ReplicaRegion;
import dev.cairn.server.regionserver.replica.ReplicaMessage.FilesNotice;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/** Hands messages from the servers of regions to the replicas at this server. Thread-safe. */
public final class ReplicaReceiver {
  private final OnlineRegions regions;
  private final ReplicaRefresh refresh;

  /** Creates it. */
  public ReplicaReceiver(OnlineRegions regions, ReplicaRefresh refresh) {
    this.regions = regions;
    this.refresh = refresh;
  }

  /**
   * Hands out messages. If a replica is not here, or does not accept its message, hands out the
   * other messages and then fails.
   */
  public void receive(List<ReplicaMessage> messages) throws IOException {
    IOException failure = null;
    for (ReplicaMessage message : messages) {
      try {
        receive(message);
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void receive(ReplicaMessage message) throws IOException {
    HostedRegion region = regions.find(message.region());
    if (!region.isReplica()) {
      throw new DoNotRetryIOException(region + " is no replica");
    }
    Optional<ReplicaRegion> replica = region.replica();
    if (message.batch().isPresent() && replica.isPresent()) {
      replica.get().apply(message.batch().get());
    }
    if (message.files().isPresent()) {
      FilesNotice files = message.files().get();
      refresh.refresh(region, files.flushed());
      replica.ifPresent(open -> open.heard(files.currentSequence()));
    }
  }
}
