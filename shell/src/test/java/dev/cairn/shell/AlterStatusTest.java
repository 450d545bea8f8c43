package dev.cairn.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.Test;

/** {@code alter_status} with a master whose regions get the new schema one after the other. */
class AlterStatusTest {
  private static final int REGIONS = 3;

  /** The regions that still have the old schema, by question. */
  private final Queue<Integer> old = new ArrayDeque<>(List.of(3, 1, 0));

  @Test
  void itPrintsTheUpdatedRegionsUntilAllAre() throws IOException {
    try (ScriptedShell shell = new ScriptedShell(this::connection, false)) {
      assertThat(shell.run("alter_status 't'"))
          .isEqualTo(
              """
              0/3 regions updated.
              2/3 regions updated.
              3/3 regions updated.
              Done.
              """);
    }
    assertThat(old).isEmpty();
  }

  private Connection connection() {
    Admin admin =
        stub(
            Admin.class,
            (proxy, method, arguments) -> {
              if (method.getName().equals("getAlterStatus")) {
                assertThat(arguments).containsExactly(TableName.valueOf("t"));
                return new Pair<>(old.remove(), REGIONS);
              }
              return null; // close
            });
    return stub(
        Connection.class,
        (proxy, method, arguments) -> method.getName().equals("getAdmin") ? admin : null);
  }

  private static <T> T stub(Class<T> type, InvocationHandler answers) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, answers));
  }
}
