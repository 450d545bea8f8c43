package dev.cairn.tools.bulk.format;

import dev.cairn.tools.bulk.durable.DurableFiles;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Opens files of lines; those whose names end with {@code .gz} are compressed. */
final class TextFile {
  static final String GZIP = ".gz";

  private static final int BUFFER_BYTES = 64 << 10;

  private TextFile() {}

  /** Creates a file, or replaces it. */
  static OutputStream create(FileSystem files, Path path, boolean compressed) throws IOException {
    OutputStream out = new DurableFiles(files).create(path);
    return new BufferedOutputStream(
        compressed ? new GZIPOutputStream(out, BUFFER_BYTES) : out, BUFFER_BYTES);
  }

  /** The lines of a file, as bytes, since keys and values need not be text. For one thread. */
  static final class Lines implements AutoCloseable {
    private final Path path;
    private final FSDataInputStream file;
    private final InputStream in;
    private long number;

    private Lines(Path path, FSDataInputStream file) throws IOException {
      this.path = path;
      this.file = file;
      InputStream buffered = new BufferedInputStream(file, BUFFER_BYTES);
      this.in =
          path.getName().endsWith(GZIP)
              ? new BufferedInputStream(new GZIPInputStream(buffered, BUFFER_BYTES), BUFFER_BYTES)
              : buffered;
    }

    static Lines open(FileSystem files, Path path) throws IOException {
      FSDataInputStream file = files.open(path);
      try {
        return new Lines(path, file);
      } catch (IOException e) {
        file.close();
        throw new MalformedRowsException(path + ": " + e.getMessage(), e);
      }
    }

    /** Returns the next line without its end; empty at the end of the file. */
    Optional<byte[]> next() throws IOException {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      int read;
      while ((read = in.read()) >= 0 && read != '\n') {
        line.write(read);
      }
      if (read < 0 && line.size() == 0) {
        return Optional.empty();
      }
      number++;
      return Optional.of(line.toByteArray());
    }

    /** Returns an exception that names the file and the line that {@link #next} returned last. */
    MalformedRowsException malformed(String what) {
      return new MalformedRowsException(path + ", line " + number + ": " + what);
    }

    long position() throws IOException {
      return file.getPos();
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
