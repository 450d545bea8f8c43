package dev.cairn.server.loadsplit;

import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;

/**
 * The processor time of a region server's process since its start, all threads. A region server
 * sends it to the master in a field of {@link ServerLoad} that HBase does not have, and that
 * HBase's clients ignore.
 */
public final class ProcessTime {
  /** The number of the field: a varint, nanoseconds. */
  private static final int NANOS_FIELD = 1000;

  private ProcessTime() {}

  /**
   * Adds the time to a message.
   *
   * @param nanos 0 if it is not known; nothing is added then
   */
  public static void write(ServerLoad.Builder load, long nanos) {
    if (nanos > 0) {
      load.setUnknownFields(
          UnknownFieldSet.newBuilder()
              .addField(NANOS_FIELD, UnknownFieldSet.Field.newBuilder().addVarint(nanos).build())
              .build());
    }
  }

  /** Returns the time, nanoseconds; empty if the server does not report it. */
  public static OptionalLong read(ServerLoad load) {
    List<Long> values = load.getUnknownFields().getField(NANOS_FIELD).getVarintList();
    return values.isEmpty() ? OptionalLong.empty() : OptionalLong.of(values.get(0));
  }
}
