package dev.cairn.launcher;

import dev.cairn.server.config.SiteConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.LoggerFactory;

/**
 * Master, region server and ZooKeeper in this process: what {@code cairn standalone} does.
 *
 * @param cairn knows the settings
 * @param out told what a long start waits for, that the server serves, and where
 * @param err told that it did not stop as it should
 */
record Standalone(CairnCommand cairn, PrintWriter out, PrintWriter err) {
  /** Runs the server until it is stopped, and returns the exit status. */
  int run() throws IOException, InterruptedException {
    cairn.logAsConfigured();
    Thread logging = beginLogging();
    SiteConfig config = cairn.siteConfig();
    ProcessIdentity self = ProcessIdentity.of(ProcessHandle.current());
    DataFolder.Claim claim = cairn.dataFolder().claim();
    Database.Running server;
    try {
      logging.join(); // Before that, loggers would be substitutes.
      server =
          cairn
              .database()
              .start(config, cairn::siteConfig, claim.storage(), claim.root(), this::notice);
    } catch (IOException | RuntimeException | InterruptedException e) {
      undo(claim, e);
      throw e;
    }
    AtomicBoolean asked = new AtomicBoolean();
    Runnable stop =
        () -> {
          asked.set(true);
          stop(server, claim);
        };
    Runtime.getRuntime().addShutdownHook(new Thread(stop, "cairn-stop"));
    claim.publish(
        new ServerStatus(self, System.currentTimeMillis(), server.addresses(), cairn.logFile()));
    announce(config, server.addresses());
    if (!server.awaitStopped() && !asked.get()) {
      throw new LauncherException("the server ended by itself: its log says why");
    }
    // After an administrator's shutdown. After a signal the process ends with the status of that.
    return 0;
  }

  /**
   * Sets up logging in a thread of its own, while this one reads the settings and takes the data
   * folder, which log nothing: it opens all jars, to find who logs, and reads a file of its own.
   */
  private static Thread beginLogging() {
    Thread thread = new Thread(LoggerFactory::getILoggerFactory, "cairn-log");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void notice(String line) {
    out.println(StartOutput.NOTICE_PREFIX + line);
    out.flush();
  }

  private void announce(SiteConfig config, Addresses addresses) {
    out.println(StartOutput.SERVES);
    Descriptions.print(addresses, out);
    Exposure.of(config, addresses).print(out);
    Descriptions.line("data folder", cairn.dataFolder().path(), out);
    out.flush();
  }

  private void stop(Database.Running server, DataFolder.Claim claim) {
    try (claim) {
      server.close();
    } catch (IOException | RuntimeException e) {
      err.println(DetachedServer.ERROR_PREFIX + "stopping failed: " + Failures.reason(e));
      err.flush();
    }
  }

  private static void undo(DataFolder.Claim claim, Exception failure) {
    try {
      claim.undo();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }
}
