package dev.cairn.coprocessor.environment;

import dev.cairn.server.hadoop.HadoopSettings;
import dev.cairn.server.hook.CoprocessorClass;
import dev.cairn.server.hook.HookKeys;
import dev.cairn.server.hook.ServerHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The settings and the connection that the coprocessors of a process share. Thread-safe. */
public final class ServerEnvironment implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServerEnvironment.class);

  private static final int THREADS_MAX = 4;
  private static final long THREAD_IDLE_SECONDS = 10;

  private final ServerHost host;
  private final ThreadPoolExecutor threads;
  private Configuration settings;
  private Connection connection;
  private boolean closed;

  /** Creates it without reading settings. */
  public ServerEnvironment(ServerHost host) {
    this.host = host;
    AtomicInteger number = new AtomicInteger();
    this.threads =
        new ThreadPoolExecutor(
            THREADS_MAX,
            THREADS_MAX,
            THREAD_IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread thread = new Thread(work, "coprocessor-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
  }

  /** Returns threads for hooks that come up where nothing may wait for them. */
  public Executor threads() {
    return threads;
  }

  /**
   * Returns a copy of the settings of the site, as HBase reads them: with its defaults, and the
   * current address of ZooKeeper. The keys of coprocessors differ: they name only the classes that
   * run, and make HBase's host report each failure.
   */
  public synchronized Configuration settings() {
    if (settings == null) {
      Configuration all = HBaseConfiguration.create(HadoopSettings.of(host.config()));
      host.config().texts().forEach(all::set);
      for (String key :
          List.of(
              CoprocessorHost.REGION_COPROCESSOR_CONF_KEY,
              CoprocessorHost.USER_REGION_COPROCESSOR_CONF_KEY)) {
        all.set(key, text(HookKeys.regionClasses(host.config(), key)));
      }
      all.setBoolean(CoprocessorHost.ABORT_ON_ERROR_KEY, true);
      all.set("hbase.local.dir", host.jars().toAbsolutePath().getParent().toString());
      String quorum = host.quorum().get();
      all.set("hbase.zookeeper.quorum", quorum);
      all.set("hbase.zookeeper.property.clientPort", quorum.replaceAll("(?s)^[^,]*:|,.*", ""));
      settings = all;
    }
    return new Configuration(settings);
  }

  private static String text(List<CoprocessorClass> classes) {
    return classes.stream()
        .map(
            one ->
                one.className() + "|" + one.priority() + one.jar().map(jar -> "|" + jar).orElse(""))
        .collect(Collectors.joining(","));
  }

  /**
   * Returns the connection that all coprocessors share. It is passed to them in a form that they
   * cannot close.
   */
  public synchronized Connection connection() {
    if (closed) {
      throw new IllegalStateException("the server has stopped");
    }
    if (connection == null) {
      try {
        connection = ConnectionFactory.createConnection(settings());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return connection;
  }

  /** Closes the connection. */
  @Override
  public synchronized void close() {
    closed = true;
    threads.shutdown();
    if (connection != null) {
      try {
        connection.close();
      } catch (IOException e) {
        LOG.info("The connection of coprocessors could not be closed: {}", e.toString());
      }
      connection = null;
    }
  }
}
