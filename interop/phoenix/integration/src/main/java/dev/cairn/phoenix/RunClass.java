package dev.cairn.phoenix;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.manipulation.Filter;

/**
 * Runs one class of Phoenix's tests against the server of {@code hbase-site.xml}, after it has dropped
 * all tables there.
 *
 * <p>Arguments: the class; the file of results, to which it appends; the seconds that a method may
 * take. Methods that the file has are not run again. Exit status 3: a method took too long and has been
 * given up, so the process must be started again for the rest.
 */
public final class RunClass {
  private static final Set<String> OWN_NAMESPACES = Set.of("default", "hbase");

  private RunClass() {}

  /** Runs the class. */
  public static void main(String[] arguments) throws Exception {
    Class<?> tests = Class.forName(arguments[0]);
    Results results = new Results(tests.getName(), Path.of(arguments[1]));
    Watchdog watchdog = new Watchdog(results, Integer.parseInt(arguments[2]));
    watchdog.start();
    dropTables();
    JUnitCore core = new JUnitCore();
    core.addListener(results);
    core.run(Request.aClass(tests).filterWith(new Missing(results)));
    Runtime.getRuntime().halt(0); // Phoenix's and HBase's threads go on
  }

  private static void dropTables() throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Admin admin = connection.getAdmin()) {
      for (TableName table : admin.listTableNames()) {
        if (admin.isTableEnabled(table)) {
          admin.disableTable(table);
        }
        admin.deleteTable(table);
      }
      for (NamespaceDescriptor namespace : admin.listNamespaceDescriptors()) {
        if (!OWN_NAMESPACES.contains(namespace.getName())) {
          admin.deleteNamespace(namespace.getName());
        }
      }
    }
  }

  /** Selects the methods without a result. */
  private static final class Missing extends Filter {
    private final Results results;

    Missing(Results results) {
      this.results = results;
    }

    @Override
    public boolean shouldRun(Description description) {
      return description.isTest()
          ? !results.has(description)
          : description.getChildren().stream().anyMatch(this::shouldRun);
    }

    @Override
    public String describe() {
      return "methods without a result";
    }
  }
}
