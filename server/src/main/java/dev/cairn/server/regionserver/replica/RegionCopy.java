package dev.cairn.server.regionserver.replica;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.replica.ReplicaLink.Location;

/** Tracks the messages that one replica of a region of this server has. Not thread-safe. */
final class RegionCopy {
  private final RegionInfo replica;
  private final ServerName server;
  private final Attempts attempts = new Attempts();
  private long sequence = -1;
  private long toldVersion = -1;
  private boolean isAlone;

  RegionCopy(RegionInfo replica, ServerName server) {
    this.replica = replica;
    this.server = server;
  }

  RegionInfo replica() {
    return replica;
  }

  ServerName server() {
    return server;
  }

  boolean isAt(Location location) {
    return replica.equals(location.replica()) && server.equals(location.server());
  }

  Attempts attempts() {
    return attempts;
  }

  /** Returns the number up to which the replica has every logged change; -1 if it is unknown. */
  long sequence() {
    return sequence;
  }

  /** Tells whether the replica has been told of files. Only then is its sequence number known. */
  boolean isKnown() {
    return sequence >= 0;
  }

  /** Returns the version of the files that the replica was last told of; -1 if it must be told. */
  long toldVersion() {
    return toldVersion;
  }

  /**
   * Tells whether each message to the replica is sent in a call of its own, because a call with
   * several messages failed.
   */
  boolean isAlone() {
    return isAlone;
  }

  void delivered(long version, long upTo) {
    toldVersion = version;
    sequence = Math.max(sequence, upTo);
    isAlone = false;
    attempts.succeeded();
  }

  /** Notes that a call with messages to this and other replicas failed. */
  void perhapsRefused() {
    isAlone = true;
  }

  void refused(long nowMillis) {
    sequence = -1;
    toldVersion = -1;
    attempts.failed(nowMillis);
  }

  void unreached(long nowMillis) {
    toldVersion = -1;
    attempts.failed(nowMillis);
  }
}
