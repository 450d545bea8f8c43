package dev.cairn.interop.process;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/**
 * Apache HBase 2.6.4 in a process of its own, on free ports and with a data folder of its own: the
 * other side of a test that asks two servers the same thing. It starts in some ten seconds and
 * takes half a gigabyte, so one serves a whole test class. One thread.
 */
public final class ApacheHBase implements AutoCloseable {
  private final ServerProcess places;
  private final HBaseProcess process;

  private ApacheHBase(ServerProcess places, HBaseProcess process) {
    this.places = places;
    this.process = process;
  }

  /** Prepares HBase below {@code directory}, to be {@link #set} up and started. */
  public static ApacheHBase in(Path directory) throws IOException {
    // The other server is never started: its folder and ports are what is wanted of it.
    ServerProcess places = new ServerProcess(directory);
    return new ApacheHBase(places, new HBaseProcess(directory.resolve("hbase"), places));
  }

  /** Sets a key of {@code hbase-site.xml}, for the start. */
  public ApacheHBase set(String key, String value) {
    process.set(key, value);
    return this;
  }

  /** Starts it, and does not wait: {@link #await} does. */
  public ApacheHBase launch() throws IOException {
    process.launch();
    return this;
  }

  /** Waits until it serves. */
  public ApacheHBase await() throws IOException, InterruptedException {
    process.awaitServing();
    return this;
  }

  /** Starts it and waits until it serves. */
  public ApacheHBase start() throws IOException, InterruptedException {
    return launch().await();
  }

  /** Returns the folder that is its {@code hbase.rootdir}. */
  public Path dataFolder() {
    return places.dataFolder();
  }

  /** Returns the configuration of a client of it. Each call returns a new one. */
  public Configuration configuration() {
    return places.patientClient();
  }

  /** Returns what it has logged. */
  public String output() throws IOException {
    return process.output();
  }

  /** Ends the process at once. */
  @Override
  public void close() throws InterruptedException {
    process.close();
  }
}
