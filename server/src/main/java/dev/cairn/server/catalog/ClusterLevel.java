package dev.cairn.server.catalog;

import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameStringPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStartupRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStartupResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;

/**
 * The level of what the masters and region servers of a cluster must agree on: messages, orders,
 * and data that one of them writes and another one reads. A version that changes it in a way that
 * earlier versions do not understand has the next level.
 *
 * <p>Two versions may run in one cluster if the level of each is at least the minimum of the other.
 * A region server sends both numbers when it reports for duty, in a field that HBase does not have;
 * the master answers with its own, and keeps them in its store for the masters after it. A version
 * that sends none has level 0.
 *
 * @param own the level of this process
 * @param min the minimum level of the other processes
 */
public record ClusterLevel(int own, int min) {
  /** The level of this version. */
  public static final int OWN = 1;

  /** The minimum level with which this version works: that of versions without levels. */
  private static final int MIN = 0;

  /** The minimum level of the other masters and region servers. */
  public static final ConfigKey<Long> MIN_KEY =
      ConfigKey.number(
          "cairn.cluster.level.min",
          MIN,
          MIN,
          Integer.MAX_VALUE,
          "Minimum cluster level of the masters and region servers that work with this process."
              + " A higher number than the default keeps older versions out. UPGRADE.md lists the"
              + " levels of all versions.");

  private static final String ANSWER_OWN = "cairn.cluster.level";
  private static final String ANSWER_MIN = "cairn.cluster.level.min";

  /** The number of the field, with two varints: level and minimum. */
  private static final int FIELD = 1000;

  /** The level of a version that sends none. */
  private static final ClusterLevel NONE = new ClusterLevel(0, 0);

  /** Two processes cannot work together. */
  public static final class IncompatibleLevelException extends DoNotRetryIOException {
    /** Creates the exception. */
    public IncompatibleLevelException(String message) {
      super(message);
    }
  }

  /** Returns the level of this version with the defaults. */
  public static ClusterLevel defaults() {
    return new ClusterLevel(OWN, MIN);
  }

  /** Returns the level of this version in a site. */
  public static ClusterLevel of(SiteConfig config) {
    return new ClusterLevel(OWN, config.get(MIN_KEY).intValue());
  }

  /** Adds this level to a region server's report for duty. */
  public RegionServerStartupRequest addTo(RegionServerStartupRequest request) {
    return request.toBuilder()
        .setUnknownFields(
            UnknownFieldSet.newBuilder()
                .addField(
                    FIELD, UnknownFieldSet.Field.newBuilder().addVarint(own).addVarint(min).build())
                .build())
        .build();
  }

  /** Returns the level of the region server that reports for duty. */
  public static ClusterLevel of(RegionServerStartupRequest request) {
    List<Long> numbers = request.getUnknownFields().getField(FIELD).getVarintList();
    return numbers.size() < 2
        ? NONE
        : new ClusterLevel(numbers.get(0).intValue(), numbers.get(1).intValue());
  }

  /** Adds this level to a master's answer. */
  public void addTo(RegionServerStartupResponse.Builder response) {
    response
        .addMapEntries(pair(ANSWER_OWN, Integer.toString(own)))
        .addMapEntries(pair(ANSWER_MIN, Integer.toString(min)));
  }

  private static NameStringPair pair(String name, String value) {
    return NameStringPair.newBuilder().setName(name).setValue(value).build();
  }

  /** Returns the level of the master that has answered. */
  public static ClusterLevel of(RegionServerStartupResponse response) {
    int own = NONE.own;
    int min = NONE.min;
    for (NameStringPair pair : response.getMapEntriesList()) {
      if (pair.getName().equals(ANSWER_OWN)) {
        own = Integer.parseInt(pair.getValue());
      } else if (pair.getName().equals(ANSWER_MIN)) {
        min = Integer.parseInt(pair.getValue());
      }
    }
    return new ClusterLevel(own, min);
  }

  /** Returns the text for the master's store. */
  public String text() {
    return own + " " + min;
  }

  /** Reads {@link #text}. */
  public static ClusterLevel parse(String text) {
    String[] numbers = text.split(" ", -1);
    return new ClusterLevel(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
  }

  /**
   * Checks that this process and another one work together.
   *
   * @param self this process, in the middle of a sentence
   * @param theirs the other one
   */
  public void check(String self, String theirs, ClusterLevel other)
      throws IncompatibleLevelException {
    if (other.own < min) {
      throw refusal(self, this, theirs, other);
    }
    if (own < other.min) {
      throw refusal(theirs, other, self, this);
    }
  }

  private static IncompatibleLevelException refusal(
      String strict, ClusterLevel wants, String low, ClusterLevel has) {
    String subject = low.substring(0, 1).toUpperCase(Locale.ROOT) + low.substring(1);
    return new IncompatibleLevelException(
        "%s has cluster level %d, and %s works with level %d or higher only (%s). Both versions"
                .formatted(subject, has.own, strict, wants.min, MIN_KEY.name())
            + " cannot run in one cluster; UPGRADE.md tells how to replace one by the other");
  }
}
