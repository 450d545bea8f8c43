package dev.cairn.server.request;

import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** A request that concerns one region. */
public interface RegionRequest {
  /** Returns the region's full or encoded name, which may lie in the message. */
  ByteString regionName();

  /** Tells whether {@link #regionName} is the encoded name. */
  boolean hasEncodedName();

  /** Returns the region's name in protobuf's form. */
  default RegionSpecifier region() {
    return RegionSpecifier.newBuilder()
        .setType(
            hasEncodedName()
                ? RegionSpecifierType.ENCODED_REGION_NAME
                : RegionSpecifierType.REGION_NAME)
        .setValue(regionName())
        .build();
  }
}
