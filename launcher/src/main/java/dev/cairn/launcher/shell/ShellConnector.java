package dev.cairn.launcher.shell;

import dev.cairn.launcher.client.RunningServer;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.shell.run.Session;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.ipc.NettyRpcClientConfigHelper;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;
import org.apache.hbase.thirdparty.io.netty.util.concurrent.DefaultThreadFactory;

/**
 * Opens connections for a shell. The first one opens while the shell starts, or waits for the first
 * statement. For one thread at a time. {@link #close} ends the network thread and leaves the
 * connection open.
 */
final class ShellConnector implements Session.Connector, AutoCloseable {
  /** As in HBase's shell, because a person waits. */
  private static final int RETRIES = 7;

  private static final int END_SECONDS = 1;

  private final CommandContext cairn;
  private final Map<String, String> settings;
  private final ClassLoader loader = new ClientClassLoader(ShellConnector.class.getClassLoader());
  private Optional<EventLoopGroup> network = Optional.empty();
  private boolean begun;

  /** The connection that {@link #begin} opens, until {@link #connect} returns it. */
  private Optional<FutureTask<Connection>> early = Optional.empty();

  /**
   * Creates a connector.
   *
   * @param settings keys of {@code hbase-site.xml} that replace those of the site
   */
  ShellConnector(CommandContext cairn, Map<String, String> settings) {
    this.cairn = cairn;
    this.settings = settings;
  }

  /** Begins to connect on other threads; later calls do nothing. */
  @Override
  public void begin() {
    if (begun) {
      return;
    }
    begun = true;
    run("messages", ClientClasses::describeMessages);
    run(
        "network",
        () -> {
          network();
          ClientClasses.findUser();
        });
    FutureTask<Connection> task = new FutureTask<>(this::open);
    run("connect", task);
    early = Optional.of(task);
  }

  private void run(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.setContextClassLoader(loader);
    thread.start();
  }

  /**
   * Returns the connection that {@link #begin} opens; later calls open new ones. If the early
   * connection failed before this call, opens a new one: the server may have started since.
   *
   * @throws InterruptedIOException if the thread is interrupted; the next call waits again
   */
  @Override
  public Connection connect() throws IOException {
    if (early.isEmpty()) {
      return open();
    }
    FutureTask<Connection> task = early.get();
    boolean ended = task.isDone();
    try {
      Connection connection = task.get();
      early = Optional.empty();
      return connection;
    } catch (InterruptedException e) {
      InterruptedIOException interrupted = new InterruptedIOException("connecting");
      interrupted.initCause(e);
      throw interrupted;
    } catch (ExecutionException e) {
      early = Optional.empty();
      if (ended) {
        return open();
      }
      if (e.getCause() instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    }
  }

  private Connection open() throws IOException {
    Configuration configuration = RunningServer.configuration(cairn, settings);
    String retries = HConstants.HBASE_CLIENT_RETRIES_NUMBER;
    if (!settings.containsKey(retries) && !cairn.siteConfig().texts().containsKey(retries)) {
      configuration.setInt(retries, RETRIES);
    }
    NettyRpcClientConfigHelper.setEventLoopConfig(configuration, network(), NioSocketChannel.class);
    return ConnectionFactory.createConnection(configuration);
  }

  private synchronized EventLoopGroup network() {
    if (network.isEmpty()) {
      network = Optional.of(new NioEventLoopGroup(1, new DefaultThreadFactory("network", true)));
    }
    return network.get();
  }

  @Override
  public synchronized void close() {
    if (network.isPresent()) {
      // At exit, Java waits 0.3 s for threads in system calls, such as these.
      network.get().shutdownGracefully(0, END_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
    }
  }
}
