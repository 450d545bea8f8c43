package dev.cairn.launcher.run;

import dev.cairn.launcher.control.StartOutput;
import dev.cairn.launcher.folder.DataFolder;
import dev.cairn.launcher.folder.SiteFolders;
import dev.cairn.launcher.output.Descriptions;
import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.process.Addresses;
import dev.cairn.launcher.process.ProcessIdentity;
import dev.cairn.launcher.process.ServerStatus;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.launcher.site.Database;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.log.ServerLog;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.LoggerFactory;

/**
 * Master, region server and ZooKeeper in this process: what {@code cairn standalone} does.
 *
 * @param cairn knows the settings
 * @param out receives the reasons for a long start, and the addresses once the server serves
 * @param err receives a message if the server did not stop cleanly
 */
public record Standalone(CommandContext cairn, PrintWriter out, PrintWriter err) {
  /** Runs the server until it is stopped, and returns the exit status. */
  public int run() throws IOException, InterruptedException {
    cairn.logAsConfigured();
    Thread logging = beginLogging();
    SiteConfig config = cairn.siteConfig();
    ProcessIdentity self = ProcessIdentity.of(ProcessHandle.current());
    DataFolder.Claim claim = new SiteFolders(cairn).data().claim();
    AtomicReference<Database.Running> server = new AtomicReference<>();
    try {
      logging.join(); // Before that, loggers would be substitutes.
      server.set(start(config, claim));
    } catch (IOException | RuntimeException | InterruptedException e) {
      undo(claim, e);
      throw e;
    }
    AtomicBoolean asked = new AtomicBoolean();
    Runnable stop =
        () -> {
          asked.set(true);
          stop(server.get(), claim);
        };
    Runtime.getRuntime().addShutdownHook(new Thread(stop, "cairn-stop"));
    Restarts restarts = new Restarts(this::notice);
    while (true) {
      Addresses addresses = server.get().addresses();
      claim.publish(new ServerStatus(self, System.currentTimeMillis(), addresses, cairn.logFile()));
      announce(config, addresses);
      if (server.get().awaitStopped() || asked.get()) {
        // After an administrator's shutdown. A signal ends the process with a status of its own.
        return 0;
      }
      if (!server.get().mayStartAgain()) {
        throw new LauncherException("the server ended by itself: its log says why");
      }
      Database.Running ended = server.get();
      ended.close();
      server.set(restarts.start(ended.failure().orElse("The server has ended"), ended::startAgain));
    }
  }

  private Database.Running start(SiteConfig config, DataFolder.Claim claim)
      throws IOException, InterruptedException {
    return cairn
        .database()
        .start(config, cairn::readSiteConfig, claim.storage(), claim.root(), this::notice);
  }

  /**
   * Sets up logging in a thread of its own, while this one reads the settings and takes the data
   * folder, which log nothing: it opens all jars to find the logging library, and reads a file of
   * its own.
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
    Descriptions.line("data folder", new SiteFolders(cairn).data().path(), out);
    out.flush();
  }

  private void stop(Database.Running server, DataFolder.Claim claim) {
    try (claim) {
      server.close();
    } catch (IOException | RuntimeException e) {
      err.println(Failures.ERROR_PREFIX + "stopping failed: " + Failures.reason(e));
      err.flush();
    }
    ServerLog.writeCounts();
  }

  private static void undo(DataFolder.Claim claim, Exception failure) {
    try {
      claim.undo();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
    ServerLog.writeCounts();
  }
}
