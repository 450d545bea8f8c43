package dev.cairn.studies.joins;

import dev.cairn.studies.FactWriter;
import dev.cairn.studies.NewTable;
import java.io.IOException;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * SQL by Apache Phoenix, which has tables and an index of its own. Its driver must be on the class
 * path, and its classes on that of the servers.
 *
 * @param hint for the queries, to choose the join
 */
record PhoenixJoin(String name, String hint) implements Join {
  private static final String DRIVER = "org.apache.phoenix.jdbc.PhoenixDriver";
  private static final List<String> TABLES =
      List.of("JOIN_CUSTOMERS", "JOIN_ORDERS", "JOIN_ORDERS_BY_PRODUCT");

  /** Returns the joins. */
  static List<PhoenixJoin> all() {
    return List.of(
        new PhoenixJoin("Phoenix, hash join", ""),
        new PhoenixJoin("Phoenix, sort-merge join", "/*+ USE_SORT_MERGE_JOIN */ "));
  }

  @Override
  public Optional<String> missing() {
    try {
      Class.forName(DRIVER);
      return Optional.empty();
    } catch (ClassNotFoundException e) {
      return Optional.of("Apache Phoenix on HBASE_CLASSPATH (docs/PHOENIX.md)");
    }
  }

  @Override
  public String layout() {
    return "tables of Phoenix: customers (id; name, country), orders (customer, id; product,"
        + " amount), a global index of product that includes amount";
  }

  @Override
  public Object storage() {
    return PhoenixJoin.class;
  }

  @Override
  public List<NewTable> tables(long facts) {
    return TABLES.stream()
        .map(
            name ->
                new NewTable(TableDescriptorBuilder.newBuilder(TableName.valueOf(name)).build()))
        .toList();
  }

  @Override
  public void create(Connection connection, long facts) throws IOException {
    drop(connection, facts);
    execute(
        connection,
        "CREATE TABLE join_customers (id VARCHAR PRIMARY KEY, name VARCHAR, country VARCHAR)"
            + split(facts),
        "CREATE TABLE join_orders (customer VARCHAR NOT NULL, id BIGINT NOT NULL, product VARCHAR,"
            + " amount BIGINT, CONSTRAINT pk PRIMARY KEY (customer, id))"
            + split(facts),
        "CREATE INDEX join_orders_by_product ON join_orders (product) INCLUDE (amount)");
  }

  private static String split(long facts) {
    List<String> keys =
        TwoTables.splits(facts).stream().map(key -> "'" + Bytes.toString(key) + "'").toList();
    return keys.isEmpty() ? "" : " SPLIT ON (" + String.join(", ", keys) + ")";
  }

  @Override
  public void drop(Connection connection, long facts) throws IOException {
    execute(connection, "DROP TABLE IF EXISTS join_orders", "DROP TABLE IF EXISTS join_customers");
  }

  private static void execute(Connection connection, String... statements) throws IOException {
    try (java.sql.Connection phoenix = connect(connection);
        Statement statement = phoenix.createStatement()) {
      for (String one : statements) {
        statement.execute(one);
      }
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  private static java.sql.Connection connect(Connection connection) throws SQLException {
    Configuration hbase = connection.getConfiguration();
    Properties settings = new Properties();
    // An index of an empty table is complete at once.
    settings.setProperty("phoenix.index.population.wait.time", "0");
    return DriverManager.getConnection(
        "jdbc:phoenix:%s:%s:%s"
            .formatted(
                hbase.get("hbase.zookeeper.quorum"),
                hbase.get("hbase.zookeeper.property.clientPort", "2181"),
                hbase.get("zookeeper.znode.parent", "/hbase")),
        settings);
  }

  @Override
  public FactWriter<Fact> writer(Connection connection) throws IOException {
    try {
      return new PhoenixWriter(connect(connection));
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  @Override
  public List<?> answer(Connection connection, Ask asked) throws IOException {
    Line.Answer answer = new Line.Answer(asked.summed());
    try (java.sql.Connection phoenix = connect(connection);
        PreparedStatement query = phoenix.prepareStatement(query(asked))) {
      List<String> parameters =
          Stream.of(asked.from(), asked.to(), asked.from(), asked.to(), asked.product())
              .flatMap(Optional::stream)
              .toList();
      for (int i = 0; i < parameters.size(); i++) {
        query.setString(i + 1, parameters.get(i));
      }
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          if (asked.summed()) {
            answer.add(rows.getString(1), rows.getLong(2));
          } else {
            answer.accept(
                new Line(
                    rows.getString(1),
                    rows.getLong(2),
                    rows.getString(3),
                    rows.getString(4),
                    rows.getString(5),
                    rows.getLong(6)));
          }
        }
      }
      return answer.list();
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  private String query(Ask asked) {
    String join = " FROM join_orders AS o JOIN join_customers AS c ON o.customer = c.id";
    if (asked.summed()) {
      return "SELECT " + hint + "c.country, SUM(o.amount)" + join + " GROUP BY c.country";
    }
    return "SELECT "
        + hint
        + "o.customer, o.id, c.name, c.country, o.product, o.amount"
        + join
        + (asked.product().isPresent()
            ? " WHERE o.product = ?"
            // Of both tables: Phoenix would read all customers otherwise.
            : " WHERE o.customer >= ? AND o.customer < ? AND c.id >= ? AND c.id < ?");
  }

  @Override
  public void rename(Connection connection, Fact.Customer renamed) throws IOException {
    try (PhoenixWriter writer = new PhoenixWriter(connect(connection))) {
      writer.write(renamed);
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }
}
