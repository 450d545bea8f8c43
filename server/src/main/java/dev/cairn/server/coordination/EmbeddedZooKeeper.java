package dev.cairn.server.coordination;

import dev.cairn.engine.storage.LocalSync;
import dev.cairn.engine.time.Clock;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A ZooKeeper server inside this process, for a cluster that has no other. Any number may run in
 * one JVM. It has no admin server and no management beans.
 *
 * <p>With a data directory, znodes survive a restart. If a file in it is damaged, the directory is
 * set aside, and the server begins with an empty one. Without a directory, the server writes
 * nothing and keeps nothing. A client that lived while the directory was emptied, restored or
 * replaced is told that its session has expired.
 */
public final class EmbeddedZooKeeper implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedZooKeeper.class);
  private static final String FOUR_LETTER_WORDS = "zookeeper.4lw.commands.whitelist";
  static final int BACKLOG = 128;

  /**
   * The terms on which a server serves its clients.
   *
   * @param clientsPerAddressMax maximum connections from one client address, 0 for any number
   * @param tickMillis unit of ZooKeeper's times; sessions end at multiples of it
   * @param sessionMinMillis minimum session timeout
   * @param sessionMaxMillis maximum session timeout
   * @param keepSessions true if sessions outlive a restart. If all clients end with the server's
   *     process, false ends the registrations of a killed process at its next start.
   */
  public record Service(
      int clientsPerAddressMax,
      int tickMillis,
      int sessionMinMillis,
      int sessionMaxMillis,
      boolean keepSessions) {
    private static final int TICK_MILLIS = 2000;

    /** Returns the service of a server whose clients are in its own process. */
    public static Service withinProcess(int clientsPerAddressMax) {
      return new Service(clientsPerAddressMax, TICK_MILLIS, 2 * TICK_MILLIS, 180_000, false);
    }
  }

  private final EmbeddedConnections connections;
  private final ZooKeeperServer server;
  private final Optional<Path> scratch;

  private EmbeddedZooKeeper(
      EmbeddedConnections connections, ZooKeeperServer server, Optional<Path> scratch) {
    this.connections = connections;
    this.server = server;
    this.scratch = scratch;
  }

  /**
   * Starts a server whose clients are in its own process.
   *
   * @param clientsPerAddressMax how many connections one client address may have, 0 for any number
   * @param clock numbers transactions, so that no start repeats the numbers of an earlier one
   */
  public static EmbeddedZooKeeper start(
      InetSocketAddress address,
      Optional<Path> dataDirectory,
      int clientsPerAddressMax,
      Clock clock,
      Consumer<IOException> failed)
      throws IOException {
    return start(
        address, dataDirectory, Service.withinProcess(clientsPerAddressMax), clock, failed);
  }

  /**
   * Starts a server.
   *
   * @param address where it listens; port 0 for any free one
   * @param dataDirectory where it keeps znodes; empty to keep nothing
   * @param clock numbers transactions, so that no start repeats the numbers of an earlier one
   * @param failed called at most once if the server cannot go on, with a message of one line for
   *     the user; clients are then disconnected. Called on a thread of the server, which it must
   *     not block, and must not {@link #close} it
   * @throws BindException naming the address, if the port is taken
   */
  public static EmbeddedZooKeeper start(
      InetSocketAddress address,
      Optional<Path> dataDirectory,
      Service service,
      Clock clock,
      Consumer<IOException> failed)
      throws IOException {
    allowFourLetterWords();
    try {
      return tryStart(address, dataDirectory, service, clock, failed);
    } catch (UnreadableFolderException e) {
      if (dataDirectory.isEmpty()) {
        throw e;
      }
      ZooKeeperFolder folder = new ZooKeeperFolder(dataDirectory.get(), LocalSync.SYSTEM);
      if (!folder.probe()) {
        throw new IOException(
            "The embedded ZooKeeper cannot read its folder "
                + folder.path()
                + " ("
                + e.getMessage()
                + "). Let this user read and write the files there, then start again",
            e);
      }
      Path aside = folder.setAside();
      LOG.warn(
          "The folder {} of the embedded ZooKeeper is damaged ({}). It was renamed to"
              + " {}. Cairn creates its own znodes again; znodes of other programs are lost",
          folder.path(),
          e.getMessage(),
          aside,
          e);
      return tryStart(address, dataDirectory, service, clock, failed);
    }
  }

  private static EmbeddedZooKeeper tryStart(
      InetSocketAddress address,
      Optional<Path> dataDirectory,
      Service service,
      Clock clock,
      Consumer<IOException> failed)
      throws IOException {
    Optional<Path> scratch =
        dataDirectory.isPresent()
            ? Optional.empty()
            : Optional.of(Files.createTempDirectory("cairn-zookeeper"));
    try {
      File directory = dataDirectory.or(() -> scratch).orElseThrow().toFile();
      EmbeddedConnections connections = new EmbeddedConnections();
      ZooKeeperServer server;
      boolean started = false;
      try {
        // Before anything is written: the port may be in use.
        connections.configure(address, service.clientsPerAddressMax(), BACKLOG);
        ZooKeeperFolder folder = new ZooKeeperFolder(directory.toPath(), LocalSync.SYSTEM);
        folder.create();
        FileTxnSnapLog log =
            scratch.isPresent() ? new ForgetfulLog(directory) : durableLog(directory);
        server =
            new EmbeddedServer(
                log,
                folder,
                service,
                clock,
                () -> {
                  connections.stop(); // Else clients would wait for answers that never come.
                  failed.accept(failure(log));
                });
        connections.serve(server);
        if (!service.keepSessions()) {
          for (long session : server.getZKDatabase().getSessions()) {
            server.closeSession(session);
          }
        }
        started = true;
      } catch (BindException e) {
        BindException clear =
            new BindException(
                "ZooKeeper's port "
                    + address.getPort()
                    + " on "
                    + address.getHostString()
                    + " is in use; set hbase.zookeeper.property.clientPort, or stop the"
                    + " process that uses it");
        clear.initCause(e);
        throw clear;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("Interrupted while ZooKeeper started", e);
      } finally {
        if (!started) {
          // Its threads would keep the process alive.
          connections.shutdown();
        }
      }
      return new EmbeddedZooKeeper(connections, server, scratch);
    } catch (IOException | RuntimeException e) {
      scratch.ifPresent(EmbeddedZooKeeper::remove);
      throw e;
    }
  }

  /**
   * Allows all of ZooKeeper's four-letter words, as HBase does for its own ZooKeeper: the shell's
   * {@code zk_dump} sends {@code stat}. ZooKeeper reads the list once, from a system property. If
   * the property is set already, it stays.
   */
  private static void allowFourLetterWords() {
    if (System.getProperty(FOUR_LETTER_WORDS) == null) {
      System.setProperty(FOUR_LETTER_WORDS, "*");
    }
  }

  /** Returns the port on which it listens. */
  public int port() {
    return connections.getLocalPort();
  }

  /** Returns the address and port for this process's own connections. */
  public String connectString() {
    InetAddress address = connections.getLocalAddress().getAddress();
    String host = address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port();
  }

  /**
   * Deletes the snapshots and logs that no restart needs. ZooKeeper itself adds a snapshot with
   * each start and deletes none. Blocks on the data directory; a file that cannot be deleted is
   * logged and stays.
   */
  public void purge() {
    if (scratch.isPresent()) {
      return;
    }
    FileTxnSnapLog files = server.getTxnLogFactory();
    try {
      ZooKeeperFolder.purge(files, LocalSync.SYSTEM);
    } catch (IOException e) {
      LOG.warn("Old files of the embedded ZooKeeper in {} stay: {}", files.getSnapDir(), e, e);
    }
  }

  @Override
  public void close() {
    connections.shutdown();
    server.shutdown();
    scratch.ifPresent(EmbeddedZooKeeper::remove);
  }

  private static DurableLog durableLog(File directory) throws IOException {
    try {
      return new DurableLog(directory, LocalSync.SYSTEM);
    } catch (IOException | RuntimeException e) {
      throw new UnreadableFolderException(e);
    }
  }

  private static IOException failure(FileTxnSnapLog log) {
    if (log instanceof DurableLog durable && durable.failure().isPresent()) {
      IOException cause = durable.failure().get();
      return new IOException(
          "The embedded ZooKeeper cannot write its log in "
              + log.getDataLogDir()
              + " ("
              + cause.getMessage()
              + "). Make sure that there is room and that files there may be written and grow,"
              + " then start again",
          cause);
    }
    return new IOException(
        "The embedded ZooKeeper in "
            + log.getDataLogDir()
            + " cannot go on, since one of its threads has failed; the log says why. Start again");
  }

  private static void remove(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    } catch (IOException e) {
      // An empty temporary directory remains; nothing depends on it.
    }
  }
}
