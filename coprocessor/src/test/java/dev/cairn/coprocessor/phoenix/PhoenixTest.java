package dev.cairn.coprocessor.phoenix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Runs SQL with Apache Phoenix: its JDBC driver is the client, and its coprocessors, which its
 * tables name, run in the server.
 */
class PhoenixTest {
  private static CairnServer server;
  private static Connection connection;
  private static Statement statement;

  @BeforeAll
  static void connect() throws IOException, SQLException {
    server = CairnServer.start();
    connection =
        DriverManager.getConnection("jdbc:phoenix:" + server.endpoints().zooKeeper() + ":/hbase");
    connection.setAutoCommit(true);
    statement = connection.createStatement();
  }

  @AfterAll
  static void close() throws IOException, SQLException {
    try (CairnServer closed = server) {
      assertThat(closed).isNotNull();
      if (connection != null) {
        connection.close();
      }
    }
  }

  @Test
  void queriesGroupOrderAndJoin() throws SQLException {
    execute("CREATE TABLE city (id INTEGER PRIMARY KEY, name VARCHAR)");
    execute("CREATE TABLE person (id INTEGER PRIMARY KEY, city INTEGER, age BIGINT)");
    execute("UPSERT INTO city VALUES (1, 'Oslo')");
    execute("UPSERT INTO city VALUES (2, 'Turin')");
    for (int i = 1; i <= 6; i++) {
      execute("UPSERT INTO person VALUES (" + i + ", " + (i % 3 + 1) + ", " + i * 10 + ")");
    }

    assertThat(rows("SELECT COUNT(*), SUM(age), MIN(age), AVG(age) FROM person"))
        .containsExactly("6,210,10,35");
    assertThat(rows("SELECT city, SUM(age) FROM person GROUP BY city ORDER BY city DESC"))
        .containsExactly("3,70", "2,50", "1,90");
    assertThat(rows("SELECT id FROM person WHERE age > 20 ORDER BY age DESC LIMIT 2"))
        .containsExactly("6", "5");
    String join =
        "person.id, name FROM person LEFT JOIN city ON person.city = city.id ORDER BY person.id";
    List<String> joined = List.of("1,Turin", "2,null", "3,Oslo", "4,Turin", "5,null", "6,Oslo");
    assertThat(rows("SELECT " + join)).isEqualTo(joined);
    assertThat(rows("SELECT /*+ USE_SORT_MERGE_JOIN */ " + join)).isEqualTo(joined);

    execute("DELETE FROM person WHERE city = 3");
    assertThat(rows("SELECT COUNT(*) FROM person")).containsExactly("4");
    execute("DROP TABLE person");
    assertThatThrownBy(() -> rows("SELECT * FROM person"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("Table undefined");
  }

  @Test
  void aGlobalIndexFollowsTheTableAndAnswersQueries() throws SQLException {
    execute("CREATE TABLE item (id INTEGER PRIMARY KEY, kind VARCHAR, price BIGINT)");
    execute("UPSERT INTO item VALUES (1, 'nail', 3)");
    execute("UPSERT INTO item VALUES (2, 'saw', 40)");
    execute(
        "CREATE INDEX item_kind ON item (kind) INCLUDE (price)"); // of the rows that are there, too
    execute("UPSERT INTO item VALUES (3, 'nail', 4)");
    execute("UPSERT INTO item VALUES (1, 'nail', 5)");
    execute("UPSERT INTO item VALUES (2, 'nail', 6)");
    execute("DELETE FROM item WHERE id = 3");

    String query = "SELECT price FROM item WHERE kind = 'nail' ORDER BY price";
    assertThat(String.join("\n", rows("EXPLAIN " + query)))
        .contains("RANGE SCAN OVER ITEM_KIND ['nail']");
    assertThat(rows(query)).containsExactly("5", "6");
    assertThat(rows(query.replace("SELECT", "SELECT /*+ NO_INDEX */"))).containsExactly("5", "6");
    assertThat(rows("SELECT COUNT(*) FROM item_kind")).containsExactly("2");
  }

  @Test
  void localIndexesAreRefused() throws SQLException {
    execute("CREATE TABLE place (id INTEGER PRIMARY KEY, name VARCHAR)");
    execute("UPSERT INTO place VALUES (1, 'quay')");

    assertThatThrownBy(() -> execute("CREATE LOCAL INDEX place_name ON place (name)"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("Cairn does not support the local indexes of Apache Phoenix");
    assertThat(rows("SELECT id FROM place WHERE name = 'quay'")).containsExactly("1");
  }

  @Test
  void conditionalUpsertsDecideOnTheServer() throws SQLException {
    execute("CREATE TABLE visit (page VARCHAR PRIMARY KEY, n BIGINT)");
    for (int i = 0; i < 3; i++) {
      execute("UPSERT INTO visit VALUES ('/', 1) ON DUPLICATE KEY UPDATE n = n + 1");
    }
    execute("UPSERT INTO visit VALUES ('/', 9) ON DUPLICATE KEY IGNORE");

    assertThat(rows("SELECT * FROM visit")).containsExactly("/,3");
  }

  @Test
  void sequencesCount() throws SQLException {
    execute("CREATE SEQUENCE ticket START 5 INCREMENT BY 2");

    assertThat(rows("SELECT NEXT VALUE FOR ticket")).containsExactly("5");
    assertThat(rows("SELECT NEXT VALUE FOR ticket")).containsExactly("7");
  }

  @Test
  void viewsAddColumnsAndShareTheTable() throws SQLException {
    execute("CREATE TABLE event (id INTEGER PRIMARY KEY, kind VARCHAR) SALT_BUCKETS = 2");
    execute("CREATE VIEW alarm (level INTEGER) AS SELECT * FROM event WHERE kind = 'alarm'");
    execute("UPSERT INTO alarm (id, level) VALUES (1, 4)");
    execute("UPSERT INTO event VALUES (2, 'note')");

    assertThat(rows("SELECT id, level FROM alarm")).containsExactly("1,4");
    assertThat(rows("SELECT * FROM event ORDER BY id")).containsExactly("1,alarm", "2,note");
  }

  private static void execute(String sql) throws SQLException {
    statement.execute(sql);
  }

  /** Returns the rows of a query, their values separated by commas. */
  private static List<String> rows(String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (ResultSet result = statement.executeQuery(sql)) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        List<String> values = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          values.add(result.getString(i));
        }
        rows.add(String.join(",", values));
      }
    }
    return rows;
  }
}
