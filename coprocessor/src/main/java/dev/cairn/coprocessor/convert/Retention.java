package dev.cairn.coprocessor.convert;

import dev.cairn.engine.schema.FamilySchema;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.ColumnFamilySchema;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** Which cells a read or a rewrite of a family keeps, as hooks set it. */
public final class Retention {
  private Retention() {}

  /**
   * Returns the family that keeps the cells that {@code wanted} says.
   *
   * @param family the family as it is
   * @param stored what HBase's hooks were shown of it
   * @param wanted what they made of it; a TTL is rounded up to seconds
   * @return {@code family} itself if they changed nothing
   */
  public static FamilySchema of(FamilySchema family, ScanInfo stored, ScanInfo wanted) {
    Map<String, String> changes = new TreeMap<>();
    int versions = Math.max(1, wanted.getMaxVersions());
    int least = Math.max(0, Math.min(versions, wanted.getMinVersions()));
    if (wanted.getMaxVersions() != stored.getMaxVersions()
        || wanted.getMinVersions() != stored.getMinVersions()) {
      changes.put("VERSIONS", Integer.toString(versions));
      changes.put("MIN_VERSIONS", Integer.toString(least));
    }
    if (wanted.getTtl() != stored.getTtl()) {
      changes.put("TTL", Integer.toString(seconds(wanted.getTtl())));
    }
    if (wanted.getKeepDeletedCells() != stored.getKeepDeletedCells()) {
      changes.put("KEEP_DELETED_CELLS", wanted.getKeepDeletedCells().name());
    }
    return changes.isEmpty() ? family : with(family.message(), changes);
  }

  private static int seconds(long millis) {
    long up = TimeUnit.MILLISECONDS.toSeconds(millis);
    up += TimeUnit.SECONDS.toMillis(up) < millis ? 1 : 0;
    return (int) Math.max(1, Math.min(HConstants.FOREVER, up));
  }

  private static FamilySchema with(ColumnFamilySchema message, Map<String, String> changes) {
    ColumnFamilySchema.Builder changed = message.toBuilder().clearAttributes();
    for (BytesBytesPair pair : message.getAttributesList()) {
      if (!changes.containsKey(pair.getFirst().toStringUtf8())) {
        changed.addAttributes(pair);
      }
    }
    changes.forEach(
        (name, value) ->
            changed.addAttributes(
                BytesBytesPair.newBuilder()
                    .setFirst(ByteString.copyFromUtf8(name))
                    .setSecond(ByteString.copyFromUtf8(value))));
    return new FamilySchema(changed.build());
  }
}
