package dev.cairn.coprocessor.phoenix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.keys.KeyFormat;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The keys of Phoenix's tables, salted or not, are those of formats that name the same types. */
class PhoenixKeysTest {
  private static final int ROWS = 150;

  private static CairnServer server;
  private static Connection connection;
  private static org.apache.hadoop.hbase.client.Connection client;

  private final long seed = Long.getLong("cairn.seed", System.nanoTime());
  private final Random random = new Random(seed);

  /** A type of SQL, and values of it. */
  private record Column(String type, Function<Random, Object> draw) {
    /** Only columns of variable length can be null in a key. */
    boolean isVariable() {
      return type.equals("VARCHAR") || type.equals("DECIMAL");
    }

    String part() {
      return "phoenix_" + type.toLowerCase(Locale.ROOT);
    }
  }

  private static final Column VARCHAR = column("VARCHAR", "", "a", "ab", "b", "\u00e9");
  private static final List<Column> COLUMNS =
      List.of(
          column("TINYINT", (byte) 0, (byte) -1, Byte.MIN_VALUE, Byte.MAX_VALUE),
          column("SMALLINT", (short) 0, (short) -1, Short.MIN_VALUE, Short.MAX_VALUE),
          column("INTEGER", 0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE),
          column("BIGINT", 0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE),
          VARCHAR,
          column("UNSIGNED_TINYINT", (byte) 0, (byte) 1, Byte.MAX_VALUE),
          column("UNSIGNED_SMALLINT", (short) 0, (short) 256, Short.MAX_VALUE),
          column("UNSIGNED_INT", 0, 65_536, Integer.MAX_VALUE),
          column("UNSIGNED_LONG", 0L, 1L << 40, Long.MAX_VALUE),
          column("DECIMAL", decimals("0 1 -1 0.1 -0.1 12.34 -12.34 100 1E20 -1E-20 99.99")),
          column("FLOAT", 0f, -1f, Float.MAX_VALUE, Float.MIN_VALUE),
          column("DOUBLE", 0d, -1d, 0.1, Double.MAX_VALUE, -Double.MIN_VALUE),
          column("BOOLEAN", true, false),
          column("DATE", new Date(0), new Date(-5), new Date(1_700_000_000_123L)),
          column("TIME", new Time(0), new Time(-5), new Time(1_700_000_000_123L)),
          column("UNSIGNED_DATE", new Date(0), new Date(1_700_000_000_123L)),
          column("TIMESTAMP", new Timestamp(0), timestamp(-5, 7), timestamp(1_700_000_000_123L, 9)),
          column("CHAR(4)", "a", "abc", "abcd", "b"),
          column("BINARY(3)", new byte[] {0, 1, 2}, new byte[] {-1, 0, 0}, new byte[] {1, 1, 1}));

  private static Column column(String type, Object... values) {
    return new Column(type, random -> values[random.nextInt(values.length)]);
  }

  private static Object[] decimals(String texts) {
    return List.of(texts.split(" ")).stream().map(BigDecimal::new).toArray();
  }

  private static Timestamp timestamp(long millis, int nanosAfter) {
    Timestamp timestamp = new Timestamp(millis);
    timestamp.setNanos(timestamp.getNanos() + nanosAfter);
    return timestamp;
  }

  @BeforeAll
  static void connect() throws IOException, SQLException {
    server = CairnServer.start();
    client = server.connect();
    connection =
        DriverManager.getConnection("jdbc:phoenix:" + server.endpoints().zooKeeper() + ":/hbase");
    connection.setAutoCommit(true);
  }

  @AfterAll
  static void close() throws IOException, SQLException {
    try (CairnServer closed = server) {
      assertThat(closed).isNotNull();
      if (connection != null) {
        connection.close();
      }
      client.close();
    }
  }

  @Test
  void ascendingKeys() throws Exception {
    check("ascending", "", COLUMNS, "");
    check("ascending_salted", "", COLUMNS, "phoenix_salt(8), ");
  }

  @Test
  void descendingKeys() throws Exception {
    check("descending", " DESC", COLUMNS, "");
    check("descending_salted", " DESC", COLUMNS, "phoenix_salt(200), ");
  }

  @Test
  void theLastColumnOfVariableLength() throws Exception {
    Column decimal = COLUMNS.get(9);
    check("one_varchar", "", List.of(VARCHAR, decimal, VARCHAR), "phoenix_salt(3), ");
    check("one_decimal", " DESC", List.of(VARCHAR, decimal), "phoenix_salt(3), ");
  }

  private void check(String table, String order, List<Column> columns, String salt)
      throws Exception {
    List<Column> all = new ArrayList<>(columns);
    all.add(VARCHAR);
    create(table, order, all, salt);
    StringBuilder text = new StringBuilder(salt);
    for (int i = 0; i < all.size(); i++) {
      text.append(i == 0 ? "" : ", ").append("c" + i + " ").append(all.get(i).part());
      text.append(order.toLowerCase(Locale.ROOT));
    }
    KeyFormat format = KeyFormat.parse(text.toString());
    Map<String, String> expected = new TreeMap<>();
    String marks = all.stream().map(column -> "?").collect(Collectors.joining(", "));
    try (PreparedStatement upsert =
        connection.prepareStatement("UPSERT INTO " + table + " VALUES (" + marks + ", 1)")) {
      for (int row = 0; row < ROWS; row++) {
        Object[] values = new Object[all.size()];
        for (int i = 0; i < values.length; i++) {
          Object drawn = all.get(i).draw().apply(random);
          boolean isNull =
              i + 1 < values.length && all.get(i).isVariable() && random.nextInt(9) == 0;
          boolean isRefused = i + 1 == values.length && drawn.equals("");
          values[i] = isNull ? null : isRefused ? "x" : drawn;
          upsert.setObject(i + 1, values[i]);
          values[i] = keyValue(values[i]);
        }
        upsert.executeUpdate();
        byte[] key = format.encode(values);
        expected.put(Bytes.toHex(key), format.print(key));
      }
    }
    assertThat(rows(format, table)).describedAs("seed " + seed).isEqualTo(expected);
  }

  private static void create(String table, String order, List<Column> columns, String salt)
      throws SQLException {
    StringBuilder sql = new StringBuilder("CREATE TABLE " + table + " (");
    for (int i = 0; i < columns.size(); i++) {
      sql.append(
          "c"
              + i
              + " "
              + columns.get(i).type()
              + (columns.get(i).isVariable() ? ", " : " NOT NULL, "));
    }
    sql.append("v INTEGER CONSTRAINT pk PRIMARY KEY (");
    for (int i = 0; i < columns.size(); i++) {
      sql.append(i == 0 ? "" : ", ").append("c" + i + order);
    }
    sql.append("))");
    if (!salt.isEmpty()) {
      sql.append(" SALT_BUCKETS=" + salt.replaceAll("[^0-9]", ""));
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql.toString());
    }
  }

  private static Object keyValue(Object value) {
    if (value instanceof Timestamp timestamp) {
      return timestamp.toInstant();
    }
    return value instanceof java.util.Date date ? Instant.ofEpochMilli(date.getTime()) : value;
  }

  private static Map<String, String> rows(KeyFormat format, String table) throws IOException {
    Map<String, String> rows = new TreeMap<>();
    TableName name = TableName.valueOf(table.toUpperCase(Locale.ROOT));
    try (Table scanned = client.getTable(name);
        ResultScanner scanner = scanned.getScanner(new Scan())) {
      for (Result row : scanner) {
        rows.put(Bytes.toHex(row.getRow()), format.print(row.getRow()));
      }
    }
    return rows;
  }
}
