package dev.cairn.server.hadoop;

import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.DiskFullException;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.StreamCapabilities;

/** A file that is being written on a Hadoop file system. */
final class HadoopAppendFile implements AppendFile {
  private final String path;
  private final URI fileSystem;
  private final FSDataOutputStream out;
  private final Optional<HdfsSpace> space;
  private long position;
  private boolean failed;
  private boolean closed;

  /**
   * Creates it for an open stream.
   *
   * @param space explains failed writes; empty if the file is not on HDFS
   */
  HadoopAppendFile(String path, URI fileSystem, FSDataOutputStream out, Optional<HdfsSpace> space) {
    this.path = path;
    this.fileSystem = fileSystem;
    this.out = out;
    this.space = space;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    checkUsable();
    run("write to", () -> out.write(bytes, offset, length));
    position += length;
  }

  @Override
  public void flush() throws IOException {
    checkUsable();
    checkCapability(StreamCapabilities.HSYNC);
    run("flush", out::hflush);
  }

  @Override
  public void sync() throws IOException {
    checkUsable();
    checkCapability(StreamCapabilities.HSYNC);
    run("sync", out::hsync);
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    boolean reported = failed;
    try {
      run("close", out::close);
    } catch (IOException e) {
      if (!reported) {
        throw e;
      }
    }
  }

  private void run(String what, Uninterrupted.Action action) throws IOException {
    try {
      Uninterrupted.run(action);
    } catch (FSError e) {
      // How Hadoop's local file systems report an error of the operating system.
      throw failure(what, e.getCause() instanceof IOException cause ? cause : new IOException(e));
    } catch (IOException e) {
      throw failure(what, e);
    }
  }

  private IOException failure(String what, IOException cause) {
    failed = true;
    IOException known =
        space.map(hdfs -> hdfs.explain(path, cause)).orElse(DiskFullException.of(path, cause));
    return known instanceof DiskFullException full
        ? full
        : new IOException("Could not " + what + " " + path + ": " + Reason.of(cause), cause);
  }

  private void checkCapability(String capability) throws IOException {
    if (!out.hasCapability(capability)) {
      throw new IOException(
          fileSystem
              + " does not offer "
              + capability
              + ", without which "
              + path
              + " is not safe");
    }
  }

  private void checkUsable() throws IOException {
    if (closed) {
      throw new IOException(path + " is closed");
    }
    if (failed) {
      throw new IOException(path + " is in an unknown state since a write or sync of it failed");
    }
  }
}
