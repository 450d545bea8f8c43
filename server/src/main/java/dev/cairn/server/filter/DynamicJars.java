package dev.cairn.server.filter;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds classes that the server's class path does not have in the jars of a folder, as HBase does
 * with {@code hbase.dynamic.jars.dir}: users put a jar with their filters there, and the server
 * loads it when a request first names a class of it. The class path comes first. A loaded class
 * stays as it is until the server starts again, whatever happens to its jar; a replaced jar is
 * treated as a new one, after the old one.
 *
 * <p>The jars are copied to a local folder, since the JVM keeps them open, and loaded from there.
 * Any number of threads.
 */
public final class DynamicJars extends URLClassLoader {
  static {
    // So that threads do not wait for each other where the class is known.
    registerAsParallelCapable();
  }

  private static final Logger LOG = LoggerFactory.getLogger(DynamicJars.class);

  private final JarFolder folder;
  private final Path copies;
  private final Set<JarFolder.Jar> known = new HashSet<>();

  /**
   * Creates a loader. Nothing is read before a class is looked for.
   *
   * @param parent asked first
   * @param folder where users put jars; need not exist
   * @param copies where the copies go; created when there is one
   */
  public DynamicJars(ClassLoader parent, JarFolder folder, Path copies) {
    super("cairn-dynamic-jars", new URL[0], parent);
    this.folder = folder;
    this.copies = copies;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    try {
      return super.findClass(name);
    } catch (ClassNotFoundException e) {
      if (!takeInNewJars()) {
        throw e;
      }
      return super.findClass(name);
    }
  }

  /** Returns whether there were any. */
  private synchronized boolean takeInNewJars() {
    boolean any = false;
    for (JarFolder.Jar jar : jars()) {
      if (!known.contains(jar)) {
        any |= takeIn(jar);
      }
    }
    return any;
  }

  private List<JarFolder.Jar> jars() {
    try {
      return folder.jars();
    } catch (IOException e) {
      LOG.warn("The jars in {} cannot be listed: {}", folder, e.toString());
      return List.of();
    }
  }

  /** One that cannot be read does not keep the others out, and is tried again. */
  private boolean takeIn(JarFolder.Jar jar) {
    try {
      addURL(copy(jar).toUri().toURL());
    } catch (IOException e) {
      LOG.warn("The jar {} in {} cannot be taken in: {}", jar.name(), folder, e.toString());
      return false;
    }
    known.add(jar);
    LOG.info("Took in the jar {} of {} bytes", jar.name(), jar.length());
    return true;
  }

  private Path copy(JarFolder.Jar jar) throws IOException {
    String name =
        jar.name().substring(0, jar.name().length() - JarFolder.SUFFIX.length())
            + "-"
            + jar.modifiedMillis()
            + "-"
            + jar.length()
            + JarFolder.SUFFIX;
    Files.createDirectories(copies);
    Path beside = Files.createTempFile(copies, "copy", ".new");
    try {
      folder.copy(jar, beside);
      return Files.move(
          beside,
          copies.resolve(name),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(beside);
    }
  }
}
