package dev.cairn.interop.process;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileUtil;

/**
 * Archives of loaded classes (class data sharing), which save about a third of the processor time
 * of a start. The first use of a kind runs a process that records its archive below {@code target}.
 * An archive is valid until the next build. Java uses an archive if the class path of the process
 * begins with that of {@link ServerClassPath}. Java records classes from jars only: there are
 * archives in {@code mvn verify}, where Cairn's modules are jars, and none in {@code mvn test},
 * where they are folders.
 */
public enum ClassArchive {
  /** Of Cairn's server, client and shell. */
  CAIRN(ClassRecording::cairn),
  /** Of Apache HBase's master and region server. */
  HBASE(ClassRecording::hbase),
  /** Of HDFS's servers. */
  HDFS(ClassRecording::hdfs);

  private static final Path FOLDER = Path.of("target", "class-archives").toAbsolutePath();

  /** Turns off Java's messages about classes that it cannot share. */
  private static final List<String> QUIET = List.of("-Xlog:cds=off", "-Xlog:cds+dynamic=off");

  private final Recording recording;
  private List<String> options; // null until they are known

  ClassArchive(Recording recording) {
    this.recording = recording;
  }

  /** Runs a process that loads the classes. */
  interface Recording {
    /**
     * Starts the process with the class path of {@link ServerClassPath} and no other entry, and
     * ends it in order, so that it writes the archive.
     *
     * @param folder an empty folder for its files
     * @param options for Java
     */
    void run(Path folder, List<String> options) throws IOException, InterruptedException;
  }

  /** Tells whether a recording has ended without an archive. */
  synchronized boolean hasFailed() {
    return isPossible() && options != null && options.isEmpty();
  }

  /** Tells whether Java can record classes of the class path. */
  static boolean isPossible() {
    return Arrays.stream(entries()).noneMatch(Files::isDirectory);
  }

  private static Path[] entries() {
    return Arrays.stream(ServerClassPath.get().split(File.pathSeparator))
        .map(Path::of)
        .toArray(Path[]::new);
  }

  /**
   * Returns the Java options that let a process load the archive. The first call records the
   * archive. Empty while another JVM records it, if this Java cannot record it, or if the class
   * path has folders.
   */
  public synchronized List<String> options() throws IOException {
    if (options == null && !isPossible()) {
      options = List.of();
    }
    if (options == null) {
      Path archive = FOLDER.resolve(prefix() + key() + ".jsa");
      if (!Files.exists(archive) && !record(archive)) {
        return List.of();
      }
      options = Files.size(archive) == 0 ? List.of() : quiet("-XX:SharedArchiveFile=" + archive);
    }
    return options;
  }

  private static List<String> quiet(String option) {
    return Stream.concat(Stream.of(option), QUIET.stream()).toList();
  }

  private String prefix() {
    return name().toLowerCase(Locale.ROOT) + "-";
  }

  /** Identifies the Java and the jars. */
  private static UUID key() throws IOException {
    StringBuilder all = new StringBuilder(System.getProperty("java.vm.version"));
    for (Path jar : entries()) {
      all.append('\n').append(jar);
      if (Files.exists(jar)) {
        all.append(' ').append(Files.size(jar)).append(' ').append(Files.getLastModifiedTime(jar));
      }
    }
    return UUID.nameUUIDFromBytes(all.toString().getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Records the archive; the file is empty if Java wrote none. Returns false, and records nothing,
   * while another JVM records it.
   */
  private boolean record(Path archive) throws IOException {
    Files.createDirectories(FOLDER);
    try (FileChannel channel = FileChannel.open(FOLDER.resolve(name()), CREATE, WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock == null) {
        return false;
      }
      if (!Files.exists(archive)) {
        deleteOld();
        Path folder = Files.createDirectory(FOLDER.resolve(prefix() + "recording"));
        Path written = folder.resolve("classes");
        try {
          recording.run(
              Files.createDirectory(folder.resolve("files")),
              quiet("-XX:ArchiveClassesAtExit=" + written));
        } catch (IOException | AssertionError e) {
          e.printStackTrace();
          Files.deleteIfExists(written);
        }
        if (!Files.exists(written)) {
          System.out.println("There is no class archive for " + this + ": starts take longer");
          Files.createFile(written); // Nobody tries again. ClassArchiveTest fails.
        }
        Files.move(written, archive, ATOMIC_MOVE);
        FileUtil.fullyDelete(folder.toFile());
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while classes are recorded");
    }
  }

  /** Deletes archives of earlier builds, and the files of a recording that was killed. */
  private void deleteOld() throws IOException {
    try (DirectoryStream<Path> old = Files.newDirectoryStream(FOLDER, prefix() + "*")) {
      old.forEach(file -> FileUtil.fullyDelete(file.toFile()));
    }
  }
}
