package dev.cairn.coprocessor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;

/** Jars with coprocessors that are compiled for a test. */
final class Jars {
  private Jars() {}

  /**
   * Compiles a coprocessor that sets a system property to {@code word} as soon as it is
   * initialized, and again when it starts.
   *
   * @param type its name, with a package
   */
  static Path of(Path folder, String type, String property, String word) throws IOException {
    int dot = type.lastIndexOf('.');
    Path classes = Files.createDirectories(folder.resolve(type + "-" + word));
    Path source = classes.resolve(type.substring(dot + 1) + ".java");
    Files.writeString(
        source,
        """
        package %s;
        public class %s implements org.apache.hadoop.hbase.coprocessor.RegionCoprocessor {
          static {
            System.setProperty("%3$s", "%4$s");
          }
          @Override
          public void start(org.apache.hadoop.hbase.CoprocessorEnvironment environment) {
            System.setProperty("%3$s", "%4$s");
          }
        }
        """
            .formatted(type.substring(0, dot), type.substring(dot + 1), property, word));
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-proc:none", "-d", classes.toString(), source.toString());
    assertThat(status).isZero();
    String entry = type.replace('.', '/') + ".class";
    Path jar = folder.resolve(type + "-" + word + ".jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out)) {
      entries.putNextEntry(new JarEntry(entry));
      Files.copy(classes.resolve(entry), entries);
      entries.closeEntry();
    }
    return jar;
  }
}
