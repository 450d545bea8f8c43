package dev.cairn.studies.tsdb;

import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.KeyPattern;
import dev.cairn.keys.KeyValues;
import dev.cairn.keys.client.UidTable;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Numbers;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The keys of metrics and one tag, with numbers of three bytes for names, as in OpenTSDB.
 *
 * @param format with the parts {@code metric}, {@code time}, {@code tag} and {@code host}
 */
record SeriesKeys(KeyFormat format, Numbers numbers) {
  private static final int WIDTH = 3;
  private static final String TAG = "host";
  private static final TableName NUMBERS = TableName.valueOf("points-names");

  /** Creates keys whose times have a type, as text. */
  static SeriesKeys of(String time) {
    return new SeriesKeys(
        KeyFormat.parse("metric uid(3), time " + time + ", tag uid(3), host uid(3)"),
        new Numbers(NUMBERS));
  }

  /** Returns the table of the numbers. */
  NewTable table() {
    return numbers.table();
  }

  /** Returns the key of a point. New names get numbers. */
  byte[] key(Connection connection, Point point) throws IOException {
    UidTable names = numbers.of(connection);
    return format.encode(
        Map.of(
            "metric", names.kind("metrics", WIDTH).assign(point.metric()),
            "time", point.time(),
            "tag", names.kind("tagk", WIDTH).assign(TAG),
            "host", names.kind("tagv", WIDTH).assign(point.host())));
  }

  /** Returns the keys of all points that are asked for; nothing if a name has no number. */
  Optional<KeyPattern> pattern(Connection connection, Span asked) throws IOException {
    UidTable names = numbers.of(connection);
    OptionalLong metric = names.kind("metrics", WIDTH).find(asked.metric());
    OptionalLong tag = names.kind("tagk", WIDTH).find(TAG);
    if (metric.isEmpty() || tag.isEmpty()) {
      return Optional.empty();
    }
    KeyPattern all =
        format
            .pattern()
            .is("metric", metric.getAsLong())
            .between("time", asked.from(), asked.to())
            .is("tag", tag.getAsLong());
    if (asked.host().isEmpty()) {
      return Optional.of(all);
    }
    OptionalLong host = names.kind("tagv", WIDTH).find(asked.host().orElseThrow());
    return host.isEmpty() ? Optional.empty() : Optional.of(all.is("host", host.getAsLong()));
  }

  /** Returns the names and the time of a key, with a value. */
  Point point(Connection connection, byte[] row, int second, long value) throws IOException {
    KeyValues key = format.decode(row);
    UidTable names = numbers.of(connection);
    return new Point(
        name(names, "metrics", key.getLong("metric")),
        name(names, "tagv", key.getLong("host")),
        key.getInstant("time").plusSeconds(second),
        value);
  }

  private static String name(UidTable names, String kind, long number) throws IOException {
    return names
        .kind(kind, WIDTH)
        .name(number)
        .orElseThrow(() -> new IOException("number " + number + " of " + kind + " has no name"));
  }
}
