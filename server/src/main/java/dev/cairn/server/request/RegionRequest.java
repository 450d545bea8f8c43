package dev.cairn.server.request;

import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** A request that concerns one region. */
public interface RegionRequest {
  /** Returns the region's full or encoded name, which may lie in the message. */
  ByteString regionName();

  /** Tells whether {@link #regionName} is the encoded name. */
  boolean hasEncodedName();

  /** Tells whether a replica of the region may answer, so that the request need not wait for it. */
  default boolean isForReplicasToo() {
    return false;
  }
}
