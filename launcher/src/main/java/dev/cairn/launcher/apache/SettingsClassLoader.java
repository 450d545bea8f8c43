package dev.cairn.launcher.apache;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Loads the classes of the class path. Supplies {@code hbase-site.xml} from memory, and Hadoop's
 * other {@code *-site.xml} files from folders. HBase's configuration asks the class loader of its
 * own classes for these files, so this loader does not take them from the parent. Thread-safe.
 */
public final class SettingsClassLoader extends URLClassLoader {
  private static final String SITE = "hbase-site.xml";
  private static final String SITES = "-site.xml";

  private final byte[] site;
  private final List<Path> folders;

  /**
   * Creates a class loader.
   *
   * @param settings the contents of {@code hbase-site.xml}
   * @param folders the folders that are searched for other files, in order, before the class path
   * @param classPath jars and folders, as in {@code java.class.path}
   */
  public SettingsClassLoader(Map<String, String> settings, List<Path> folders, String classPath) {
    super(urls(classPath), ClassLoader.getPlatformClassLoader());
    this.site = xml(settings).getBytes(StandardCharsets.UTF_8);
    this.folders = List.copyOf(folders);
  }

  @Override
  public URL getResource(String name) {
    try {
      if (name.equals(SITE)) {
        return new URL("memory", "", -1, "/" + SITE, new Handler(site));
      }
      if (name.endsWith(SITES) && !name.contains("/")) {
        for (Path folder : folders) {
          Path file = folder.resolve(name);
          if (Files.isRegularFile(file)) {
            return file.toUri().toURL();
          }
        }
      }
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
    return super.getResource(name);
  }

  private static URL[] urls(String classPath) {
    return Arrays.stream(classPath.split(File.pathSeparator))
        .filter(entry -> !entry.isEmpty())
        .map(SettingsClassLoader::url)
        .toArray(URL[]::new);
  }

  private static URL url(String entry) {
    try {
      return Path.of(entry).toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException("not a path of a class path: " + entry, e);
    }
  }

  private static String xml(Map<String, String> settings) {
    StringBuilder text = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    settings.forEach(
        (name, value) ->
            text.append("<property><name>")
                .append(escaped(name))
                .append("</name><value>")
                .append(escaped(value))
                .append("</value></property>\n"));
    return text.append("</configuration>\n").toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static final class Handler extends URLStreamHandler {
    private final byte[] bytes;

    Handler(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    protected URLConnection openConnection(URL url) {
      return new URLConnection(url) {
        @Override
        public void connect() {}

        @Override
        public InputStream getInputStream() {
          return new ByteArrayInputStream(bytes);
        }
      };
    }
  }
}
