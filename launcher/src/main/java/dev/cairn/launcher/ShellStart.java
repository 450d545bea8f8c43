package dev.cairn.launcher;

import dev.cairn.shell.ShellArguments;
import dev.cairn.shell.ShellProgram;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
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
import org.apache.hbase.thirdparty.io.netty.util.internal.logging.InternalLoggerFactory;
import org.apache.hbase.thirdparty.io.netty.util.internal.logging.JdkLoggerFactory;

/**
 * Starts the shell in this process. Does not use picocli, because Java's class archive lacks its
 * classes: loading them from the jars would take a tenth of the start.
 */
final class ShellStart {
  static final String NAME = "shell";

  /** Set by bin/cairn if standard input and output are a terminal. */
  private static final String CONSOLE = "cairn.console";

  /** As in HBase's shell, because a person waits. */
  private static final int RETRIES = 7;

  private static final int END_SECONDS = 1;

  private ShellStart() {}

  /**
   * Runs the shell with the process's streams, and returns its exit status.
   *
   * @throws IllegalArgumentException if the arguments are invalid
   */
  static int run(CairnCommand cairn, List<String> arguments) throws IOException {
    ShellArguments parsed = ShellArguments.parse(arguments);
    PrintStream err = System.err;
    if (parsed.debugs()) {
      cairn.logErrorsOnly();
    } else {
      cairn.logNothing();
      InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE); // saves a long search
      // HBase's client prints stack traces of its own, beside what it logs.
      System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    }
    EventLoopGroup network = new NioEventLoopGroup(1, new DefaultThreadFactory("network", true));
    try {
      return new ShellProgram(
              parsed, () -> connect(cairn, parsed, network), System.in, System.out, err)
          .run(
              new ShellProgram.Terminals(
                  Boolean.getBoolean(CONSOLE), cairn.terminal(), historyFile()));
    } finally {
      // At exit, Java waits 0.3 s for threads in system calls, such as these.
      network.shutdownGracefully(0, END_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
    }
  }

  private static Path historyFile() {
    return Path.of(System.getProperty("user.home"), ".cairn_shell_history");
  }

  private static Connection connect(
      CairnCommand cairn, ShellArguments arguments, EventLoopGroup network) throws IOException {
    Configuration configuration =
        RunningServer.find(cairn)
            .orElseThrow(
                () ->
                    new LauncherException(
                        "no server runs with these settings; bin/cairn start starts one"))
            .configuration();
    if (!cairn.siteConfig().texts().containsKey(HConstants.HBASE_CLIENT_RETRIES_NUMBER)) {
      configuration.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, RETRIES);
    }
    arguments.settings().forEach(configuration::set);
    NettyRpcClientConfigHelper.setEventLoopConfig(configuration, network, NioSocketChannel.class);
    return ConnectionFactory.createConnection(configuration);
  }
}
