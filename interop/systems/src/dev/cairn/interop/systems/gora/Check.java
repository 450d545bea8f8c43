package dev.cairn.interop.systems.gora;

import dev.cairn.interop.systems.check.Report;
import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.gora.GoraTestDriver;
import org.apache.gora.hbase.store.HBaseStore;
import org.apache.gora.store.DataStoreTestBase;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.junit.Test;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.notification.Failure;

/** Gora's own tests of stores, with HBase as the store. */
public final class Check {
  private Check() {}

  /** Arguments: the site's file, a folder for files. */
  public static void main(String[] arguments) {
    // HBase's client 1.2.3 reads only versions of this form.
    System.setProperty("java.version", "1.8.0");
    Report report = new Report();
    List<Method> methods =
        List.of(DataStoreTestBase.class.getMethods()).stream()
            .filter(method -> method.isAnnotationPresent(Test.class))
            .sorted(Comparator.comparing(Method::getName))
            .toList();
    for (var method : methods) {
      report.equal(
          "DataStoreTestBase." + method.getName(),
          "[]",
          () -> {
            Set<String> failures = new TreeSet<>();
            for (Failure failure :
                new JUnitCore().run(Request.method(Store.class, method.getName())).getFailures()) {
              failure.getException().printStackTrace();
              failures.add(String.valueOf(failure.getException()));
            }
            return failures.toString();
          });
    }
    report.end();
  }

  /** The tests, with a store in the server of the class path's configuration. */
  public static final class Store extends DataStoreTestBase {
    static {
      setTestDriver(new Driver());
    }
  }

  /** Makes stores. */
  private static final class Driver extends GoraTestDriver {
    Driver() {
      super(HBaseStore.class);
      conf = HBaseConfiguration.create();
    }

    @Override
    public void setUpClass() {
      // The server runs.
    }

    @Override
    public void tearDownClass() {
      // The server goes on.
    }
  }
}
